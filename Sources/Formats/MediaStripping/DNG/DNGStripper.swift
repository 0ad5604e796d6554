import MediaContainers
import MediaMetadata
import MediaModel

private typealias Tag = TIFFTag

/// Builds a DNG anew from what a program needs to develop it, and from its previews.
///
/// The sensor's data are copied; a JPEG stream, lossless or not, without its application segments
/// and comments, a JPEG XL codestream only if nothing in it has to go. Removed are the camera's name and serial number, owner, lens, Exif, GPS, XMP
/// but for the projection of a picture of all around, maker notes, the embedded raw file of the camera, names and digests of it, names of profiles,
/// further profiles, depth, semantic masks, and bytes that nothing points to.
///
/// The values that make the colors stay, although they may be of one camera alone: calibration
/// matrices, bad pixels in lists of operations, levels of black.
///
/// Source: Adobe, Digital Negative Specification 1.7.
enum DNGStripper: ContainerStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let file = try DNGFile(of: source)
    list(file, of: source, into: &builder.listing)
    guard builder.edits else { return }
    guard file.image[Tag.dngVersion] != nil else { throw MetadataError(.damaged, "no DNGVersion") }
    var pictures: [DNGPicture] = []
    var raws = 0
    for (index, directory) in ([file.image] + file.pictures).enumerated() {
      let kind = DNGKind(directory)
      do throws(MetadataError) {
        guard kind != .other else { throw MetadataError(.stripUnsupported, "DNG of another kind") }
        let picture = try DNGPicture(directory, of: file, in: source)
        if kind == .raw { raws += 1 }
        for name in picture.removed { builder.note(name) }
        if picture.isShortened { builder.remove("bytes in a strip") }
        pictures.append(picture)
      } catch {
        // A picture beside the raw one is no loss; the first directory has the camera's profile.
        guard index > 0, kind == .preview || kind == .other else { throw error }
        builder.remove(kind == .preview ? "preview" : "other picture")
      }
    }
    guard raws == 1 else {
      throw MetadataError(.stripUnsupported, "DNG with \(raws) raw pictures")
    }
    pictures[0].tags += try cameraTags(of: file, builder.options)
    var kept = builder.options.kept(of: TIFFMetadata.self, in: source)
    // A maker note within a DNG is not written, so a live photo of one has no identifier.
    kept.contentIdentifier = nil
    let layout = try DNGLayout(pictures, order: file.order, kept: kept)
    try builder.literal(layout.head)
    for part in layout.parts { try builder.copy(part) }
  }

  /// Returns the name of the camera, which the format needs, and whether its calibration counts.
  private static func cameraTags(
    of file: DNGFile,
    _ options: StripOptions
  ) throws(MetadataError) -> [TIFFField] {
    var tags: [TIFFField] = []
    let model = modelName(of: file.image, options)
    tags.append(TIFFField(tag: Tag.uniqueCameraModel, type: 2, count: model.count, value: model))
    let texts = [Tag.cameraCalibrationSignature, Tag.profileCalibrationSignature].map { tag in
      (file.image.bytes(tag, limit: 1 << 10) ?? []).filter { $0 != 0 }
    }
    if texts[0] != texts[1] {
      for (tag, text) in DNGAllowList.signatures {
        tags.append(TIFFField(tag: tag, type: 2, count: text.count, value: text))
      }
    }
    return tags
  }

  /// Returns the name of the camera in an output, with a NUL.
  static func modelName(of image: DNGDirectory, _ options: StripOptions) -> [UInt8] {
    guard options.except.contains(.camera),
      let bytes = image.bytes(Tag.uniqueCameraModel, limit: 1 << 10),
      let text = MetadataText.checked(bytes, limit: MetadataText.maximumNameLength)
    else { return DNGAllowList.neutralModel }
    return Array(text.utf8) + [0]
  }
}

/// The places of directories and data in an output: header, first directory, Exif and GPS of what
/// `except` keeps, the other pictures, then all data in the order of the source.
private struct DNGLayout {
  /// Everything before the data.
  let head: [UInt8]
  /// The ranges of the source to copy, in order.
  let parts: [Range<Int>]

