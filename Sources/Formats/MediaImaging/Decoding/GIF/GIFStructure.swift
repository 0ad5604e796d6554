import MediaContainers
import MediaModel

/// The parts of a GIF that decoding its first picture needs.
///
/// All blocks are read, so that an animation that ends early is found although its first picture is
/// whole.
///
/// Source: GIF89a specification, sections 18 to 27.
struct GIFStructure {
  /// The size of the canvas.
  let size: PixelSize
  /// The first picture.
  let image: GIFImage
  /// The index that is transparent.
  let hiddenIndex: Int?
  private let palette: [UInt8]

  /// Reads the blocks.
  ///
  /// - Throws: `damaged` when the file ends within a block, `overLimit` for pixels and frames.
  init(
    _ bytes: UnsafeRawBufferPointer,
    limits: ImagingLimits,
    acceptDamaged: Bool
  ) throws(ImagingError) {
    let source = ByteSource(bytes)
    guard var parser = try? GIFParser(source, isLenient: true) else {
      throw ImagingError(.damaged, "no GIF header, or no palette")
    }
    var first: GIFImage?
    var hiddenIndex: Int?
    var frameCount = 0
    // Without a trailer, but with every block whole, nothing is missing; other bytes after the last
    // picture do not concern it: decoders stop there.
    blocks: while let block = try? parser.next() {
      switch block {
      case .graphicControl(let range) where first == nil:
        let flags = source.uint8(at: range.lowerBound + 3) ?? 0
        hiddenIndex = flags & 1 == 1 ? source.uint8(at: range.lowerBound + 6) : nil
      case .image(let image):
        if first == nil { first = image }
        frameCount += 1
        try limits.check(frameCount: frameCount)
      case .padding: break blocks
      default: continue
      }
    }
    guard let image = first, acceptDamaged || !parser.isCutShort else {
      throw ImagingError(.damaged, "no picture in it, or ends in a block")
    }
    let colors = image.colorTable.isEmpty ? parser.globalColorTable : image.colorTable
    guard image.pixelCount > 0, !colors.isEmpty else {
      throw ImagingError(.damaged, "no picture in it")
    }
    self.image = image
    self.hiddenIndex = hiddenIndex
    palette = Array(bytes[colors])
    // A picture that reaches beyond the canvas makes it larger, as readers do.
    size = PixelSize(
      width: max(parser.screenSize.width, image.left + image.size.width),
      height: max(parser.screenSize.height, image.top + image.size.height)
    )
    try limits.check(width: size.width, height: size.height)
  }

  /// Returns where a row of the picture is among the stored rows.
  func storedRow(_ y: Int) -> Int {
    guard image.isInterlaced else { return y }
    let height = image.size.height
    let counts = [(height + 7) / 8, (height + 3) / 8, (height + 1) / 4]
    if y % 8 == 0 { return y / 8 }
    if y % 8 == 4 { return counts[0] + y / 8 }
    if y % 4 == 2 { return counts[0] + counts[1] + y / 4 }
    return counts[0] + counts[1] + counts[2] + y / 2
  }

  /// Returns 256 entries of three samples, or of four with alpha.
  func colors(channels: Int) -> [UInt8] {
    (0..<256).flatMap { index in
      let isInPalette = 3 * index + 2 < palette.count
      let color = isInPalette ? Array(palette[(3 * index)..<(3 * index + 3)]) : [0, 0, 0]
      return channels == 3 ? color : color + [index == hiddenIndex ? 0 : 255]
    }
  }
}
