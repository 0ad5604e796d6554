import MediaCodecs
import MediaContainers

/// The format of a video stream, as AVI has it and Matroska for old codecs: a bitmap header and the
/// data of its codec, written anew.
///
/// An unknown codec may carry arbitrary data, so its file is not stripped.
///
/// Source: Microsoft, BITMAPINFOHEADER; fourcc.org.
struct BitmapStreamFormat {
  private static let mpeg4: Set<FourCharacterCode> = [
    "XVID", "xvid", "DIVX", "divx", "DX50", "dx50", "FMP4", "fmp4", "MP4V", "mp4v", "3IV2",
    "RMP4", "M4S2", "m4s2", "MP4S", "mp4s", "SEDG", "BLZ0",
  ]
  private static let jpeg: Set<FourCharacterCode> = ["MJPG", "mjpg", "JPEG", "jpeg"]
  /// Frames of DV, which have the sound as well.
  ///
  /// Source: libavformat, riff.c (ff_codec_bmp_tags).
  static let dv: Set<FourCharacterCode> = [
    "dvsd", "DVSD", "dvhd", "DVHD", "dvh1", "DVH1", "dvsl", "DVSL", "dv25", "DV25", "dv50", "DV50", "cdvc",
    "CDVC",
    "cdvh", "CDVH", "CDV5", "cdv5", "dvc ", "dvcs", "DVCS", "dvcp", "dvis", "pdvc", "SL25", "SLDV", "AVd1",
  ]
  /// The codecs whose frames have room for nothing but the picture.
  private static let plain: Set<FourCharacterCode> = [
    FourCharacterCode(value: 0), FourCharacterCode(value: 0x0100_0000), "DIB ", "RGB ", "raw ",
    "YUY2", "yuy2", "UYVY", "YVYU", "YV12", "I420", "IYUV", "NV12", "Y800", "GREY", "v210",
    "cvid", "CRAM", "cram", "MSVC", "msvc", "MP42", "mp42", "MP43", "mp43", "MPG4", "DIV3", "div3",
    "DIV4", "VP60", "VP61", "VP62", "VP80", "VP90", "H263", "h263", "U263", "I263",
  ]

  /// The type of the codec.
  let compression: FourCharacterCode
  /// The coding of the frames.
  let bitstream: Bitstream
  /// The header and what follows it.
  let bytes: [UInt8]
  /// The names of what was removed.
  private(set) var removed: [String] = []

  /// The types by which decoders take Xvid or DivX for the encoder, unless user data name another.
  private static let presumed: Set<FourCharacterCode> = [
    "XVID", "xvid", "DIVX", "divx", "RMP4",
  ]

  /// Returns whether user data at the start of a frame name libavcodec, whose arithmetic is another
  /// than that of the encoders which the types presume.
  private static func isOfLavc(_ frame: ByteSource?) -> Bool {
    guard let frame, let head = frame.bytes(in: 0..<min(frame.length, 1024), limit: 1024) else {
      return false
    }
    let mark: [UInt8] = [0, 0, 1, 0xB2] + Array("Lavc".utf8)
    return head.indices.contains { head[$0...].starts(with: mark) }
  }

  /// Reads a format; the first frame of the stream tells who encoded MPEG-4.
  ///
  /// - Throws: `stripUnsupported` for an unknown codec; `damaged` when it ends early.
  init(_ source: ByteSource, firstFrame: ByteSource?) throws(MetadataError) {
    guard let head = source.bytes(in: 0..<40, limit: 40), let compression = source.code(at: 16),
      let bits = source.uint16(at: 14, order: .little),
      let colors = source.uint32(at: 32, order: .little),
      let size = source.uint32(at: 0, order: .little), size >= 40
    else { throw MetadataError(.damaged, "a video format that ends early") }
    // Without their user data such frames would be decoded as those of the other encoder.
    let isRenamed =
      Self.presumed.contains(compression)
      && (Self.isOfLavc(firstFrame) || Self.isOfLavc(ByteSource(source, 40..<source.length)))
    self.compression = isRenamed ? "FMP4" : compression
    var extra: [UInt8] = []
    var names: [String] = []
    if Self.mpeg4.contains(compression) {
      bitstream = .mpeg4
      guard let headers = source.bytes(in: 40..<source.length, limit: 1 << 16) else {
        throw MetadataError(.overLimit, "a video format of more than 64 KiB")
      }
      (extra, names) = try Bitstream.mpeg4.cleaned(headers)
    } else if Self.jpeg.contains(compression) {
      bitstream = .jpeg
    } else if Self.dv.contains(compression) {
      bitstream = .dv
    } else if Self.plain.contains(compression) {
      bitstream = .plain
      if bits <= 8 {
        let count = min(colors == 0 ? 1 << bits : colors, 256)
        extra = Array((source.bytes(in: 40..<(40 + 4 * count), limit: 1024) ?? []))
        for index in stride(from: 3, to: extra.count, by: 4) { extra[index] = 0 }
      }
    } else {
      throw MetadataError(.stripUnsupported, "video of type \(compression.displayName)")
    }
    // Resolution and the number of important colors are not needed.
    let length = 40 + (Self.mpeg4.contains(compression) ? extra.count : 0)
    let used = extra.isEmpty || bits > 8 ? 0 : extra.count / 4
    bytes =
      length.bytes(4, .little) + head[4..<12] + 1.bytes(2, .little) + head[14..<16]
      + self.compression.bytes + head[20..<24] + [UInt8](repeating: 0, count: 8)
      + used.bytes(4, .little) + [0, 0, 0, 0] + extra
    removed = names
    if names.isEmpty, source.length > bytes.count { removed.append("bytes after strf") }
  }
}
