/// An entry of a TIFF directory whose value lies within its block.
package struct TIFFEntry {
  /// The tag number.
  package var tag: Int
  /// The field type: 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL …
  package var type: Int
  /// The number of values.
  package var count: Int
  /// The range of the value's bytes in the source.
  package var value: Range<Int>

  /// Creates an entry from its parts.
  package init(tag: Int, type: Int, count: Int, value: Range<Int>) {
    self.tag = tag
    self.type = type
    self.count = count
    self.value = value
  }
}

/// The lengths of the parts of a TIFF structure, in bytes.
///
/// Source: TIFF 6.0 section 2; the BigTIFF design (libtiff).
package struct TIFFForm: Equatable, Sendable {
  /// The length of the file header.
  package let headerLength: Int
  /// The length of the number of entries.
  package let countLength: Int
  /// The length of an entry.
  package let entryLength: Int
  /// The length of an offset, and the longest value that an entry holds itself.
  package let offsetLength: Int

  /// The form with 32-bit offsets.
  package static let classic = TIFFForm(headerLength: 8, countLength: 2, entryLength: 12, offsetLength: 4)
  /// The form with 64-bit offsets.
  package static let big = TIFFForm(headerLength: 16, countLength: 8, entryLength: 20, offsetLength: 8)
}

/// A TIFF structure, which is either a whole file or a block inside another file; every offset
/// counts from its start.
///
/// Source: TIFF 6.0 section 2.
package struct TIFFBlock {
  /// The longest block inside another file that is read, in bytes.
  package static let maximumEmbeddedLength = 1 << 20

  /// The maximum number of entries read from one directory.
  private static var maximumEntries: Int { 4096 }

  /// The source that holds the block.
  package let source: ByteSource
  /// The range that offsets may point to.
  package let range: Range<Int>
  /// The byte order of the block.
  package let order: ByteOrder
  /// The offset of the first directory from the start of the block.
  package let firstDirectory: Int
  /// The form of the directories.
  package let form: TIFFForm

  /// Parses the TIFF header at the start of `range`; nil when there is none.
  package init?(_ source: ByteSource, _ range: Range<Int>) {
    let start = range.lowerBound
    guard start >= 0, range.upperBound <= source.length, range.count >= 8 else { return nil }
    let order: ByteOrder
    if source.holds("II", at: start) {
      order = .little
    } else if source.holds("MM", at: start) {
      order = .big
    } else {
      return nil
    }
    guard source.uint16(at: start + 2, order: order) == 42,
      let first = source.uint32(at: start + 4, order: order)
    else { return nil }
    self.init(source, range, order: order, firstDirectory: first)
  }

  /// Parses the header of a whole file, TIFF or BigTIFF; nil when there is none.
  package init?(file source: ByteSource) {
    let order: ByteOrder = source.holds("MM", at: 0) ? .big : .little
    let isBig =
      source.uint16(at: 2, order: order) == 43 && source.uint16(at: 4, order: order) == 8
      && source.uint16(at: 6, order: order) == 0
    guard isBig, order == .big || source.holds("II", at: 0) else {
      self.init(source, 0..<source.length)
      return
    }
    guard let first = source.number(at: 8, count: 8, order: order) else { return nil }
    self.init(source, 0..<source.length, order: order, firstDirectory: first, form: .big)
  }

  /// Creates a block whose byte order and first directory are already known.
  package init(
    _ source: ByteSource,
    _ range: Range<Int>,
    order: ByteOrder,
    firstDirectory: Int,
    form: TIFFForm = .classic
  ) {
    self.source = source
    self.range = range
    self.order = order
    self.firstDirectory = firstDirectory
    self.form = form
  }

  /// Returns the range in the source of the directory at `offset`, limited to the bytes that
  /// exist; nil when not even its count does.
  package func extent(ofDirectoryAt offset: Int) -> Range<Int>? {
    // An offset of 0 means that there is no directory, and a directory cannot overlap the header.
    guard offset >= form.headerLength, offset <= range.count - form.countLength else { return nil }
    let start = range.lowerBound + offset
    guard let count = source.number(at: start, count: form.countLength, order: order) else {
      return nil
    }
    let entries = start + form.countLength
    let room = (range.upperBound - entries) / form.entryLength
    return start..<(entries + form.entryLength * min(count, room, Self.maximumEntries))
  }

  /// Calls `body` with each entry of the directory at `offset` whose value is complete.
  ///
  /// - Returns: Whether the directory exists.
  @discardableResult
  package func forEachEntry(ofDirectoryAt offset: Int, _ body: (TIFFEntry) -> Void) -> Bool {
    guard let extent = extent(ofDirectoryAt: offset) else { return false }
    var position = extent.lowerBound + form.countLength
    while position < extent.upperBound {
      if let field = field(at: position), let value = field.value {
        body(TIFFEntry(tag: field.tag, type: field.type, count: field.count, value: value))
      }
      position += form.entryLength
    }
    return true
  }

  /// Returns the first tag in the directory at `offset` whose value, of a known type, does not lie
  /// within the file.
  package func incompleteTag(inDirectoryAt offset: Int) -> Int? {
    guard let extent = extent(ofDirectoryAt: offset) else { return nil }
    let offsets = stride(
      from: extent.lowerBound + form.countLength,
      to: extent.upperBound,
      by: form.entryLength
    )
    return offsets.lazy.compactMap(field(at:))
      .first { $0.value == nil && Self.size(ofType: $0.type) != nil }?.tag
  }

  /// Returns the offset of the directory after the one at `offset`, or nil after the last one.
  package func directory(after offset: Int) -> Int? {
    guard let extent = extent(ofDirectoryAt: offset),
      extent.upperBound + form.offsetLength <= range.upperBound,
      let next = source.number(at: extent.upperBound, count: form.offsetLength, order: order),
      next != 0
    else { return nil }
    return next
  }

  /// Returns a value of a BYTE, SHORT, LONG, IFD, LONG8 or IFD8 entry; nil for an entry of another
  /// type, or of fewer values.
  package func number(_ entry: TIFFEntry, at index: Int = 0) -> Int? {
    guard TIFFFileField.integerTypes.contains(entry.type), index < entry.count,
      let size = Self.size(ofType: entry.type)
    else { return nil }
    return source.number(at: entry.value.lowerBound + size * index, count: size, order: order)
  }

  /// Returns the offset of the directory to which an entry points, of any type of integers: some writers
  /// take a signed or a short one, and put an offset of four bytes into that.
  package func pointer(_ entry: TIFFEntry) -> Int? {
    let start = entry.value.lowerBound
    switch entry.type {
    case 3, 8:
      let short = source.uint16(at: start, order: order) ?? 0
      return extent(ofDirectoryAt: short) == nil ? source.uint32(at: start, order: order) : short
    case 9 where entry.count > 0: return source.uint32(at: start, order: order)
    default: return number(entry)
    }
  }

  /// Returns the offset of the directory to which a tag of the first directory points; nil without one.
  package func pointer(_ tag: Int) -> Int? {
    var firstEntry: TIFFEntry?
    forEachEntry(ofDirectoryAt: firstDirectory) { entry in
      if entry.tag == tag, firstEntry == nil { firstEntry = entry }
    }
    return firstEntry.flatMap { pointer($0) }
  }

  /// Returns the entry at `position` in the source, whose value may be incomplete; nil outside the
  /// source.
  package func field(at position: Int) -> TIFFFileField? {
    guard let tag = source.uint16(at: position, order: order),
      let type = source.uint16(at: position + 2, order: order),
      let count = source.number(at: position + 4, count: form.offsetLength, order: order)
    else { return nil }
    var field = TIFFFileField(tag: tag, type: type, count: count, value: nil)
    guard let size = Self.size(ofType: type), count <= range.count else { return field }
    let length = count * size
    let inner = position + 4 + form.offsetLength
    if length <= form.offsetLength {
      field.value = inner..<(inner + length)
    } else if let offset = source.number(at: inner, count: form.offsetLength, order: order),
      offset <= range.count, range.count - offset >= length
    {
      let start = range.lowerBound + offset
      field.value = start..<(start + length)
    }
    return field
  }

  /// Returns the number of bytes of one value of `type`.
  package static func size(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }
}

