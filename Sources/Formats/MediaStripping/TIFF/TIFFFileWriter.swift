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
    var bytes = TIFFWriter.header(order)
    bytes.reserveCapacity(length)
    for (index, page) in pages.enumerated() {
      append(page, isLast: index == pages.count - 1, pixels: length, to: &bytes)
    }
    return bytes
  }

  private func size(of page: TIFFPage) -> Int {
    let pointers = page.directories.map { TIFFField.long($0.pointer, 0) }
    return TIFFWriter.length(of: page.tags + pointers)
      + 2 * (12 + TIFFWriter.length(ofValue: 4 * page.pieces.count))
      + page.directories.reduce(0) { $0 + TIFFWriter.length(of: $1.fields) }
  }

  private func append(_ page: TIFFPage, isLast: Bool, pixels: Int, to bytes: inout [UInt8]) {
    var offsets: [UInt8] = []
    var counts: [UInt8] = []
    for piece in page.pieces {
      let written = piece.isEmpty ? (offset: -pixels, length: 0) : plan.extent(of: piece)
      offsets += (pixels + written.offset).bytes(4, order)
      counts += written.length.bytes(4, order)
    }
    let count = page.pieces.count
    var tags = page.tags
    tags.append(
      TIFFField(tag: TIFFTag.offsets(isTiled: page.isTiled), type: 4, count: count, value: offsets)
    )
    tags.append(
      TIFFField(tag: TIFFTag.byteCounts(isTiled: page.isTiled), type: 4, count: count, value: counts)
    )
    let end = bytes.count + size(of: page)
    var offset = end
    for directory in page.directories.reversed() {
      offset -= TIFFWriter.length(of: directory.fields)
      tags.append(.long(directory.pointer, offset, order))
    }
    let next = isLast ? 0 : end
    bytes += TIFFWriter.directory(tags, at: bytes.count, next: next, order: order)
    for directory in page.directories {
      bytes += TIFFWriter.directory(directory.fields, at: bytes.count, order: order)
    }
  }
}
