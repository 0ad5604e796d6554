import MediaContainers

private typealias Tag = TIFFTag

extension TIFFPageReader {
  /// Returns the range of each strip or tile.
  mutating func pieces(
    isTiled: Bool,
    compression: Int,
    samples: Int
  ) throws(MetadataError) -> [Range<Int>] {
    let layout = try TIFFLayout(numbers, isTiled: isTiled, samples: samples)
    let wanted = layout.count
    guard wanted <= TIFFPage.maximumPieces else {
      throw MetadataError(.overLimit, "more strips or tiles than are taken apart")
    }
    // Some writers use the tags of strips for tiles, and libtiff reads them.
    guard
      let offsetField = fields[Tag.offsets(isTiled: isTiled)]
        ?? fields[Tag.offsets(isTiled: !isTiled)],
      offsetField.count <= 2 * wanted + 16,
      let offsets = all(offsetField), offsets.count >= wanted
    else { throw MetadataError(.damaged, "no place for the pixels") }
    let counts: [Int]
    if let countField = fields[Tag.byteCounts(isTiled: isTiled)]
      ?? fields[Tag.byteCounts(isTiled: !isTiled)]
    {
      guard countField.count <= 2 * wanted + 16, let lengths = all(countField),
        lengths.count >= wanted
      else { throw MetadataError(.damaged, "byte counts that cannot be") }
      counts = lengths
    } else {
      guard compression == 1 else { throw MetadataError(.damaged, "no byte counts") }
      counts = (0..<wanted).map { layout.byteCount(ofPiece: $0) }
    }
    let isExact = compression == 1 && numbers[Tag.photometricInterpretation]?.first != 6
    var pieces: [Range<Int>] = []
    pieces.reserveCapacity(wanted)
    var isShortened = false
    for index in 0..<wanted {
      var count = counts[index]
      if count == 0, offsets[index] == 0, isTiled {
        pieces.append(0..<0)
        continue
      }
      if isExact {
        // No decoder reads the bytes after a strip's last row.
        let needed = layout.byteCount(ofPiece: index)
        guard count >= needed else { throw MetadataError(.damaged, "a strip that ends early") }
        isShortened = isShortened || count > needed
        count = needed
      }
      guard offsets[index] >= 8, count > 0, source.length - offsets[index] >= count else {
        throw MetadataError(.damaged, "a strip that ends early")
      }
      pieces.append(offsets[index]..<(offsets[index] + count))
    }
    if isShortened { note("bytes behind a strip") }
    return pieces
  }

  /// Returns all offsets or byte counts of a page.
  private func all(_ field: TIFFFileField) -> [Int]? {
    field.count == 1
      ? values(field, limit: 1) : values(field, limit: 2 * TIFFPage.maximumPieces + 16)
  }
}
