import MediaContainers
import MediaModel

/// The boxes of a Canon CR3 that contain facts.
///
/// Source: exiftool `lib/Image/ExifTool/Canon.pm` (uuid), `QuickTime.pm`; ISO/IEC 14496-12.
struct CanonBoxes {
  /// The directories of picture, Exif and GPS, each of which is a separate TIFF structure.
  private(set) var directories: [ExifDirectory: Range<Int>] = [:]
  private(set) var previewSize: PixelSize?

  init(_ source: ByteSource) {
    let whole = 0..<source.length
    guard let moov = ISOBoxes.first("moov", in: whole, of: source) else { return }
    for box in ISOBoxes(source, in: moov.body) {
      if box.type == "uuid" { readMetadata(in: box.body, of: source) }
      if box.type == "trak" { readTrack(box.body, of: source) }
    }
    for box in ISOBoxes(source, in: whole) where box.type == "uuid" {
      readPreview(in: box.body, of: source)
    }
  }

  /// Returns the entries of the directories.
  func exif(of source: ByteSource) -> ExifHandle {
    var exif = ExifHandle()
    for (directory, range) in directories {
      guard let block = TIFFBlock(source, range) else { continue }
      exif.read(directory, tags: directory.tags, at: block.firstDirectory, of: block)
      if directory == .location { exif.noteUnreadPlace(inDirectoryAt: block.firstDirectory, of: block) }
    }
    return exif
  }

  private mutating func readMetadata(in body: Range<Int>, of source: ByteSource) {
    guard body.count > 16 else { return }
    for box in ISOBoxes(source, in: (body.lowerBound + 16)..<body.upperBound) {
      switch box.type {
      case "CMT1": directories[.image] = box.body
      case "CMT2": directories[.exif] = directories[.exif] ?? box.body
      case "CMT4": directories[.location] = directories[.location] ?? box.body
      default: break
      }
    }
  }

  /// Reads the size of the first track, a JPEG of the full picture size.
  private mutating func readTrack(_ body: Range<Int>, of source: ByteSource) {
    guard
      let table = ISOBoxes.body(
        at: ["mdia", "minf", "stbl", "stsd"],
        in: body,
        of: source
      ), table.count > 8,
      let entry = ISOBoxes(source, in: (table.lowerBound + 8)..<table.upperBound).first(
        where: { $0.type == "CRAW" }
      ), entry.body.count >= 82,
      ISOBoxes.first("JPEG", in: (entry.body.lowerBound + 82)..<entry.body.upperBound, of: source)
        != nil,
      let width = source.uint16(at: entry.body.lowerBound + 24),
      let height = source.uint16(at: entry.body.lowerBound + 26)
    else { return }
    take(width, height)
  }

  private mutating func readPreview(in body: Range<Int>, of source: ByteSource) {
    // The UUID, a version and a count precede the box.
    guard body.count > 24,
      let preview = ISOBoxes.first(
        "PRVW",
        in: (body.lowerBound + 24)..<body.upperBound,
        of: source
      ), let width = source.uint16(at: preview.body.lowerBound + 6),
      let height = source.uint16(at: preview.body.lowerBound + 8)
    else { return }
    take(width, height)
  }

  private mutating func take(_ width: Int, _ height: Int) {
    let area = (previewSize?.width ?? 0) * (previewSize?.height ?? 0)
    if width * height > area { previewSize = PixelSize(width: width, height: height) }
  }
}
