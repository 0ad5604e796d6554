import MediaModel

/// The chunks of a WebP file that matter to a thumbnail.
///
/// Source: RFC 9649 section 2.
struct WebPContainer {
  /// A bitstream, with its alpha chunk before it if it has one, and where it stands.
  struct Frame {
    var data: Range<Int>
    var left = 0
    var top = 0
    var size: PixelSize?
  }

  /// Nil without a `VP8X` chunk.
  private(set) var canvas: PixelSize?
  /// Of an animation the first one.
  private(set) var frame: Frame?
  private(set) var frameCount = 0
  private(set) var profile: Range<Int>?
  /// A chunk, or the file, ends before it should.
  private(set) var isCut = false

  /// - Throws: `damaged` for what is no WebP.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    let reader = BytesReader(bytes: bytes)
    guard reader.text(at: 0) == "RIFF", reader.text(at: 8) == "WEBP",
      let length = reader.little(at: 4, count: 4)
    else { throw ImagingError(.damaged, "no WebP header") }
    isCut = length + 8 > bytes.count
    let end = min(length + 8, bytes.count)
    var offset = 12
    while offset + 8 <= end {
      guard let type = reader.text(at: offset), let length = reader.little(at: offset + 4, count: 4)
      else { break }
      let body = (offset + 8)..<min(offset + 8 + length, end)
      if body.count < length { isCut = true }
      add(type, body, chunkStart: offset, reader)
      offset += 8 + length + length % 2
    }
    guard frame != nil else { throw ImagingError(.damaged, "no picture in it") }
  }

  private mutating func add(
    _ type: String,
    _ body: Range<Int>,
    chunkStart: Int,
    _ reader: BytesReader
  ) {
    let start = body.lowerBound
    switch type {
    case "VP8X":
      guard canvas == nil, let width = reader.little(at: start + 4, count: 3),
        let height = reader.little(at: start + 7, count: 3)
      else { return }
      canvas = PixelSize(width: width + 1, height: height + 1)
    case "ICCP": profile = profile ?? body
    // A picture without motion begins with its alpha, if that is a chunk of its own.
    case "ALPH", "VP8 ", "VP8L":
      if let frame, frame.size == nil {
        self.frame?.data = frame.data.lowerBound..<body.upperBound
      } else if frame == nil {
        frame = Frame(data: chunkStart..<body.upperBound)
      }
      if type != "ALPH" { frameCount += 1 }
    case "ANMF":
      frameCount += 1
      guard frame == nil, body.count > 16, let left = reader.little(at: start, count: 3),
        let top = reader.little(at: start + 3, count: 3),
        let width = reader.little(at: start + 6, count: 3),
        let height = reader.little(at: start + 9, count: 3)
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