  init(_ pictures: [DNGPicture], order: ByteOrder, kept: KeptMetadata) throws(MetadataError) {
    let exif = ExifWriter.fields(of: kept, order: order)
    var pictures = pictures
    pictures[0].tags += exif.image
    if let packet = XMPWriter.packet(kept: kept) {
      pictures[0].tags.append(TIFFField(tag: Tag.xmp, type: 1, count: packet.count, value: packet))
    }
    let pointers = exif.directories.map { TIFFField.long($0.pointer, 0, order) }
    let lengths = pictures.enumerated().map { index, picture in
      let zeros = [UInt8](repeating: 0, count: 4 * picture.pieces.count)
      var tags = picture.tags + Self.pieceTags(picture, zeros, zeros)
      if index == 0 { tags += pointers + Self.subDirectories(pictures.dropFirst().map { _ in 0 }) }
      return TIFFWriter.length(of: tags)
    }
    var offset = 8 + lengths[0]
    var directories: [(pointer: Int, offset: Int, fields: [TIFFField])] = []
    for directory in exif.directories {
      directories.append((directory.pointer, offset, directory.fields))
      offset += TIFFWriter.length(of: directory.fields)
    }
    var directoryOffsets = [8]
    for length in lengths.dropFirst() {
      directoryOffsets.append(offset)
      offset += length
    }
    let data = DNGData(pictures, from: offset)
    guard data.end <= Int(UInt32.max) else { throw MetadataError(.overLimit, "too long for a DNG") }
    parts = data.parts
    pictures[0].tags += directories.map { .long($0.pointer, $0.offset, order) }
    pictures[0].tags += Self.subDirectories(directoryOffsets.dropFirst().map { $0 }, order)
    var head = TIFFWriter.header(order)
    for (index, picture) in pictures.enumerated() {
      let offsets = data.written[index].flatMap { $0.lowerBound.bytes(4, order) }
      let counts = data.written[index].flatMap { $0.count.bytes(4, order) }
      let tags = picture.tags + Self.pieceTags(picture, offsets, counts)
      head += TIFFWriter.directory(tags, at: head.count, order: order)
      guard index == 0 else { continue }
      for directory in directories {
        head += TIFFWriter.directory(directory.fields, at: head.count, order: order)
      }
    }
    self.head = head
  }

  private static func pieceTags(
    _ picture: DNGPicture,
    _ offsets: [UInt8],
    _ counts: [UInt8]
  ) -> [TIFFField] {
    let count = picture.pieces.count
    return [
      TIFFField(tag: Tag.offsets(isTiled: picture.isTiled), type: 4, count: count, value: offsets),
      TIFFField(tag: Tag.byteCounts(isTiled: picture.isTiled), type: 4, count: count, value: counts),
    ]
  }

  private static func subDirectories(
    _ offsets: [Int],
    _ order: ByteOrder = .big
  ) -> [TIFFField] {
    guard !offsets.isEmpty else { return [] }
    let value = offsets.flatMap { $0.bytes(4, order) }
    return [TIFFField(tag: Tag.subIFDs, type: 4, count: offsets.count, value: value)]
  }
}

/// The order in which strips and tiles of all pictures are copied.
private struct DNGData {
  /// The ranges to copy, ascending.
  private(set) var parts: [Range<Int>] = []
  /// The range of each strip or tile of each picture in the output.
  private(set) var written: [[Range<Int>]]
  /// The length of the output.
  private(set) var end: Int

  init(_ pictures: [DNGPicture], from start: Int) {
    written = pictures.map { Array(repeating: 0..<0, count: $0.pieces.count) }
    end = start
    var all: [(start: Int, picture: Int, piece: Int)] = []
    for (number, picture) in pictures.enumerated() {
      for (index, piece) in picture.pieces.enumerated() {
        all.append((piece.first?.lowerBound ?? 0, number, index))
      }
    }
    var last: (ranges: [Range<Int>], range: Range<Int>)?
    for (_, picture, piece) in all.sorted(by: { $0.start < $1.start }) {
      let ranges = pictures[picture].pieces[piece]
      // Two pictures may have the same data.
      if let last, last.ranges == ranges {
        written[picture][piece] = last.range
        continue
      }
      let length = ranges.reduce(0) { $0 + $1.count }
      parts += ranges
      written[picture][piece] = end..<(end + length)
      last = (ranges, written[picture][piece])
      end += length
    }
  }
}
