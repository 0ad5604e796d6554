import MediaCodecs
import MediaContainers

/// The format of a sound stream, as AVI has it and Matroska for old codecs, written anew.
///
/// Source: Microsoft, WAVEFORMATEX, MPEGLAYER3WAVEFORMAT and mmreg.h.
struct SoundStreamFormat {
  /// The number of bytes after the 18 of the header by code: MPEG audio, layer III, AC-3, DTS.
  private static let extraLengths = [0x50: 0, 0x55: 12, 0x2000: 0, 0x2001: 0]
  private static let frames: [Int: SoundFrames] = [
    0x50: .mpeg, 0x55: .mpeg, 0x2000: .ac3, 0x2001: .dts,
  ]
  private static let aac = 0xFF

  /// The coding of the frames.
  private(set) var bitstream = Bitstream.plain
  /// The header and what its codec needs.
  let bytes: [UInt8]

  /// Reads a format.
  ///
  /// - Throws: `stripUnsupported` for an unknown codec; `damaged` when it ends early.
  init(_ source: ByteSource) throws(MetadataError) {
    guard let format = WAVFormat(of: source, in: 0..<source.length),
      let tag = source.uint16(at: 0, order: .little)
    else {
      throw MetadataError(.damaged, "a sound format that ends early")
    }
    if format.isKnown, !format.isMP3 {
      bytes = format.bytes
      return
    }
    let extra: [UInt8]
    if let length = Self.extraLengths[tag] {
      let fields = source.bytes(in: 18..<(18 + length), limit: length)
      // Some writers leave the fields of layer III out.
      extra = fields ?? []
      bitstream = Self.frames[tag].map { .sound($0) } ?? .plain
    } else if tag == Self.aac {
      let configuration = source.bytes(in: min(18, source.length)..<source.length, limit: 512) ?? []
      extra = try AACConfiguration(configuration).bytes
      if AACConfiguration.isRead(configuration) { bitstream = .aac }
    } else {
      throw MetadataError(.stripUnsupported, "sound of type \(format.codec)")
    }
    guard let head = source.bytes(in: 0..<16, limit: 16) else {
      throw MetadataError(.damaged, "a sound format that ends early")
    }
    bytes = head + extra.count.bytes(2, .little) + extra
  }
}
