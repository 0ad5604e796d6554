/// An entry of a TIFF directory as stored in the file.
package struct TIFFFileField {
  /// The tag number.
  package var tag: Int
  /// The field type.
  package var type: Int
  /// The number of values.
  package var count: Int
  /// The range of the value's bytes; nil when they do not all lie within the file.
  package var value: Range<Int>?
}

/// A directory of a TIFF file: a page, or a subdirectory of one.
package struct TIFFDirectory {
  /// The range from the entry count to the offset of the next directory.
  package var range: Range<Int>
  /// The entries in file order.
  package var fields: [TIFFFileField]
}

/// The directories in a TIFF file's chain, and the ranges of its structure.
///
/// A loop in the chain and overlapping directories are rejected, so reading costs no more than the
/// length of the file.
///
/// Source: TIFF 6.0 section 2.
package struct TIFFFile {
  /// The byte order of the file.
  package let order: ByteOrder
  /// The directories of the chain, in order.
  package let pages: [TIFFDirectory]
  /// The ranges of directories and values, including those of subdirectories; not sorted.
  package let structure: [Range<Int>]

  /// Reads the chain of directories and the subdirectories of each page.
  ///
  /// - Throws: `damaged` for an impossible header, directory or chain.
  package init(_ source: ByteSource) throws(MetadataError) {
    guard let block = TIFFBlock(source, 0..<source.length) else {
      throw MetadataError(.damaged, "no TIFF header")
    }
    order = block.order
    var reader = Reader(block)
    var pages: [TIFFDirectory] = []
    var offsets = TIFFPages(source)
    while let offset = offsets.next() { pages.append(try reader.directory(at: offset)) }
    if let damage = offsets.damage { throw damage }
    for field in pages.flatMap(\.fields) where Self.pointers.contains(field.tag) {
      // Subdirectories are removed, so a broken one is not a reason to fail.
      guard let offset = reader.number(field) else { continue }
      _ = try? reader.directory(at: offset)
    }
    guard !pages.isEmpty else { throw MetadataError(.damaged, "no directory") }
    self.pages = pages
    structure = reader.structure
  }

  /// The tags that point to the Exif, GPS and first SubIFD directories.
  private static let pointers: Set<Int> = [0x8769, 0x8825, 0x014A]

  private struct Reader {
    let block: TIFFBlock
    var structure: [Range<Int>] = []
    private var seen: Set<Int> = []
    private var entryCount = 0

    init(_ block: TIFFBlock) { self.block = block }

    mutating func directory(at offset: Int) throws(MetadataError) -> TIFFDirectory {
      let (source, order) = (block.source, block.order)
      guard seen.insert(offset).inserted, offset >= 8,
        let count = source.uint16(at: offset, order: order), count > 0,
        source.length - offset >= 2 + 12 * count + 4
      else { throw MetadataError(.damaged, "a directory that ends early") }
      entryCount += count
      // Directories that do not overlap cannot have more entries than this.
      guard 12 * entryCount <= source.length else {
        throw MetadataError(.damaged, "directories that overlap")
      }
      let range = offset..<(offset + 2 + 12 * count + 4)
      structure.append(range)
      var fields: [TIFFFileField] = []
      fields.reserveCapacity(count)
      for index in 0..<count {
        guard let field = block.field(at: offset + 2 + 12 * index) else { continue }
        if let value = field.value, !range.contains(value.lowerBound), !value.isEmpty {
          structure.append(value)
        }
        fields.append(field)
      }
      return TIFFDirectory(range: range, fields: fields)
    }

    func number(_ field: TIFFFileField) -> Int? {
      guard let value = field.value, value.count >= 4, field.type == 4 || field.type == 13 else {
        return nil
      }
      return block.source.uint32(at: value.lowerBound, order: block.order)
    }
  }
}
