import MediaContainers
import MediaModel

extension TIFFPageReader {
  /// Turns the tags of an old-style JPEG page into those of a JPEG page with the same coded data.
  ///
  /// - Returns: The strips or tiles, and whether they still are tiles.
  /// - Throws: `damaged` for missing data; `stripUnsupported` for planes, and as ``TIFFOldJPEG``.
  mutating func oldJPEG(
    _ isTiled: Bool,
    samples: Int
  ) throws(MetadataError) -> (streams: [TIFFStream], isTiled: Bool) {
    guard samples == 1 || numbers[0x011C]?.first != 2 else {
      throw MetadataError(.stripUnsupported, "old-style JPEG in planes")
    }
    if samples == 3 { set(0x0106, [6]) }
    if numbers[0x0115] == nil { set(0x0115, [samples]) }
    if numbers[0x0102] == nil { set(0x0102, [Int](repeating: 8, count: samples)) }
    let layout = try TIFFLayout(numbers, isTiled: isTiled, samples: samples)
    guard layout.count <= TIFFPage.maximumPieces, let width = numbers[0x0100]?.first,
      let height = numbers[0x0101]?.first
    else { throw MetadataError(.overLimit, "more strips or tiles than are taken apart") }
    var jpegFields: [Int: [Int]] = [:]
    for tag in TIFFOldJPEG.tags.union([0x0212]) {
      jpegFields[tag] = fields[tag].flatMap { values($0, limit: 4) }
    }
    let old = try TIFFOldJPEG(
      of: source,
      jpegFields,
      pieces: oldPieces(count: layout.count, isTiled: isTiled, stream: jpegFields[0x0201]?.first),
      sizes: (0..<layout.count).map(layout.size(ofPiece:)),
      size: PixelSize(width: width, height: height),
      samples: samples
    )
    set(0x0103, [7])
    if samples == 3 { set(0x0212, old.sampling) }
    var streams: [TIFFStream] = []
    switch old.coding {
    case .complete(let ranges):
      for range in ranges {
        streams.append(TIFFStream(parts: try TIFFJPEG.parts(of: range, in: source)))
      }
      guard ranges.count == 1 else { return (streams, isTiled) }
      for tag in [0x0142, 0x0143] { remove(tag) }
      set(0x0116, type: 4, [height])
      return (streams, false)
    case .separate(let pieces, let tables):
      keep(0x015B, type: 7, tables)
      for piece in pieces {
        guard !piece.data.isEmpty else { throw MetadataError(.damaged, "a strip without data") }
        streams.append(TIFFStream(head: piece.head, parts: [piece.data], tail: [0xFF, 0xD9]))
      }
      return (streams, isTiled)
    }
  }

  /// Returns the range of each strip or tile. Byte counts may be missing, and a stream may take the
  /// place of a single strip.
  private func oldPieces(
    count: Int,
    isTiled: Bool,
    stream: Int?
  ) throws(MetadataError) -> [Range<Int>] {
    let offsetField = fields[0x0111] ?? fields[0x0144]
    let offsets = offsetField.flatMap(all) ?? (count == 1 ? stream.map { [$0] } : nil) ?? []
    guard offsets.count >= count else { throw MetadataError(.damaged, "no place for the pixels") }
    let counts = (fields[0x0117] ?? fields[0x0145]).flatMap(all) ?? []
    var pieces: [Range<Int>] = []
    for (index, offset) in offsets.prefix(count).enumerated() {
      let next = index + 1 < count ? offsets[index + 1] : source.length
      // A number of 64 bits with the highest one set is negative here.
      guard offset >= 8, next >= 0 else {
        throw MetadataError(.damaged, "a strip that ends early")
      }
      let length = counts.count >= count && offsetField != nil ? counts[index] : next - offset
      guard length > 0, source.length - offset >= length else {
        throw MetadataError(.damaged, "a strip that ends early")
      }
      pieces.append(offset..<(offset + length))
    }
    return pieces
  }
}
