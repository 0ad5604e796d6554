import MediaCodecs
import MediaContainers
import MediaMetadata

/// The codec of a track: its private data, written anew without what a decoder does not need, and
/// the parsing that its frames need.
///
/// An unknown codec may carry arbitrary data, so its file is not stripped.
///
/// Source: IETF draft-ietf-cellar-codec (codec mappings of Matroska).
struct MatroskaCodec {
  private static let maximumPrivate = 1 << 20

  /// The coding of the frames.
  private(set) var bitstream = Bitstream.plain
  /// The private data; nil for a codec that needs none.
  private(set) var privateData: [UInt8]?
  /// The names of what was removed from the private data.
  private(set) var removed: [String] = []

  /// The codecs whose frames have room for nothing but sound or pictures, and that have no private
  /// data.
  private static let plain: Set<String> = [
    "V_VP8", "V_UNCOMPRESSED", "V_PRORES", "A_PCM/INT/LIT", "A_PCM/INT/BIG", "A_PCM/FLOAT/IEEE",
  ]
  /// The codecs whose frames can be told from other bytes, and that have no private data.
  private static let sounds: [String: SoundFrames] = [
    "A_MPEG/L1": .mpeg, "A_MPEG/L2": .mpeg, "A_MPEG/L3": .mpeg, "A_AC3": .ac3,
    "A_AC3/BSID9": .ac3, "A_AC3/BSID10": .ac3, "A_EAC3": .ac3, "A_DTS": .dts,
    "A_DTS/EXPRESS": .dts, "A_DTS/LOSSLESS": .dts, "A_TRUEHD": .trueHD, "A_MLP": .trueHD,
  ]

  /// Reads the codec with the given identifier, whose private data are in `range`, and whose first
  /// frame is the given one.
  ///
  /// - Throws: `stripUnsupported` for an unknown codec; `damaged` for private data that do not
  ///   follow their format; `overLimit` for more than 1 MiB.
  init(
    _ identifier: String,
    _ range: Range<Int>?,
    isDolbyVision: Bool,
    firstFrame: ByteSource?,
    of source: ByteSource
  ) throws(MetadataError) {
    let unsupported = MetadataError(.stripUnsupported, "a track of type \(identifier)")
    guard let bytes = source.bytes(in: range ?? 0..<0, limit: Self.maximumPrivate) else {
      throw MetadataError(.overLimit, "private data of more than 1 MiB")
    }
    switch identifier {
    case _ where Self.plain.contains(identifier): break
    case _ where Self.sounds[identifier] != nil:
      bitstream = Self.sounds[identifier].map { .sound($0) } ?? .plain
    case "V_VP9": privateData = Self.features(bytes)
    case "V_MPEG4/ISO/AVC" where bytes.isEmpty, "V_MPEGH/ISO/HEVC" where bytes.isEmpty:
      // Browsers record the sets within the frames, behind start codes.
      let isHEVC = identifier == "V_MPEGH/ISO/HEVC"
      guard let firstFrame, let units = NALUnits(isHEVC: isHEVC, firstFrame: firstFrame) else {
        throw unsupported
      }
      bitstream = .nal(units)
    case "V_MPEG4/ISO/AVC": try readBoxes("avcC", bytes, isDolbyVision)
    case "V_MPEGH/ISO/HEVC": try readBoxes("hvcC", bytes, isDolbyVision)
    case "V_AV1": try readBoxes("av1C", bytes, isDolbyVision)
    case "V_MPEG4/ISO/SP", "V_MPEG4/ISO/ASP", "V_MPEG4/ISO/AP":
      try readMPEG4(bytes)
    case "V_MJPEG": bitstream = .jpeg
    case "V_MS/VFW/FOURCC":
      let header = try BitmapStreamFormat(ByteSource(bytes), firstFrame: firstFrame)
      // Clusters have no masks.
      if header.bitstream == .dv { throw MetadataError(.stripUnsupported, "DV in Matroska") }
      (bitstream, privateData, removed) = (header.bitstream, header.bytes, header.removed)
    case "A_OPUS":
      let (header, streams) = try Self.opus(bytes)
      privateData = header
      bitstream = .sound(.opus(streams: streams))
    case "A_VORBIS":
      privateData = try Self.vorbis(bytes)
      bitstream = .sound(.vorbis)
    case "A_FLAC":
      privateData = try Self.flac(bytes)
      bitstream = .sound(.flac)
    case "A_ALAC":
      guard let kept = SoundConfiguration.lossless(bytes) else { throw Self.damaged }
      privateData = kept
    case "A_AAC", "A_AAC/MPEG4/LC", "A_AAC/MPEG4/LC/SBR", "A_AAC/MPEG2/LC", "A_AAC/MPEG2/LC/SBR",
      "A_AAC/MPEG4/MAIN", "A_AAC/MPEG2/MAIN", "A_AAC/MPEG4/SSR", "A_AAC/MPEG2/SSR":
      try readAAC(identifier, bytes)
    case "A_MS/ACM":
      let format = try SoundStreamFormat(ByteSource(bytes))
      (bitstream, privateData) = (format.bitstream, format.bytes)
    default: throw unsupported
    }
    if removed.isEmpty, privateData ?? [] != bytes { removed.append("codec private data") }
    if privateData?.isEmpty == true { privateData = nil }
  }

