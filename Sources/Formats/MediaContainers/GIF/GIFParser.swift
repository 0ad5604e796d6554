package import MediaModel

/// A block of a GIF after its logical screen.
package enum GIFBlock {
  /// Eight bytes with the delay, disposal and transparency of the next picture.
  case graphicControl(Range<Int>)
  /// A picture.
  case image(GIFImage)
  /// The number of times an animation is shown; 0 means forever.
  case loop(count: Int)
  /// An XMP extension and the range of its packet.
  case xmp(Range<Int>, packet: Range<Int>)
  /// Any other extension, by its common name.
  case other(name: String)
  /// Zero bytes that some writers leave between blocks.
  case padding(count: Int)
}

/// A picture of a GIF.
package struct GIFImage {
  /// The ten bytes from 0x2C to the flags.
  package var descriptor: Range<Int>
  /// The column of the first pixel on the screen.
  package var left: Int
  /// The row of the first pixel on the screen.
  package var top: Int
  /// The size in pixels.
  package var size: PixelSize
  /// Whether the rows are stored in four passes.
  package var isInterlaced: Bool
  /// The local color table; empty when the picture uses the global table.
  package var colorTable: Range<Int>
  /// The LZW minimum code size.
  package var codeSize: Int
  /// The range from the first sub-block's length to the terminating zero.
  package var data: Range<Int>

  /// The number of pixels.
  package var pixelCount: Int { size.width * size.height }
}

/// Parses a GIF front to back, from its header to its trailer.
///
/// Source: GIF89a sections 17 to 27.
package struct GIFParser {
  private let source: ByteSource
  private let isLenient: Bool
  private var position: Int

  /// Whether the bytes end within a block, in a lenient reading.
  package private(set) var isCutShort = false
  /// The thirteen bytes of the header and the logical screen.
  package let screen: Range<Int> = 0..<13
  /// The size of the logical screen in pixels; some writers leave it empty.
  package let screenSize: PixelSize
  /// The global color table; empty when there is none.
  package let globalColorTable: Range<Int>

  /// The current offset; after the last block, the offset after the trailer.
  package var offset: Int { position }

  /// Creates a parser that starts after the logical screen.
  ///
  /// A lenient reading ends where the bytes do, or a block of unknown kind begins, and accepts what
  /// decoders overlook in a block.
  ///
  /// - Throws: `damaged` when there is no logical screen, or its color table ends early.
  package init(_ source: ByteSource, isLenient: Bool = false) throws(MetadataError) {
    guard source.holds("GIF87a", at: 0) || source.holds("GIF89a", at: 0),
      let width = source.uint16(at: 6, order: .little),
      let height = source.uint16(at: 8, order: .little), let flags = source.uint8(at: 10)
    else { throw MetadataError(.damaged, "no logical screen") }
    screenSize = PixelSize(width: width, height: height)
    globalColorTable = 13..<(13 + Self.tableLength(flags))
    position = globalColorTable.upperBound
    guard position <= source.length else {
      throw MetadataError(.damaged, "a color table that ends early")
    }
    self.source = source
    self.isLenient = isLenient
  }

  /// Returns the next block, or nil after the trailer. A file without a trailer, as some writers
  /// leave it, may also end after a block.
  ///
  /// - Throws: `damaged` when the bytes end within a block, or no block starts at the offset.
  package mutating func next() throws(MetadataError) -> GIFBlock? {
    switch source.byte(at: position) {
    case 0x2C: return try image()
    case 0x21: return try extensionBlock()
    case 0x3B:
      position += 1
      return nil
    case 0:
      let start = position
      while source.byte(at: position) == 0 { position += 1 }
      return .padding(count: position - start)
    case nil: return nil
    default:
      if isLenient { return nil }
      throw MetadataError(.damaged, "a block of unknown kind")
    }
  }

  private static func tableLength(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
  }

  private mutating func image() throws(MetadataError) -> GIFBlock? {
    let start = position
    func number(_ offset: Int) -> Int { source.uint16(at: start + offset, order: .little) ?? 0 }
    guard let flags = source.uint8(at: start + 9) else {
      isCutShort = true
      position = source.length
      if isLenient { return nil }
      throw MetadataError(.damaged, "an image that ends early")
    }
    let table = (start + 10)..<(start + 10 + Self.tableLength(flags))
    let codeSize = source.uint8(at: table.upperBound)
    guard isLenient || codeSize != nil else {
      throw MetadataError(.damaged, "an image that ends early")
    }
    let size = PixelSize(width: number(5), height: number(7))
    guard isLenient || size.width > 0 && size.height > 0 else {
      throw MetadataError(.damaged, "an image of no size")
    }
    guard isLenient || (1...8).contains(codeSize ?? 0) else {
      throw MetadataError(.damaged, "an impossible LZW code size")
    }
    position = table.upperBound + 1
    let data = try subBlocks()
    return .image(
      GIFImage(
        descriptor: start..<(start + 10),
        left: number(1),
        top: number(3),
        size: size,
        isInterlaced: flags & 0x40 != 0,
        colorTable: table.clamped(to: 0..<source.length),
        codeSize: codeSize ?? 0,
        data: data
      )
    )
  }

  private mutating func extensionBlock() throws(MetadataError) -> GIFBlock {
    let start = position
    let label = source.byte(at: start + 1)
    position += 2
    let data = try subBlocks()
    switch label {
    case 0xF9:
      guard source.byte(at: data.lowerBound) == 4, isLenient || data.count == 6 else {
        if isLenient { return .other(name: "extension") }
        throw MetadataError(.damaged, "a graphic control of impossible length")
      }
      return .graphicControl(start..<data.upperBound)
    case 0xFE: return .other(name: "comment")
    case 0x01: return .other(name: "plain text")
    case 0xFF: return application(data, in: start..<data.upperBound)
    default: return .other(name: "extension")
    }
  }

  /// Parses an application extension; NETSCAPE2.0 and ANIMEXTS1.0 are the two that make an
  /// animation repeat.
  private func application(_ data: Range<Int>, in whole: Range<Int>) -> GIFBlock {
    let start = data.lowerBound
    guard source.byte(at: start) == 11 else { return .other(name: "application extension") }
    let isLoop =
      source.holds("NETSCAPE2.0", at: start + 1) || source.holds("ANIMEXTS1.0", at: start + 1)
    if isLoop, source.byte(at: start + 12) == 3, source.uint8(at: start + 13).map({ $0 & 7 }) == 1,
      let count = source.uint16(at: start + 14, order: .little)
    {
      return .loop(count: count)
    }
    // The packet is not split into sub-blocks; its bytes, taken as lengths, lead into the 257
    // bytes of the trailer, which lead to the end.
    let packet = (start + 12)..<max(start + 12, whole.upperBound - GIFXMP.trailer.count)
    if source.holds("XMP DataXMP", at: start + 1) { return .xmp(whole, packet: packet) }
    if source.holds("ICCRGBG1012", at: start + 1) { return .other(name: "ICC profile") }
    return .other(name: "application extension")
  }

  /// Skips sub-blocks and the terminating zero.
  private mutating func subBlocks() throws(MetadataError) -> Range<Int> {
    let start = position
    while let length = source.uint8(at: position) {
      position += 1 + length
      if length == 0 { return start..<position }
    }
    isCutShort = true
    position = source.length
    if isLenient { return start..<max(start, position) }
    throw MetadataError(.damaged, "data that end early")
  }
}
