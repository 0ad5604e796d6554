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

  /// The types of integers without a sign: BYTE, SHORT, LONG, IFD, LONG8, IFD8.
  package static let integerTypes: Set<Int> = [1, 3, 4, 13, 16, 18]
  /// The types of offsets of directories: LONG, IFD, LONG8, IFD8.
  static let offsetTypes: Set<Int> = [4, 13, 16, 18]

  /// Returns the numbers of an integer field; nil for other types, for more than `limit` numbers, or
  /// when they are not all there. With a limit of 1, returns the first.
  package func numbers(of source: ByteSource, order: ByteOrder, limit: Int) -> [Int]? {
    guard let value, count >= 1, Self.integerTypes.contains(type),
      let size = TIFFBlock.size(ofType: type)
    else { return nil }
    let count = limit == 1 ? 1 : count
    guard count <= limit, let bytes = source.bytes(in: value.prefix(count * size), limit: 8 * limit)
    else { return nil }
    return (0..<count).map { index in
      let part = bytes[(index * size)..<((index + 1) * size)]
      return order == .big
        ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

/// A directory of a TIFF file: a page, or a subdirectory of one.
package struct TIFFDirectory {
  /// The range from the entry count to the offset of the next directory, which may be missing at the
  /// end of the file.
  package var range: Range<Int>
  /// The entries in file order.
  package var fields: [TIFFFileField]
}

/// The directories in a TIFF file's chain, and the ranges of its structure.
///
/// A loop in the chain and overlapping directories are rejected, so reading costs no more than the
/// length of the file.
///
/// Source: TIFF 6.0 section 2; the BigTIFF design (libtiff).
package struct TIFFFile {
  /// The byte order of the file.
  package let order: ByteOrder
  /// Whether the file is TIFF or BigTIFF.
  package let form: TIFFForm
  /// The directories of the chain, in order.
  package let pages: [TIFFDirectory]
  /// The ranges of the header, directories and values, including those of subdirectories; not
  /// sorted.
  package let structure: [Range<Int>]

  /// Reads the chain of directories and the subdirectories of each page.
  ///
  /// - Throws: `damaged` for an impossible header, directory or chain.
  package init(_ source: ByteSource) throws(MetadataError) {
    guard let block = TIFFBlock(file: source) else {
      throw MetadataError(.damaged, "no TIFF header")
    }
    (order, form) = (block.order, block.form)
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
  private static let pointers: Set<Int> = [TIFFTag.exifIFD, TIFFTag.gpsIFD, TIFFTag.subIFDs]

  private struct Reader {
    let block: TIFFBlock
    var structure: [Range<Int>]
    private var seen: Set<Int> = []
    private var entryCount = 0

    init(_ block: TIFFBlock) {
      self.block = block
      structure = [0..<block.form.headerLength]
    }

    mutating func directory(at offset: Int) throws(MetadataError) -> TIFFDirectory {
      let (source, form) = (block.source, block.form)
      guard seen.insert(offset).inserted, offset >= form.headerLength,
        let count = source.number(at: offset, count: form.countLength, order: block.order),
        count > 0, count <= (source.length - offset - form.countLength) / form.entryLength
      else { throw MetadataError(.damaged, "a directory that ends early", at: offset) }
      entryCount += count
      // Directories that do not overlap cannot have more entries than this.
      guard form.entryLength * entryCount <= source.length else {
        throw MetadataError(.damaged, "directories that overlap")
      }
      let entries = offset + form.countLength
      let end = entries + form.entryLength * count
      let range = offset..<min(end + form.offsetLength, source.length)
      structure.append(range)
      var fields: [TIFFFileField] = []
      fields.reserveCapacity(count)
      for index in 0..<count {
        guard let field = block.field(at: entries + form.entryLength * index) else { continue }
        if let value = field.value, !range.contains(value.lowerBound), !value.isEmpty {
          structure.append(value)
        }
        fields.append(field)
      }
      return TIFFDirectory(range: range, fields: fields)
    }

    func number(_ field: TIFFFileField) -> Int? {
      guard TIFFFileField.offsetTypes.contains(field.type) else { return nil }
      return field.numbers(of: block.source, order: block.order, limit: 1)?.first
    }
  }
}
