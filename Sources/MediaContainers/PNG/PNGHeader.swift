package import MediaModel

/// What a PNG says before its picture, and where its Exif block is.
package struct PNGHeader {
  package var pixelSize: PixelSize
  /// Source: PNG (3rd edition) table 11.1.
  package var colorType: Int
  /// The TIFF block of the first eXIf chunk, which may also stand after the picture.
  package var exif: Range<Int>?
  /// A text that holds an Exif block in hexadecimal, from before there was an eXIf chunk.
  package var rawProfile: PNGChunk?
  /// Of an APNG; PNG (3rd edition) section 11.3.6.
  package var animation = AnimationLength()

  /// - Throws: `damaged` when there is no header that makes sense. A file that ends early is no error
  ///   here.
  package init(of source: ByteSource) throws(MetadataError) {
    var parser = try PNGParser(source)
    guard let first = try parser.next(), first.type == "IHDR", first.data.count == 13,
      let width = source.uint32(at: first.data.lowerBound),
      let height = source.uint32(at: first.data.lowerBound + 4),
      let colorType = source.uint8(at: first.data.lowerBound + 9),
      (1..<(1 << 31)).contains(width), (1..<(1 << 31)).contains(height)
    else { throw MetadataError(.damaged, "no IHDR that makes sense") }
    pixelSize = PixelSize(width: width, height: height)
    self.colorType = colorType
    while let chunk = try? parser.next() {
      switch chunk.type {
      case "eXIf" where exif == nil: exif = Self.block(chunk, in: source)
      case "tEXt" where rawProfile == nil, "zTXt" where rawProfile == nil:
        if PNGRawProfile.isExif(chunk, in: source) { rawProfile = chunk }
      case "fcTL": animation.add(milliseconds: Self.milliseconds(chunk, in: source))
      default: continue
      }
    }
  }

  /// How long a picture of an animation is shown.
  private static func milliseconds(
    _ chunk: PNGChunk,
    in source: ByteSource
  ) -> Int {
    guard chunk.data.count >= 24, let numerator = source.uint16(at: chunk.data.lowerBound + 20),
      let denominator = source.uint16(at: chunk.data.lowerBound + 22)
    else { return 0 }
    // 0 stands for hundredths of a second.
    return numerator * 1000 / (denominator == 0 ? 100 : denominator)
  }

  /// Some writers put JPEG's identifier before the block.
  private static func block(
    _ chunk: PNGChunk,
    in source: ByteSource
  ) -> Range<Int> {
    let isPrefixed = chunk.data.count > 6 && source.holds("Exif\0\0", at: chunk.data.lowerBound)
    return chunk.data.dropFirst(isPrefixed ? 6 : 0)
  }
}
