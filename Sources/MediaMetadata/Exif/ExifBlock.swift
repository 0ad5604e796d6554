import MediaContainers

/// A rewritten Exif block that holds only the few entries that become facts.
///
/// libexif reads this copy and never the block of the file: a directory that contains itself,
/// 65,535 entries that each point to the same megabyte, or a maker note made to break its parser
/// cost one bounded walk here, and do not reach it.
struct ExifBlock {
  /// The longest text in bytes that is passed to libexif; a longer one is cut.
  private static let maximumTextLength = 1024

  private struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    var value: [UInt8]
  }

  private static let imageTags: Set<Int> = [0x010F, 0x0110, 0x0112, 0x0132]
  private static let exifTags: Set<Int> = [0x9003, 0x9004, 0x9010, 0x9011, 0x9012]
  private static let locationTags: Set<Int> = [1, 2, 3, 4]
  private static let exifDirectory = 0x8769
  private static let locationDirectory = 0x8825
  private static let makerNote = 0x927C

  /// The bytes of the block: "Exif\0\0" and a TIFF structure of at most three directories.
  private(set) var bytes: [UInt8] = []
  /// The range of the maker note in the source, when there is one.
  private(set) var makerNote: Range<Int>?

  /// Walks IFD0, its Exif and its GPS directory, each once.
  init(of block: TIFFBlock) {
    var exifOffset: Int?
    var locationOffset: Int?
    var note: Range<Int>?
    var image: [Entry] = []
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      switch entry.tag {
      case Self.exifDirectory: exifOffset = exifOffset ?? block.number(entry)
      case Self.locationDirectory: locationOffset = locationOffset ?? block.number(entry)
      default: Self.take(entry, of: block, from: Self.imageTags, into: &image)
      }
    }
    var exif: [Entry] = []
    if let exifOffset, exifOffset != block.firstDirectory {
      block.forEachEntry(ofDirectoryAt: exifOffset) { entry in
        if entry.tag == Self.makerNote, note == nil { note = entry.value }
        Self.take(entry, of: block, from: Self.exifTags, into: &exif)
      }
    }
    var location: [Entry] = []
    if let locationOffset, locationOffset != block.firstDirectory {
      block.forEachEntry(ofDirectoryAt: locationOffset) { entry in
        Self.take(entry, of: block, from: Self.locationTags, into: &location)
      }
    }
    makerNote = note
    bytes = Self.write(image: image, exif: exif, location: location, order: block.order)
  }

  /// Takes the first entry of each wanted tag.
  private static func take(
    _ entry: TIFFEntry,
    of block: TIFFBlock,
    from wanted: Set<Int>,
    into entries: inout [Entry]
  ) {
    guard wanted.contains(entry.tag), !entries.contains(where: { $0.tag == entry.tag }) else {
      return
    }
    let isText = entry.type == 2
    var range = entry.value
    if isText { range = range.prefix(maximumTextLength) }
    guard let value = block.source.bytes(in: range, limit: maximumTextLength) else { return }
    let count = isText ? value.count : entry.count
    entries.append(Entry(tag: entry.tag, type: entry.type, count: count, value: value))
  }

  private static func write(
    image: [Entry],
    exif: [Entry],
    location: [Entry],
    order: ByteOrder
  ) -> [UInt8] {
    // Both pointers are always written, so that the size of the first directory is known
    // beforehand.
    let pointerSize = 2 * 12
    let exifOffset = 8 + size(of: image) + pointerSize
    let locationOffset = exifOffset + size(of: exif)
    let pointers = [(exifDirectory, exifOffset), (locationDirectory, locationOffset)].map {
      Entry(tag: $0.0, type: 4, count: 1, value: number($0.1, count: 4, order: order))
    }
    var bytes = Array((order == .big ? "MM" : "II").utf8)
    bytes += number(42, count: 2, order: order) + number(8, count: 4, order: order)
    bytes += directory(image + pointers, at: 8, order: order)
    bytes += directory(exif, at: exifOffset, order: order)
    bytes += directory(location, at: locationOffset, order: order)
    return Array("Exif\0\0".utf8) + bytes
  }

  private static func size(of entries: [Entry]) -> Int {
    entries.reduce(2 + 4) { $0 + 12 + ($1.value.count > 4 ? $1.value.count : 0) }
  }

  private static func directory(_ entries: [Entry], at offset: Int, order: ByteOrder) -> [UInt8] {
    let sorted = entries.sorted { $0.tag < $1.tag }
    var head = number(sorted.count, count: 2, order: order)
    var values: [UInt8] = []
    let valuesOffset = offset + 2 + 12 * sorted.count + 4
    for entry in sorted {
      head += number(entry.tag, count: 2, order: order) + number(entry.type, count: 2, order: order)
      head += number(entry.count, count: 4, order: order)
      if entry.value.count > 4 {
        head += number(valuesOffset + values.count, count: 4, order: order)
        values += entry.value
      } else {
        head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      }
    }
    return head + [0, 0, 0, 0] + values
  }

  private static func number(_ value: Int, count: Int, order: ByteOrder) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return order == .little ? little : little.reversed()
  }
}
