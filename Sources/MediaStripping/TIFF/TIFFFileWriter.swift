import MediaContainers

/// Writes the directories of a TIFF whose pixels follow them.
///
/// Source: TIFF 6.0 section 2.
struct TIFFFileWriter {
  private let order: ByteOrder
  private let pages: [TIFFPage]
  private let plan: TIFFDataPlan

  init(order: ByteOrder, pages: [TIFFPage], plan: TIFFDataPlan) {
    self.order = order
    self.pages = pages
    self.plan = plan
  }

  /// Returns everything before the pixels.
  ///
  /// - Throws: `overLimit` when the file would exceed 32-bit offsets.
  func head() throws(MetadataError) -> [UInt8] {
    let length = pages.reduce(8) { $0 + size(of: $1) }
    guard length + plan.length <= Int(UInt32.max) else {
      throw MetadataError(.overLimit, "too long for a TIFF")
    }
    var bytes: [UInt8] = order == .big ? [0x4D, 0x4D] : [0x49, 0x49]
    bytes.reserveCapacity(length)
    bytes += 42.bytes(2, order) + 8.bytes(4, order)
    for (index, page) in pages.enumerated() {
      append(page, isLast: index == pages.count - 1, pixels: length, to: &bytes)
    }
    return bytes
  }

  private func size(of page: TIFFPage) -> Int {
    let pointers = [TIFFField](repeating: Self.long(0, 0, order), count: page.directories.count)
    return Self.size(of: page.tags + pointers) + 2 * (12 + Self.outside(4 * page.pieces.count))
      + page.directories.reduce(0) { $0 + Self.size(of: $1.fields) }
  }

  /// Returns the size of a directory with the values that follow it.
  private static func size(of tags: [TIFFField]) -> Int {
    tags.reduce(2 + 4) { $0 + 12 + outside($1.value.count) }
  }

  /// Returns the number of bytes that follow the directory for a value of `count` bytes.
  private static func outside(_ count: Int) -> Int {
    count <= 4 ? 0 : count + count % 2
  }

  private static func long(_ tag: Int, _ value: Int, _ order: ByteOrder) -> TIFFField {
    TIFFField(tag: tag, type: 4, count: 1, value: value.bytes(4, order))
  }

  private func append(_ page: TIFFPage, isLast: Bool, pixels: Int, to bytes: inout [UInt8]) {
    var offsets: [UInt8] = []
    var counts: [UInt8] = []
    for piece in page.pieces {
      let place = piece.isEmpty ? (offset: -pixels, length: 0) : plan.place(of: piece)
      offsets += (pixels + place.offset).bytes(4, order)
      counts += place.length.bytes(4, order)
    }
    let count = page.pieces.count
    var tags = page.tags
    tags.append(
      TIFFField(tag: page.isTiled ? 0x0144 : 0x0111, type: 4, count: count, value: offsets)
    )
    tags.append(
      TIFFField(tag: page.isTiled ? 0x0145 : 0x0117, type: 4, count: count, value: counts)
    )
    let end = bytes.count + size(of: page)
    var place = end
    for directory in page.directories.reversed() {
      place -= Self.size(of: directory.fields)
      tags.append(Self.long(directory.pointer, place, order))
    }
    append(tags, next: isLast ? 0 : end, to: &bytes)
    for directory in page.directories { append(directory.fields, next: 0, to: &bytes) }
  }

  /// Appends a directory with the values that follow it, each at an even offset.
  private func append(_ tags: [TIFFField], next: Int, to bytes: inout [UInt8]) {
    let tags = tags.sorted { $0.tag < $1.tag }
    var place = bytes.count + 2 + 12 * tags.count + 4
    bytes += tags.count.bytes(2, order)
    for tag in tags {
      bytes += tag.tag.bytes(2, order)
      bytes += tag.type.bytes(2, order)
      bytes += tag.count.bytes(4, order)
      if tag.value.count <= 4 {
        bytes += tag.value + [UInt8](repeating: 0, count: 4 - tag.value.count)
      } else {
        bytes += place.bytes(4, order)
        place += Self.outside(tag.value.count)
      }
    }
    bytes += next.bytes(4, order)
    for tag in tags where tag.value.count > 4 {
      bytes += tag.value
      if tag.value.count % 2 == 1 { bytes.append(0) }
    }
  }
}
