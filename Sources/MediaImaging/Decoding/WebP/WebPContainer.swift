import MediaContainers
import MediaModel

/// The chunks of a WebP file that a thumbnail needs.
///
/// Source: RFC 9649 section 2.
struct WebPContainer {
  /// A bitstream, preceded by its alpha chunk if it has one, and its position on the canvas.
  struct Frame {
    var data: Range<Int>
    var left = 0
    var top = 0
    var size: PixelSize?
  }

  /// The canvas size; nil without a `VP8X` chunk.
  private(set) var canvas: PixelSize?
  /// The picture, or the first frame of an animation.
  private(set) var frame: Frame?
  private(set) var frameCount = 0
  private(set) var profile: Range<Int>?
  /// Whether a chunk or the file ends early.
  private(set) var isCut = false

  /// Reads the chunks.
  ///
  /// - Throws: `damaged` if the file is not a WebP.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    let file = ByteSource(bytes)
    guard file.holds("RIFF", at: 0), file.holds("WEBP", at: 8),
      let length = file.uint32(at: 4, order: .little)
    else { throw ImagingError(.damaged, "no WebP header") }
    isCut = length + 8 > bytes.count
    let source = ByteSource(file, 0..<(length + 8))
    for chunk in RIFFChunks(source) {
      if chunk.data.count < chunk.declaredLength { isCut = true }
      add(chunk, of: source)
    }
    guard frame != nil else { throw ImagingError(.damaged, "no picture in it") }
  }

  private mutating func add(_ chunk: RIFFChunk, of source: ByteSource) {
    let body = chunk.data
    let start = body.lowerBound
    func uint24(_ offset: Int) -> Int? { source.number(at: offset, count: 3, order: .little) }
    switch chunk.type {
    case "VP8X":
      guard canvas == nil, let width = uint24(start + 4), let height = uint24(start + 7) else {
        return
      }
      canvas = PixelSize(width: width + 1, height: height + 1)
    case "ICCP": profile = profile ?? body
    // A still picture begins with its alpha, if that is a separate chunk.
    case "ALPH", "VP8 ", "VP8L":
      if let frame, frame.size == nil {
        self.frame?.data = frame.data.lowerBound..<body.upperBound
      } else if frame == nil {
        frame = Frame(data: (start - 8)..<body.upperBound)
      }
      if chunk.type != "ALPH" { frameCount += 1 }
    case "ANMF":
      frameCount += 1
      guard frame == nil, body.count > 16, let left = uint24(start), let top = uint24(start + 3),
        let width = uint24(start + 6), let height = uint24(start + 9)
      else { return }
      frame = Frame(
        data: (start + 16)..<body.upperBound,
        left: 2 * left,
        top: 2 * top,
        size: PixelSize(width: width + 1, height: height + 1)
      )
    default: break
    }
  }
}
