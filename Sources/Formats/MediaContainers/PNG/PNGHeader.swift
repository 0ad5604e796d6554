package import MediaModel

/// The header data of a PNG and the location of its Exif block.
package struct PNGHeader {
  /// The size of the picture in pixels.
  package var pixelSize: PixelSize
  /// The color type of the IHDR.
  ///
  /// Source: PNG (3rd edition) table 11.1.
  package var colorType: Int
  /// The TIFF block of the first eXIf chunk, which may also follow the picture data.
  package var exif: Range<Int>?
  /// A text chunk that holds an Exif block in hexadecimal, used before the eXIf chunk existed.
  package var rawProfile: PNGChunk?
  /// The animation of an APNG; PNG (3rd edition) section 11.3.6.
  package var animation = AnimationLength()
  /// Whether an acTL before the picture announces frames, whose fcTL may stand before it.
  package var isAnimated = false

  /// Reads the IHDR and the chunks with Exif or animation data.
  ///
  /// - Throws: `damaged` when there is no valid IHDR. A file that ends early is not an error here.
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
    var sawPicture = false
    while let chunk = try? parser.next() {
      switch chunk.type {
      case "IDAT": sawPicture = true
      case "acTL": isAnimated = isAnimated || !sawPicture && chunk.data.count == 8
      case "eXIf" where exif == nil: exif = Self.block(chunk, in: source)
      case "tEXt" where rawProfile == nil, "zTXt" where rawProfile == nil:
        if PNGRawProfile.isExif(chunk, in: source) { rawProfile = chunk }
      case "fcTL": animation.add(milliseconds: Self.milliseconds(chunk, in: source))
      default: continue
      }
    }
  }

  /// Returns the duration of one frame of an animation in milliseconds.
  private static func milliseconds(
    _ chunk: PNGChunk,
    in source: ByteSource
  ) -> Int {
    guard chunk.data.count >= 24, let numerator = source.uint16(at: chunk.data.lowerBound + 20),
      let denominator = source.uint16(at: chunk.data.lowerBound + 22)
    else { return 0 }
    // A denominator of 0 means hundredths of a second.
    return numerator * 1000 / (denominator == 0 ? 100 : denominator)
  }

  /// Returns the range of the TIFF block; some writers put JPEG's Exif identifier before it.
  private static func block(
    _ chunk: PNGChunk,
    in source: ByteSource
  ) -> Range<Int> {
    let isPrefixed = chunk.data.count > 6 && source.holds("Exif\0\0", at: chunk.data.lowerBound)
    return chunk.data.dropFirst(isPrefixed ? 6 : 0)
  }
}
