internal import CAV
import MediaContainers
import MediaModel

/// Decodes JPEGs of processes that libjpeg-turbo 2.1 lacks: 12 bits per sample, and lossless.
///
/// FFmpeg scales 12 bits up to 16 in the DCT process alone; lossless samples of another depth than
/// 8 or 16 would be too dark, so they are unsupported, as are arithmetic coding and hierarchies.
///
/// Source: ITU-T T.81 sections 4.11 and 14; libavcodec/mjpegdec.c (FFmpeg 5.1).
final class JPEGRareDecoder {
  private let buffer = PlaneBuffer()
  private let reducer = PixelReducer()

  func trim(above byteCount: Int) {
    if buffer.capacity > byteCount { buffer.release() }
    reducer.trim(above: byteCount)
  }

  /// Returns whether the process is one of those described above.
  static func supports(_ frame: JPEGFrame) -> Bool {
    guard frame.components.count == 1 || frame.components.count == 3 else { return false }
    switch frame.marker {
    case 0xC1: return frame.precision == 12
    case 0xC3: return frame.precision == 8 || frame.precision == 16
    default: return false
    }
  }

  /// Decodes a picture within the limits.
  ///
  /// - Returns: Planes that are valid until the next call; nil when no scale is asked for.
  /// - Throws: `damaged` unless the file has an end and the decoder found no error; `unsupported`,
  ///   `overLimit`, `decoderMissing`.
  func decode(
    _ request: DecodeRequest,
    header: JPEGHeader,
    profile: ColorProfile?
  ) throws(ImagingError) -> DecodedPicture? {
    // FFmpeg continues after the end of a file that was cut.
    if !request.acceptDamaged { try Self.checkEnd(of: ByteSource(request.bytes)) }
    let reader = try AVReader.open(request, library: AVLibrary.shared(), demuxer: "jpeg_pipe")
    try reader.select(0)
    guard let picture = try reader.nextPicture(before: .max),
      request.acceptDamaged || !picture.is_broken
    else { throw ImagingError(.damaged, "JPEG of \(header.frame.precision) bits a sample") }
    let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
    try request.limits.check(width: size.width, height: size.height)
    let scale = request.demand.scale(for: size)
    guard scale > 0 else { return nil }
    let reduced = PixelSize(
      width: max(1, Int((Double(size.width) * scale).rounded(.up))),
      height: max(1, Int((Double(size.height) * scale).rounded(.up)))
    )
    let color = PosterColor(picture)
    let pixels = try buffer.reserve(reduced.width * reduced.height * 4)
    try reader.resize(
      matrix: color.matrix,
      isFullRange: color.isFullRange,
      bits: 8,
      to: reduced,
      into: pixels
    )
    try reducer.begin(size: reduced, layout: .rgba, factor: 1)
    try reducer.add(pixels, stride: reduced.width * 4, count: reduced.height)
    return DecodedPicture(
      planar: try reducer.finish(),
      size: size,
      // The planes have colors, which a profile for gray does not describe.
      profile: header.frame.components.count == 3 ? profile : nil
    )
  }

  private static func checkEnd(of source: ByteSource) throws(ImagingError) {
    do throws(MetadataError) {
      var parser = try JPEGParser(source)
      while try parser.next() != nil {}
    } catch { throw ImagingError(.damaged, error.detail) }
  }
}
