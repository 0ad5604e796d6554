import MediaCodecs
import MediaContainers
import MediaModel

/// Decodes a QOI, row by row.
///
/// The decoder of Debian's libqoi takes memory for the whole picture, and does not say that a file ends
/// early. The color space in the header is not applied, as it is informative.
///
/// Source: "The Quite OK Image Format", specification version 1.0 (qoiformat.org).
final class QOIDecoder: PictureDecoder {
  private let reducer = PixelReducer()
  private let rowBuffer = PlaneBuffer()

  func trim(above byteCount: Int) {
    reducer.trim(above: byteCount)
    if rowBuffer.capacity > byteCount { rowBuffer.release() }
  }

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    let source = ByteSource(request.bytes)
    guard let header = QOIHeader(of: source) else { throw ImagingError(.damaged, "no header") }
    let size = header.size
    try request.limits.check(width: size.width, height: size.height)
    if !request.acceptDamaged, let part = header.missingPart(of: source) {
      throw ImagingError(.damaged, "it ends early; missing: \(part)")
    }
    let layout: PixelLayout = header.channelCount == 4 ? .rgba : .rgb
    try reducer.begin(
      size: size,
      layout: layout,
      factor: PixelReducer.factor(for: request.demand.scale(for: size))
    )
    let row = try rowBuffer.reserve(size.width * layout.channelCount)
    row.update(repeating: 0, count: size.width * layout.channelCount)
    var pixels = QOIPixels(UnsafeRawBufferPointer(rebasing: request.bytes[QOIHeader.length...]))
    for y in 0..<size.height {
      let count = pixels.read(size.width, into: row, channelCount: layout.channelCount)
      if count < size.width, !request.acceptDamaged || y == 0 && count == 0 {
        throw ImagingError(.damaged, "\(y * size.width + count) pixels")
      }
      // The rest of an accepted picture is gray.
      if count == 0 { break }
      try reducer.add(row)
    }
    return DecodedPicture(planar: try reducer.finish(), size: size, profile: nil)
  }
}

/// The pixels of a QOI's chunks, one after the other.
struct QOIPixels {
  private let chunks: UnsafeRawBufferPointer
  private var offset = 0
  /// How often the last pixel comes again.
  private var repeats = 0
  /// Red, green, blue and alpha.
  private var pixel = SIMD4<UInt8>(0, 0, 0, 255)
  /// The last pixel of each hash.
  private var recent = [SIMD4<UInt8>](repeating: .zero, count: 64)

  /// Creates a reader of the bytes behind a header, which it reads while it is used.
  init(_ chunks: UnsafeRawBufferPointer) { self.chunks = chunks }

  /// Writes the next pixels, 3 or 4 bytes each, and returns how many there were.
  mutating func read(
    _ count: Int,
    into row: UnsafeMutablePointer<UInt8>,
    channelCount: Int
  ) -> Int {
    for x in 0..<count {
      if repeats > 0 { repeats -= 1 } else if !readChunk() { return x }
      for channel in 0..<channelCount { row[x &* channelCount &+ channel] = pixel[channel] }
    }
    return count
  }

  /// Reads the next pixel; false at the end.
  private mutating func readChunk() -> Bool {
    guard offset < chunks.count else { return false }
    let tag = chunks[offset]
    let length = QOIHeader.length(of: tag)
    guard length <= chunks.count - offset else { return false }
    switch tag {
    case 0xFE, 0xFF:
      for channel in 0..<(length - 1) { pixel[channel] = chunks[offset + 1 + channel] }
    case ..<0x40: pixel = recent[Int(tag)]
    case ..<0x80:
      pixel &+= SIMD4(tag >> 4 & 3 &- 2, tag >> 2 & 3 &- 2, tag & 3 &- 2, 0)
    case ..<0xC0:
      let (green, others) = (tag & 0x3F &- 32, chunks[offset + 1])
      let red = green &- 8 &+ (others >> 4)
      pixel &+= SIMD4(red, green, green &- 8 &+ (others & 0xF), 0)
    default: repeats = Int(tag & 0x3F)
    }
    offset += length
    let hash = SIMD4<Int>(truncatingIfNeeded: pixel) &* SIMD4(3, 5, 7, 11)
    recent[hash.wrappedSum() & 63] = pixel
    return true
  }
}
