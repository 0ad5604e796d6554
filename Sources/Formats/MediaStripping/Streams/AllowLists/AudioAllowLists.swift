import MediaContainers

/// The chunks of a WAV, an RF64 or a BW64 after the form type.
///
/// Source: Microsoft, WAVEFORMATEX and WAVEFORMATEXTENSIBLE; EBU Tech 3306.
enum WAVAllowList {
  static let list = AllowList<FourCharacterCode>([
    .init("ds64", .rewritten, "lengths of more than 32 bits; no table", 28...28),
    .init("fmt ", .rewritten, "the fields that its format has", 16...1046, step: 2),
    .init("fact", .rewritten, "the number of samples", 4...4),
    .init("LIST", .excepted, "an INFO list", 4...1 << 16),
    .init("data", .copied, "the samples, in whole blocks; an MP3 as on its own list"),
  ])
}

/// The chunks of an AIFF or an AIFF-C after the form type.
///
/// Source: Apple, Audio Interchange File Format 1.3 and AIFF-C (1991 draft).
enum AIFFAllowList {
  static let list = AllowList<FourCharacterCode>([
    .init("FVER", .rewritten, "the version of AIFF-C", 4...4),
    .init("COMM", .rewritten, "its fields, without the compression's name", 18...24, step: 6),
    .init("NAME", .excepted, "the title", 1...1 << 16),
    .init("AUTH", .excepted, "the creator", 1...1 << 16),
    .init("(c) ", .excepted, "the copyright", 1...1 << 16),
    .init("ANNO", .excepted, "the caption", 1...1 << 16),
    .init("ID3 ", .excepted, "date and rating", 1...1 << 16),
    .init("SSND", .copied, "as many samples as COMM says; no offset, no block size"),
  ])
}

/// The metadata blocks of a FLAC, and its frames.
///
/// Source: RFC 9639 section 8.
enum FLACAllowList {
  static let frames = "frames"
  static let list = AllowList<String>([
    .init("STREAMINFO", .copied, "its fields", 34...34),
    .init(
      "VORBIS_COMMENT",
      .rewritten,
      "the channel mask, and what `except` keeps; no vendor",
      8...1 << 16
    ),
    .init("SEEKTABLE", .rewritten, "the points that refer to a frame", 18...Int.max, step: 18),
    .init(frames, .copied, "frames whose checksums are right"),
  ])
}

/// The header packets of an Ogg's audio streams, in the order of a stream, and its pages.
///
/// Source: Vorbis I section 4.2; RFC 7845 section 5; RFC 9639 section 10.1; the Speex manual,
/// section 7.3.
enum OggAllowList {
  private static let comment = "what `except` keeps; no vendor"

  static let list = AllowList<String>([
    .init("vorbis identification", .rewritten, "its fields", 30...30),
    .init("opus identification", .rewritten, "its fields, with gain and mapping", 19...131_000),
    .init("flac identification", .rewritten, "STREAMINFO", 51...51),
    .init("speex identification", .rewritten, "its fields, without the version", 80...80),
    .init("vorbis comment", .rewritten, comment, 16...1 << 16),
    .init("opus comment", .rewritten, comment, 16...1 << 16),
    .init("flac comment", .rewritten, comment, 12...1 << 16),
    .init("speex comment", .rewritten, comment, 8...1 << 16),
    .init("vorbis setup", .copied, "the codebooks", 7...1 << 18),
  ])

  /// The bytes of an identification header that are always the same: the encoder's version, the
  /// number of extra headers, reserved fields.
  static let fixed: [OggCodec: [(offset: Int, bytes: [UInt8])]] = [
    .flac: [(7, [0, 1]), (13, [0, 0, 0, 34])],
    .speex: [
      (8, [UInt8](repeating: 0, count: 20)), (68, [UInt8](repeating: 0, count: 12)),
    ],
  ]

  /// Returns the name of a header packet: 0 identifies the codec, 1 is the comment.
  static func header(_ codec: OggCodec, _ index: Int) -> String {
    "\(codec.name) \(index < 3 ? ["identification", "comment", "setup"][index] : "header \(index)")"
  }
}

/// The parts of AAC without a container.
///
/// Source: ISO/IEC 13818-7 section 6.2.
enum AACAllowList {
  static let frame = "frame"
  static let cutFrame = "incomplete last frame"
  static let list = AllowList<String>([
    .init("ID3v2", .excepted, "version 2.4, without padding", 10...1 << 16),
    .init(
      frame,
      .copied,
      "whole frames; no checksum, private bits or copyright number, and fill of zeros",
      isRepeated: true
    ),
    .init(cutFrame, .copied, "the bytes that are there"),
  ])
}

/// The parts of an MP3.
///
/// Source: Gabriel Bouvigne, "MP3 Info Tag rev 1"; ISO/IEC 11172-3 section 2.4.3.1.
enum MP3AllowList {
  static let information = "information frame"
  static let frame = "frame"
  static let cutFrame = "incomplete last frame"
  static let list = AllowList<String>([
    .init("ID3v2", .excepted, "version 2.4, without padding", 10...1 << 16),
    .init(
      information,
      .rewritten,
      "Xing, Info or VBRI: counts and contents from the frames, silence at both ends"
    ),
    .init(frame, .copied, "whole frames; bits that no decoder reads are zero", isRepeated: true),
    .init(cutFrame, .copied, "the bytes that are there"),
  ])
}