  private static let damaged = MetadataError(.damaged, "codec private data of impossible length")

  /// Reads a configuration that has the form of a box of ISO media.
  private mutating func readBoxes(
    _ type: FourCharacterCode,
    _ bytes: [UInt8],
    _ isDolbyVision: Bool
  ) throws(MetadataError) {
    // Early files of AV1 have no configuration.
    if bytes.isEmpty, type == "av1C" {
      bitstream = .av1(isMovie: true)
      return
    }
    let configuration = try DecoderConfiguration(type, 0..<bytes.count, of: ByteSource(bytes))
    (privateData, removed) = (configuration.body, configuration.removed)
    switch configuration.bitstream {
    case .nal(var units):
      (units.isMovie, units.isDolbyVision) = (true, isDolbyVision)
      bitstream = .nal(units)
    case .av1: bitstream = .av1(isMovie: true)
    default: bitstream = configuration.bitstream
    }
  }

  private mutating func readAAC(
    _ identifier: String,
    _ bytes: [UInt8]
  ) throws(MetadataError) {
    if !bytes.isEmpty {
      privateData = try AACConfiguration(bytes).bytes
      if AACConfiguration.isRead(bytes) { bitstream = .aac }
    } else if identifier == "A_AAC" {
      throw Self.damaged
    } else {
      bitstream = .aac
    }
  }

  private mutating func readMPEG4(_ bytes: [UInt8]) throws(MetadataError) {
    bitstream = .mpeg4
    let (kept, names) = try Bitstream.mpeg4.cleaned(bytes)
    (privateData, removed) = (kept, names)
  }

  /// Returns the features of a VP9: profile, level, bit depth and subsampling, each a byte; nil for
  /// other data.
  ///
  /// Source: WebM Project, VP9 Codec Feature Metadata.
  private static func features(_ bytes: [UInt8]) -> [UInt8]? {
    var kept: [UInt8] = []
    var remaining = bytes[...]
    while remaining.count >= 3 {
      let feature = Array(remaining.prefix(3))
      guard (1...4).contains(feature[0]), feature[1] == 1 else { break }
      kept += feature
      remaining = remaining.dropFirst(3)
    }
    return kept.count <= 12 ? kept : nil
  }

  /// Returns the header of Opus without what follows it, and the number of streams.
  private static func opus(
    _ bytes: [UInt8]
  ) throws(MetadataError) -> (header: [UInt8], streams: Int) {
    let packet = ByteSource(bytes)
    guard packet.holds(OpusHeader.packetName, at: 0) else {
      throw MetadataError(.damaged, "Opus without its header")
    }
    let header = OpusHeader(of: packet, .packet)
    let length = try header.length()
    guard bytes.count >= length else { throw damaged }
    return (Array(bytes.prefix(length)), header.streamCount)
  }

  /// Returns the three header packets of Vorbis, the comment without vendor and fields.
  private static func vorbis(_ bytes: [UInt8]) throws(MetadataError) -> [UInt8] {
    guard bytes.first == 2 else { throw damaged }
    var position = 1
    var lengths: [Int] = []
    while lengths.count < 2 {
      var length = 0
      while position < bytes.count, bytes[position] == 255 {
        length += 255
        position += 1
      }
      guard position < bytes.count else { throw damaged }
      lengths.append(length + Int(bytes[position]))
      position += 1
    }
    let (first, comment) = (lengths[0], lengths[1])
    let name = Array("vorbis".utf8)
    guard first >= 30, first + comment < bytes.count - position else { throw damaged }
    var identification = Array(bytes[position...].prefix(30))
    var setup = Array(bytes[(position + first + comment)...])
    let channels = Int(identification[11])
    setup = Array(setup.prefix(VorbisSetup.length(of: setup, channels: channels) ?? setup.count))
    guard identification.starts(with: [1] + name), setup.starts(with: [5] + name),
      OggAllowList.list["vorbis setup"]?.allows(setup.count) == true
    else { throw MetadataError(.damaged, "no setup header") }
    identification[29] &= 1
    let written = OggHeaderWriter.comment(.vorbis, KeptMetadata())
    return [2, 30, UInt8(written.count)] + identification + written + setup
  }

  /// Returns STREAMINFO alone.
  private static func flac(_ bytes: [UInt8]) throws(MetadataError) -> [UInt8] {
    guard bytes.count >= 42, bytes.starts(with: "fLaC".utf8), bytes[4] & 0x7F == 0 else {
      throw damaged
    }
    return Array("fLaC".utf8) + [0x80, 0, 0, 34] + bytes[8..<42]
  }
}
