internal import CAV
import MediaModel

/// Makes a video's poster: its first picture that shows something.
///
/// A file of a video's format that has sound and no pictures gives its waveform.
final class PosterDecoder: MediaDecoder {
  private let library: () throws(ImagingError) -> AVLibrary
  private let buffers = PosterBuffers()
  private lazy var waveformDecoder = WaveformDecoder(library: library)

  init(library: @escaping () throws(ImagingError) -> AVLibrary = AVLibrary.shared) {
    self.library = library
  }

  func trim(above byteCount: Int) {
    buffers.trim(above: byteCount)
    waveformDecoder.trim(above: byteCount)
  }

  /// - Throws: `damaged` only when no picture at all decodes, whatever `acceptDamaged` says;
  ///   `unsupported` for codecs without a decoder that may be used; `overLimit`, `decoderMissing`.
  func decode(
    _ request: DecodeRequest,
    _ render: (DecodedPicture, ThumbnailDemand) throws(ImagingError) -> Void
  ) throws(ImagingError) {
    let reader = try AVReader.open(request, library: try library())
    guard let track = Self.videoTrack(of: reader) else {
      guard request.demand.allowsAudio else { throw ImagingError(.audioRefused, "no pictures") }
      return try waveformDecoder.decode(reader, demand: request.demand, render)
    }
    var search = PosterSearch(
      reader: reader,
      track: track.index,
      stream: track.stream,
      demand: request.demand,
      limits: request.limits,
      buffers: buffers
    )
    if let picture = try search.run() { try render(picture, request.demand) }
  }

  typealias Track = (index: Int, stream: cav_stream)

  /// The stream with the largest pictures, the first of those; covers are no pictures of a video.
  static func videoTrack(of reader: AVReader) -> Track? {
    if let track = largestVideo(of: reader) { return track }
    reader.probe()
    return largestVideo(of: reader)
  }

  private static func largestVideo(of reader: AVReader) -> Track? {
    let videos = reader.streams.enumerated().filter {
      $0.element.kind == Int32(CAV_KIND_VIDEO.rawValue) && $0.element.width > 0
        && $0.element.height > 0
    }
    let largest = videos.map { Int($0.element.width) * Int($0.element.height) }.max()
    return videos.first { Int($0.element.width) * Int($0.element.height) == largest }
      .map { (index: $0.offset, stream: $0.element) }
  }
}
