import MediaContainers
import MediaMetadata
import MediaModel

private typealias Tag = TIFFTag

/// Builds a TIFF anew from what is needed to show its pages.
///
/// Pages with their pixels, palettes and color numbers, each page's orientation, a cleaned ICC
/// profile, and the projection of a picture of all around are kept. Removed are reduced pages, all subdirectories of a page (Exif, GPS, previews),
/// all other tags, resolution (pixels that are not square stay so), and bytes that nothing points
/// to. A BigTIFF becomes a TIFF. Old-style JPEG is refused.
enum TIFFStripper: ContainerStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let file = try TIFFFile(source)
    list(file, of: source, into: &builder.listing)
    guard builder.edits else { return }
    var pages: [TIFFPage] = []
    var pieceCount = 0
    for (index, directory) in file.pages.enumerated() {
      // The first page is what every viewer shows.
      if index > 0, isReduced(directory, of: source, order: file.order) {
        builder.note("reduced page")
        continue
      }
      var reader = TIFFPageReader(source, order: file.order)
      var page = try reader.page(directory)
      if index == 0 {
        var kept = builder.options.kept(of: TIFFMetadata.self, in: source)
        // A live photo's still is never a TIFF.
        kept.contentIdentifier = nil
        page.add(kept, order: file.order)
      }
      pieceCount += page.pieces.count
      guard pieceCount <= TIFFPage.maximumPieces else {
        throw MetadataError(.overLimit, "more strips or tiles than are taken apart")
      }
      for name in page.removed { builder.note(name) }
      pages.append(page)
    }
    let plan = try TIFFDataPlan(pages, structure: file.structure, in: source)
    // Values have even offsets, so a value of odd length is followed by a padding byte.
    let referenced = file.structure.reduce(plan.sourceLength) { $0 + $1.count + $1.count % 2 }
    if referenced < source.length { builder.remove("unreferenced bytes") }
    if plan.isEdited { builder.remove("JPEG segments") }
    let head = try TIFFFileWriter(order: file.order, pages: pages, plan: plan).head()
    try builder.literal(head)
    try plan.append(to: &builder)
  }

  /// Returns whether a page is marked as a smaller version of another, or has the form of the Exif
  /// thumbnail: a JPEG instead of strips.
  private static func isReduced(
    _ directory: TIFFDirectory,
    of source: ByteSource,
    order: ByteOrder
  ) -> Bool {
    let tags = Set(directory.fields.map(\.tag))
    if tags.contains(Tag.jpegInterchangeFormat),
      tags.isDisjoint(with: [Tag.stripOffsets, Tag.tileOffsets])
    {
      return true
    }
    for field in directory.fields where field.count == 1 {
      let number = field.numbers(of: source, order: order, limit: 1)?.first
      if field.tag == Tag.newSubfileType, field.type == 3 || field.type == 4 {
        return (number ?? 0) & 1 == 1
      }
      if field.tag == Tag.subfileType, field.type == 3 { return number == 2 }
    }
    return false
  }
}
