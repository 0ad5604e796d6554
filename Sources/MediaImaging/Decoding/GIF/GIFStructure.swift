import MediaContainers
import MediaModel

/// A GIF's blocks, as far as its first picture needs them; all of them are walked, so that an
/// animation that ends early is found though its first picture is whole.
///
/// Source: GIF89a specification, sections 18 to 27.
struct GIFStructure {
  /// Of the canvas.
  var size = PixelSize(width: 0, height: 0)
  var frame = PixelSize(width: 0, height: 0)
  var left = 0
  var top = 0
  var isInterlaced = false
  /// The index that is transparent.
  var hiddenIndex: Int?
  var minimumCodeSize = 8
  /// Where the picture's sub-blocks begin.
  var dataOffset = 0
  private var palette: [UInt8] = []
  private var frameCount = 0

  /// - Throws: `damaged` when it ends within a block, `overLimit` for pixels and frames.
  init(
    _ bytes: UnsafeRawBufferPointer,
    limits: ImagingLimits,
    acceptDamaged: Bool
  ) throws(ImagingError) {
    let source = ByteSource(bytes)
    guard let width = source.number(at: 6, count: 2, order: .little),
      let height = source.number(at: 8, count: 2, order: .little),
      let flags = source.uint8(at: 10), source.uint8(at: 12) != nil
    else { throw ImagingError(.damaged, "no GIF header") }
    size = PixelSize(width: max(width, 1), height: max(height, 1))
    var offset = 13 + Self.tableLength(flags)
    guard offset <= bytes.count else { throw ImagingError(.damaged, "ends in its palette") }
    palette = Array(bytes[13..<offset])
    // Without a trailer, but with every block whole, nothing is missing.
    while let kind = source.uint8(at: offset), kind != 0x3B {
      let isWhole: Bool
      switch kind {
      case 0x21: isWhole = readExtension(source, &offset)
      case 0x2C: isWhole = readPicture(source, &offset)
      // What follows the last picture and is no block does not concern it; decoders stop here.
      default:
        guard frameCount > 0 else { throw ImagingError(.damaged, "block \(kind)") }
        isWhole = true
        offset = bytes.count
      }
      try limits.check(frameCount: frameCount)
      if !isWhole {
        guard acceptDamaged, frameCount > 0 else { throw ImagingError(.damaged, "ends in a block") }
        break
      }
    }
    guard frameCount > 0, frame.width > 0, frame.height > 0, !palette.isEmpty else {
      throw ImagingError(.damaged, "no picture in it")
    }
    // A picture that reaches beyond the canvas makes it larger, as readers do.
    size.width = max(size.width, left + frame.width)
    size.height = max(size.height, top + frame.height)
    try limits.check(width: size.width, height: size.height)
  }

  /// Where a row of the picture stands in its data.
  func storedRow(_ y: Int) -> Int {
    guard isInterlaced else { return y }
    let height = frame.height
    let counts = [(height + 7) / 8, (height + 3) / 8, (height + 1) / 4]
    if y % 8 == 0 { return y / 8 }
    if y % 8 == 4 { return counts[0] + y / 8 }
    if y % 4 == 2 { return counts[0] + counts[1] + y / 4 }
    return counts[0] + counts[1] + counts[2] + y / 2
  }

  /// 256 entries of three samples, or of four with alpha.
  func colors(channels: Int) -> [UInt8] {
    (0..<256).flatMap { index in
      let known = 3 * index + 2 < palette.count
      let color = known ? Array(palette[(3 * index)..<(3 * index + 3)]) : [0, 0, 0]
      return channels == 3 ? color : color + [index == hiddenIndex ? 0 : 255]
    }
  }

  private static func tableLength(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
  }

  private mutating func readExtension(_ source: ByteSource, _ offset: inout Int) -> Bool {
    if frameCount == 0, source.uint8(at: offset + 1) == 0xF9, source.uint8(at: offset + 2) == 4,
      let flags = source.uint8(at: offset + 3)
    {
      hiddenIndex = flags & 1 == 1 ? source.uint8(at: offset + 6) : nil
    }
    offset += 2
    return Self.skip(source, &offset)
  }

  private mutating func readPicture(_ source: ByteSource, _ offset: inout Int) -> Bool {
    let start = offset
    guard let flags = source.uint8(at: start + 9) else { return false }
    let length = Self.tableLength(flags)
    offset = start + 11 + length
    guard let codeSize = source.uint8(at: offset - 1) else { return false }
    frameCount += 1
    guard frameCount == 1 else { return Self.skip(source, &offset) }
    left = source.number(at: start + 1, count: 2, order: .little) ?? 0
    top = source.number(at: start + 3, count: 2, order: .little) ?? 0
    frame.width = source.number(at: start + 5, count: 2, order: .little) ?? 0
    frame.height = source.number(at: start + 7, count: 2, order: .little) ?? 0
    isInterlaced = flags & 0x40 != 0
    minimumCodeSize = codeSize
    if length > 0 {
      palette = source.bytes(in: (start + 10)..<(start + 10 + length), limit: length) ?? []
    }
    dataOffset = offset
    return Self.skip(source, &offset)
  }

  /// - Returns: Whether the sub-blocks end with one that is empty.
  private static func skip(_ source: ByteSource, _ offset: inout Int) -> Bool {
    while let count = source.uint8(at: offset) {
      offset += 1 + count
      if count == 0 { return true }
    }
    return false
  }
}
