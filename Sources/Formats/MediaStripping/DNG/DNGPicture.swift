import MediaContainers
import MediaMetadata

private typealias Tag = TIFFTag

/// A picture of a DNG: the tags that developing or showing it needs, and the ranges of its data.
struct DNGPicture {
  /// The tags, without those that locate data or directories.
  var tags: [TIFFField] = []
  let isTiled: Bool
  /// The ranges of each strip or tile to copy, in order.
  let pieces: [[Range<Int>]]
  /// The names of what the picture will not have.
  private(set) var removed: [String] = []
  /// Whether something within a strip or tile is left out.
  private(set) var isShortened = false

  /// Reads a picture.
  ///
  /// - Throws: `damaged` when data lies outside the file or a needed tag is impossible;
  ///   `stripUnsupported` for a compression or a needed tag of a form that is not known.
  init(
    _ directory: DNGDirectory,
    of file: DNGFile,
    in source: ByteSource
  ) throws(MetadataError) {
    let order = file.order
    var numbers: [Int: [Int]] = [:]
    for entry in directory.entries {
      numbers[entry.tag] = directory.numbers(entry.tag, limit: 2 * TIFFPage.maximumPieces)
      guard let tag = try Self.tag(entry, in: directory, of: source, order: order) else {
        if !Self.isWrittenAnew(entry.tag) { removed.append(DNGTagName.name(entry.tag)) }
        continue
      }
      tags.append(tag)
    }
    tags.append(.long(Tag.newSubfileType, directory.number(Tag.newSubfileType) ?? 0, order))
    isTiled = numbers[Tag.tileWidth] != nil
    let compression = numbers[Tag.compression]?.first ?? 1
    guard DNGAllowList.compressions.contains(compression) else {
      throw MetadataError(.stripUnsupported, "DNG with compression \(compression)")
    }
    let samples = numbers[Tag.samplesPerPixel]?.first ?? 1
    guard (1...4).contains(samples) else { throw MetadataError(.damaged, "samples that cannot be") }
    let layout = try Self.layout(numbers, isTiled: isTiled, samples: samples)
    guard layout.count <= TIFFPage.maximumPieces,
      let offsets = numbers[Tag.offsets(isTiled: isTiled)], offsets.count == layout.count,
      let counts = numbers[Tag.byteCounts(isTiled: isTiled)], counts.count == layout.count
    else { throw MetadataError(.damaged, "no place for the pixels") }
    var pieces: [[Range<Int>]] = []
    for index in offsets.indices {
      let needed = compression == 1 ? layout.byteCount(ofPiece: index) : counts[index]
      guard offsets[index] >= 8, needed > 0, counts[index] >= needed,
        source.length - offsets[index] >= needed
      else { throw MetadataError(.damaged, "a strip that ends early") }
      let piece = offsets[index]..<(offsets[index] + needed)
      let parts =
        switch compression {
        case _ where DNGAllowList.jpeg.contains(compression):
          try TIFFJPEG.parts(of: piece, in: source)
        case DNGAllowList.jpegXL: try DNGCodestream.parts(of: piece, in: source)
        default: [piece]
        }
      if parts.reduce(0, { $0 + $1.count }) < counts[index] { isShortened = true }
      pieces.append(parts)
    }
    self.pieces = pieces
  }

  /// Computes the layout of strips or tiles from numbers that a hostile file may have chosen.
  static func layout(
    _ numbers: [Int: [Int]],
    isTiled: Bool,
    samples: Int
  ) throws(MetadataError) -> TIFFLayout {
    for tag in [Tag.imageWidth, Tag.imageLength, Tag.rowsPerStrip, Tag.tileWidth, Tag.tileLength] {
      guard let number = numbers[tag]?.first else { continue }
      let limit = tag == Tag.rowsPerStrip ? Int(UInt32.max) : 1 << 24
      guard (1...limit).contains(number) else {
        throw MetadataError(.damaged, "\(DNGTagName.name(tag)) that cannot be")
      }
    }
    guard (numbers[Tag.bitsPerSample] ?? [1]).allSatisfy((1...32).contains) else {
      throw MetadataError(.damaged, "\(DNGTagName.name(Tag.bitsPerSample)) that cannot be")
    }
    return try TIFFLayout(numbers, isTiled: isTiled, samples: samples)
  }

  /// Returns whether the writer makes the tag from something else than its value.
  private static func isWrittenAnew(_ tag: Int) -> Bool {
    switch DNGAllowList.rules[tag]?.form {
    case .pieces, .pictures, .kind: true
    default: false
    }
  }

  /// Returns the tag of an output, or nil when it has none.
  private static func tag(
    _ entry: TIFFEntry,
    in directory: DNGDirectory,
    of source: ByteSource,
    order: ByteOrder
  ) throws(MetadataError) -> TIFFField? {
    let isEssential = DNGAllowList.essential.contains(entry.tag)
    let refused = MetadataError(.stripUnsupported, "DNG with \(DNGTagName.name(entry.tag))")
    guard let rule = DNGAllowList.rules[entry.tag] else {
      if isEssential { throw refused }
      return nil
    }
    switch rule.form {
    case .pieces, .pictures, .kind, .excepted, .packet, .model, .signature: return nil
    case .values, .operations, .gainTable, .profile: break
    }
    let limit = ICCProfile.maximumLength
    guard
      DNGAllowList.allows(entry, rule, in: directory, of: source, order: order),
      let bytes = source.bytes(in: entry.value, limit: limit)
    else {
      if isEssential { throw refused }
      return nil
    }
    switch entry.tag {
    case Tag.orientation where !(1...8).contains(directory.number(entry.tag) ?? 0): return nil
    // A light of one's own choice needs tags that are not on the list.
    case Tag.calibrationIlluminant1 where directory.number(entry.tag) == 255,
      Tag.calibrationIlluminant2 where directory.number(entry.tag) == 255:
      throw refused
    default: break
    }
    guard rule.form == .profile else {
      let value = DNGAllowList.plain(bytes, type: entry.type, order: order)
      return TIFFField(tag: entry.tag, type: entry.type, count: entry.count, value: value)
    }
    guard let profile = ICCProfile.cleaned(bytes) else { throw refused }
    return TIFFField(tag: entry.tag, type: entry.type, count: profile.count, value: profile)
  }
}
