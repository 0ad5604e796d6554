import MediaModel

/// A block in hexadecimal within a text chunk, as ImageMagick and, for some files, exiftool write Exif,
/// XMP, IPTC and other blocks.
///
/// Source: `Magick_png_write_raw_profile` of ImageMagick's coders/png.c.
package enum PNGRawProfile {
  private static let keywords = ["Raw profile type exif\0", "Raw profile type APP1\0"]
  /// The longest text that is read, in bytes: two digits per byte and line breaks, for the longest
  /// block.
  private static let maximumTextLength = 3 * TIFFBlock.maximumEmbeddedLength

  static func isExif(_ chunk: PNGChunk, in source: ByteSource) -> Bool {
    keywords.contains {
      chunk.data.count > $0.utf8.count && source.holds($0, at: chunk.data.lowerBound)
    }
  }

  /// Returns whether a text chunk holds a block of any kind.
  package static func isBlock(_ chunk: PNGChunk, in source: ByteSource) -> Bool {
    source.holds("Raw profile type ", at: chunk.data.lowerBound)
  }

  /// Returns the TIFF block, or nil when the text holds something else.
  package static func block(_ chunk: PNGChunk, in source: ByteSource) -> [UInt8]? {
    // ImageMagick writes JPEG's Exif identifier first, other programs do not.
    bytes(chunk, in: source).map { bytes in
      Array(bytes.dropFirst(bytes.starts(with: "Exif\0\0".utf8) ? 6 : 0))
    }
  }

  /// Returns the bytes of a block of any kind, or nil when the text has none.
  package static func bytes(_ chunk: PNGChunk, in source: ByteSource) -> [UInt8]? {
    let keyword = PNGKeyword(chunk, in: source)
    guard let text = try? keyword?.bytes(of: source, limit: maximumTextLength) else { return nil }
    // The text is a line break, the profile's name, its length in decimal, and the digits.
    let lines = text.split(separator: UInt8.newline, maxSplits: 2, omittingEmptySubsequences: true)
    guard lines.count == 3 else { return nil }
    return Array(hexadecimal(lines[2]).prefix(TIFFBlock.maximumEmbeddedLength + 6))
  }

  private static func hexadecimal(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let digits = text.compactMap(Hexadecimal.value(of:))
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
