import MediaContainers

/// Finds the Exif block among the items of a HEIC or AVIF.
///
/// Source: ISO/IEC 14496-12 sections 8.11.3 (iloc) and 8.11.6 (iinf); ISO/IEC 23008-12 annex A.2.1.
enum HEIFExifItem {
  private static let maximumExtents = 64

  /// Returns the TIFF block of the first Exif item, at most 1 MiB, or nil.
  static func block(of source: ByteSource, in meta: Range<Int>) -> [UInt8]? {
    guard let item = exifItem(of: source, in: meta),
      let iloc = ISOBoxes.first("iloc", in: meta, of: source)?.body
    else { return nil }
    let idat = ISOBoxes.first("idat", in: meta, of: source)?.body
    guard let item = data(of: item, iloc: iloc, idat: idat, of: source), item.count > 4 else {
      return nil
    }
    // The first four bytes are the offset of the TIFF header after them.
    let skipped = item[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard skipped <= item.count - 4 else { return nil }
    return Array(item[(4 + skipped)...])
  }

  private static func exifItem(
    of source: ByteSource,
    in meta: Range<Int>
  ) -> Int? {
    guard let iinf = ISOBoxes.first("iinf", in: meta, of: source)?.body,
      let version = source.byte(at: iinf.lowerBound)
    else { return nil }
    let entries = iinf.dropFirst(version == 0 ? 6 : 8)
    for box in ISOBoxes(source, in: entries) where box.type == "infe" {
      let start = box.body.lowerBound
      switch source.byte(at: start) {
      case 2 where source.code(at: start + 8) == "Exif": return source.uint16(at: start + 4)
      case 3 where source.code(at: start + 10) == "Exif": return source.uint32(at: start + 4)
      default: continue
      }
    }
    return nil
  }

  /// Returns the bytes of the item from all of its extents.
  private static func data(
    of item: Int,
    iloc: Range<Int>,
    idat: Range<Int>?,
    of source: ByteSource
  ) -> [UInt8]? {
    guard var reader = ILOCReader(source, iloc) else { return nil }
    while let entry = reader.next() {
      guard entry.item == item else { continue }
      // Construction method 0 counts from the start of the file, 1 from the start of idat; 2,
      // another item, is not used in practice.
      let place: Range<Int>
      switch entry.constructionMethod {
      case 0: place = 0..<source.length
      case 1:
        guard let idat else { return nil }
        place = idat
      default: return nil
      }
      var bytes: [UInt8] = []
      for extent in reader.extents(of: entry, limit: maximumExtents) {
        let offset = extent.offset
        guard offset <= place.count else { return nil }
        // A length of zero means all remaining bytes.
        let length = extent.length == 0 ? place.count - offset : extent.length
        let room = TIFFBlock.maximumEmbeddedLength - bytes.count
        let start = place.lowerBound + offset
        guard length <= place.count - offset,
          let part = source.bytes(in: start..<(start + min(length, room)), limit: room)
        else { return nil }
        bytes += part
      }
      return bytes
    }
    return nil
  }
}

/// Reads the entries of an iloc box in order.
private struct ILOCReader {
  struct Entry {
    var item: Int
    var constructionMethod: Int
    var baseOffset: Int
    var extents: Int
    var extentsStart: Int
  }

  private let source: ByteSource
  private let body: Range<Int>
  private let version: UInt8
  private let offsetSize: Int
  private let lengthSize: Int
  private let baseOffsetSize: Int
  private let indexSize: Int
  private var position: Int
  private var left: Int

  init?(_ source: ByteSource, _ body: Range<Int>) {
    let start = body.lowerBound
    guard let version = source.byte(at: start), version <= 2,
      let sizes = source.uint16(at: start + 4),
      let count = version < 2 ? source.uint16(at: start + 6) : source.uint32(at: start + 6)
    else { return nil }
    self.source = source
    self.body = body
    self.version = version
    offsetSize = sizes >> 12
    lengthSize = sizes >> 8 & 0xF
    baseOffsetSize = sizes >> 4 & 0xF
    indexSize = version == 0 ? 0 : sizes & 0xF
    for size in [offsetSize, lengthSize, baseOffsetSize, indexSize] where ![0, 4, 8].contains(size)
    {
      return nil
    }
    left = count
    position = start + (version < 2 ? 8 : 10)
  }

  mutating func next() -> Entry? {
    guard left > 0 else { return nil }
    left -= 1
    let hasLongItem = version == 2
    guard let item = hasLongItem ? source.uint32(at: position) : source.uint16(at: position) else {
      return nil
    }
    position += hasLongItem ? 4 : 2
    var method = 0
    if version > 0 {
      guard let word = source.uint16(at: position) else { return nil }
      method = word & 0xF
      position += 2
    }
    // The data reference index is ignored: other files are never opened.
    position += 2
    guard let base = source.unsigned(at: position, count: baseOffsetSize),
      let baseOffset = Int(exactly: base),
      let extents = source.uint16(at: position + baseOffsetSize)
    else { return nil }
    position += baseOffsetSize + 2
    let entry = Entry(
      item: item,
      constructionMethod: method,
      baseOffset: baseOffset,
      extents: extents,
      extentsStart: position
    )
    position += extents * (indexSize + offsetSize + lengthSize)
    return position <= body.upperBound ? entry : nil
  }

  func extents(of entry: Entry, limit: Int) -> [(offset: Int, length: Int)] {
    var result: [(offset: Int, length: Int)] = []
    var place = entry.extentsStart
    for _ in 0..<min(entry.extents, limit) {
      place += indexSize
      guard let offset = source.unsigned(at: place, count: offsetSize),
        let length = source.unsigned(at: place + offsetSize, count: lengthSize),
        let checkedOffset = Int(exactly: offset), let checkedLength = Int(exactly: length)
      else { return [] }
      let (sum, overflow) = entry.baseOffset.addingReportingOverflow(checkedOffset)
      guard !overflow else { return [] }
      place += offsetSize + lengthSize
      result.append((sum, checkedLength))
    }
    return result
  }
}
