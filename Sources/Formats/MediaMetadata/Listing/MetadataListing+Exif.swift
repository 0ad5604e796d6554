package import MediaContainers
import MediaModel

extension MetadataListing {
  /// The directories of an Exif block; each is read once.
  private static let directories: [(pointer: Int, name: String)] = [
    (ExifTagNumber.exifDirectory, "ExifIFD"), (ExifTagNumber.locationDirectory, "GPS"),
    (0xA005, "InteropIFD"),
  ]

  /// Adds the tags of the TIFF structure in `range`.
  ///
  /// - Parameters:
  ///   - path: The path of the block, such as `APP1 Exif`.
  ///   - range: The range of the block, from the TIFF header on.
  ///   - source: The file, or a block that was joined from several parts.
  ///   - blockRange: The range of that block in the file; nil when `source` is the file.
  ///   - isUsed: False for a second block, whose values are not read.
  ///   - isInner: True for a block within another one, whose values are not read, and within which no
  ///     further blocks are looked for.
  package mutating func addExif(
    _ path: String,
    in range: Range<Int>,
    of source: ByteSource,
    range blockRange: Range<Int>? = nil,
    isUsed: Bool = true,
    isInner: Bool = false
  ) {
    guard let block = TIFFBlock(source, range) else {
      return add(path, at: blockRange ?? range, isRemoved: true)
    }
    let kept = isUsed && !isInner ? KeptExifTags(block, options: options) : nil
    var pending = [(name: "IFD0", offset: block.firstDirectory)]
    var seen: Set<Int> = []
    while let directory = pending.popLast() {
      guard seen.insert(directory.offset).inserted, seen.count <= 8 else { continue }
      var deeper: [(name: String, offset: Int)] = []
      block.forEachEntry(ofDirectoryAt: directory.offset) { entry in
        if let directory = Self.directories.first(where: { $0.pointer == entry.tag }) {
          if let offset = block.pointer(entry) { deeper.append((directory.name, offset)) }
          return
        }
        let parent = "\(path)/\(directory.name)"
        if !isInner, addBlock(entry, of: block, parent, range: blockRange) { return }
        let isKept = kept?.contains(entry, in: directory.name, of: block) ?? false
        let isLocation = directory.name == "GPS"
        let start = blockRange?.lowerBound ?? entry.value.lowerBound
        add(
          "\(path)/\(directory.name)/\(ExifTagNames.name(entry.tag, isLocation: isLocation))",
          at: start..<(start + entry.value.count),
          isRemoved: !isKept,
          tag: ExifTagNames.tag(entry.tag, isLocation: isLocation)
        ) {
          isKept && isLocation
            ? kept?.degrees(entry) ?? Self.value(of: entry, in: block)
            : Self.value(of: entry, in: block)
        }
      }
      if directory.name == "IFD0", let next = block.directory(after: directory.offset) {
        deeper.append(("IFD1", next))
      }
      pending += deeper.reversed()
    }
  }

  /// Adds the XMP, IPTC or Photoshop block that is the value of a tag, and returns whether it is one.
  private mutating func addBlock(
    _ entry: TIFFEntry,
    of block: TIFFBlock,
    _ path: String,
    range blockRange: Range<Int>?
  ) -> Bool {
    guard [TIFFTag.xmp, TIFFTag.iptc, TIFFTag.photoshop].contains(entry.tag) else { return false }
    let before = count
    let bytes = block.source.bytes(in: entry.value, limit: FoundMetadata.maximumBlockLength) ?? []
    let start = blockRange?.lowerBound ?? entry.value.lowerBound
    switch entry.tag {
    case TIFFTag.xmp:
      addXMP(path + "/XMP", bytes, at: start..<(start + entry.value.count), isUsed: false)
    case TIFFTag.iptc: addIPTC(path + "/IPTC", bytes, at: start, isUsed: false)
    default: addPhotoshop(path + "/Photoshop", bytes, at: start, isUsed: false)
    }
    return count > before
  }

  /// Returns the text of an ASCII entry, or nil.
  package static func text(of entry: TIFFEntry, in block: TIFFBlock) -> String? {
    guard case .text(let bytes) = ExifReader.value(of: entry, in: block) else { return nil }
    return text(bytes)
  }

  /// Returns text, or up to eight numbers; nil for a maker note or a thumbnail.
  private static func value(
    of entry: TIFFEntry,
    in block: TIFFBlock
  ) -> String? {
    let values: [String]
    switch ExifReader.value(of: entry, in: block) {
    case .text(let bytes): return text(bytes)
    case .numbers(let numbers): values = numbers.map { String($0) }
    case .fractions(let fractions): values = fractions.map { "\($0.above)/\($0.below)" }
    case .signedFractions, nil: return nil
    }
    return values.prefix(8).joined(separator: " ") + (entry.count > 8 ? " …" : "")
  }
}