/// The offsets of the directories of a TIFF structure, first the chain and then what it points to
/// as SubIFDs; at most 32, and none twice.
///
/// Source: TIFF 6.0 section 2 and Technical Note 1 (SubIFDs).
package struct TIFFDirectories: Sequence, IteratorProtocol {
  private static var maximumCount: Int { 32 }

  private let block: TIFFBlock
  private var pending: [Int]
  private var seen: Set<Int> = []

  /// Starts with the first directory of `block`.
  package init(_ block: TIFFBlock) {
    self.block = block
    pending = [block.firstDirectory]
  }

  /// Returns the offset of the next directory, or nil after the last one.
  package mutating func next() -> Int? {
    while let offset = pending.popLast() {
      guard seen.count < Self.maximumCount, seen.insert(offset).inserted else { continue }
      block.forEachEntry(ofDirectoryAt: offset) { entry in
        guard entry.tag == TIFFTag.subIFDs, TIFFFileField.offsetTypes.contains(entry.type) else {
          return
        }
        pending += (0..<Swift.min(entry.count, 8)).compactMap { block.number(entry, at: $0) }
      }
      if let next = block.directory(after: offset) { pending.append(next) }
      return offset
    }
    return nil
  }
}

/// The offsets of the pages of a TIFF or BigTIFF, in the order of their chain.
///
/// Source: TIFF 6.0 section 2; the BigTIFF design (libtiff).
package struct TIFFPages: Sequence, IteratorProtocol {
  private let block: TIFFBlock?
  private var offset = 0
  private var seen: Set<Int> = []
  /// The reason why the chain ends without an end: a page is not in the file as a whole, or comes
  /// again.
  package private(set) var damage: MetadataError?

  /// Creates a sequence; it is empty when the bytes are no TIFF.
  package init(_ source: ByteSource) {
    block = TIFFBlock(file: source)
    offset = block?.firstDirectory ?? 0
  }

  /// Returns the offset of the next page, of which at least the number of entries exists. A file
  /// that ends with its last directory may lack the offset of a next one; libtiff reads it, too.
  package mutating func next() -> Int? {
    guard offset != 0, let block else { return nil }
    let (page, form, source) = (offset, block.form, block.source)
    offset = 0
    guard seen.insert(page).inserted else {
      damage = MetadataError(.damaged, "directories in a loop")
      return nil
    }
    let entries =
      page < form.headerLength
      ? nil : source.number(at: page, count: form.countLength, order: block.order)
    let next = entries.flatMap { entries -> Int? in
      let end = page + form.countLength + form.entryLength * Swift.min(entries, source.length)
      let next = source.number(at: end, count: form.offsetLength, order: block.order)
      return end <= source.length && source.length - end < form.offsetLength ? 0 : next
    }
    if let next {
      offset = next
    } else {
      damage = MetadataError(.damaged, "a directory that ends early")
    }
    return entries == nil ? nil : page
  }
}
