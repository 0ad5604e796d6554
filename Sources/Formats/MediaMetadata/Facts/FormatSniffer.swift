import MediaCodecs
package import MediaContainers
package import MediaModel

/// Detects a file's format by its content alone.
package enum FormatSniffer {
  /// Returns the container format of `source`, or nil for formats that mediabatch does not import:
  /// audio in a transport stream, an Ogg of unknown streams alone, films and documents of JPEG 2000, and
  /// data that are unknown or too short to identify.
  ///
  /// A detected format does not imply that the rest of the file is valid.
  ///
  /// Source: the signature in each format's own specification, named where the format is read.
  package static func format(of source: ByteSource) -> MediaFormat? {
    if source.holds([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
    if source.holds(PNG.signature, at: 0) { return source.code(at: 12) == "IHDR" ? .png : nil }
    if source.holds("GIF87a", at: 0) || source.holds("GIF89a", at: 0) { return .gif }
    if let form = source.code(at: 0), ["RIFF", "RF64", "BW64"].contains(form) {
      if source.holds("WAVE", at: 8) { return .wav }
      guard form == "RIFF" else { return nil }
      if source.holds("AVI ", at: 8) { return .avi }
      return source.holds("WEBP", at: 8) ? .webp : nil
    }
    if source.holds("FORM", at: 0) {
      return source.holds("AIFF", at: 8) || source.holds("AIFC", at: 8) ? .aiff : nil
    }
    if source.holds("OggS", at: 0) { return ogg(source) }
    if let format = EBMLHeader.format(of: source) { return format }
    if source.holds(ASFObject.header, at: 0) { return ASFHeader(of: source).format }
    if source.holds("fLaC", at: LeadingTags(of: source).end) { return .flac }
    if let format = RawFormat.format(of: source) { return format }
    if TIFFBlock(file: source) != nil { return .tiff }
    if isBMP(source) { return .bmp }
    if let header = PSDHeader(of: source) { return header.isLarge ? .psb : .psd }
    if JP2Header.isFound(in: source) { return .jp2 }
    if JXLHeader.hasBoxes(source) { return JXLHeader(of: source) == nil ? nil : .jxl }
    if DDSHeader.isFound(in: source) { return .dds }
    if XCFHeader.isFound(in: source) { return .xcf }
    if let format = format(of: source, among: MediaFormat.markedHeaders) { return format }
    if let format = ISOBrands.format(of: source) { return format }
    if let format = TransportStreamFacts.format(of: source) { return format }
    if let format = ProgramStreamFacts.format(of: source) { return format }
    if DVFile(of: source) != nil { return .dv }
    if FLVFile(of: source) != nil { return .flv }
    if MPEGAudioFrame.isFound(in: source) { return .mp3 }
    if ADTSFrame.isFound(in: source) { return .aac }
    return format(of: source, among: MediaFormat.weaklyMarkedHeaders)
  }

  /// Returns the first format whose header can be read.
  private static func format(
    of source: ByteSource,
    among rows: [MediaFormat.HeaderRow]
  ) -> MediaFormat? {
    rows.first { $0.header.init(of: source) != nil }?.format
  }

  /// Returns an Ogg with video or one with audio alone, by the streams that begin at the start of the
  /// file; nil when none of them is known. An unknown one beside a known one changes nothing.
  private static func ogg(_ source: ByteSource) -> MediaFormat? {
    guard source.byte(at: 4) == 0 else { return nil }
    var codecs: [OggCodec] = []
    var position = 0
    while codecs.count < maximumStreams,
      let page = OggPage(of: source, at: position), page.isFirst
    {
      codecs.append(page.body.isEmpty ? .description("") : OggCodec(of: source, in: page))
      position = page.range.upperBound
    }
    if codecs.contains(where: \.isVideo) { return .ogv }
    return codecs.isEmpty || codecs.contains { $0 != .other } ? .ogg : nil
  }

  private static let maximumStreams = 16

  /// Returns whether `source` is a BMP: besides "BM", a known header length and one plane are
  /// required.
  private static func isBMP(_ source: ByteSource) -> Bool {
    guard source.holds("BM", at: 0), let header = source.uint32(at: 14, order: .little) else {
      return false
    }
    let planes = source.uint16(at: header == 12 ? 22 : 26, order: .little)
    return [12, 16, 40, 52, 56, 64, 108, 124].contains(header) && planes == 1
  }
}

/// Detects the format of an ISO base media file by its brands.
///
/// Source: ISO/IEC 14496-12 section 4.3; mp4ra.org, brands.
enum ISOBrands {
  private static let maximumBrands = 64

  static func format(of source: ByteSource) -> MediaFormat? {
    guard let box = ISOBoxes.first("ftyp", in: 0..<min(source.length, 4096), of: source),
      box.body.lowerBound <= 16
    else { return isOldMovie(source) ? .mov : nil }
    guard let major = source.code(at: box.body.lowerBound) else { return nil }
    let compatible = stride(from: box.body.lowerBound + 8, to: box.body.upperBound, by: 4)
      .prefix(maximumBrands).compactMap { source.code(at: $0) }
    // Canon's raw files are compatible with isom, but are not movies.
    if major == "crx " { return nil }
    // The compatible brands decide for a general or unknown major brand.
    let brands = [major] + compatible.filter { !["mif1", "msf1"].contains($0) }
    switch brands.lazy.compactMap({ formats[$0] }).first {
    case .mp4: return isSound(source) ? .m4a : .mp4
    case .threeGP: return isSound(source) ? .threeGA : .threeGP
    case nil: return unnamedMovie(source)
    case let format: return format
    }
  }

  /// Returns the format of a file whose brands are not known, but which has tracks of video or sound.
  private static func unnamedMovie(_ source: ByteSource) -> MediaFormat? {
    guard let moov = ISOBoxes.first("moov", in: 0..<source.length, of: source) else { return nil }
    let kinds = ISOBoxes(source, in: moov.body).filter { $0.type == "trak" }
      .map { MovieTrackFacts.kind(ofTrack: $0.body, of: source) }
    guard kinds.contains(.video) || kinds.contains(.audio) else { return nil }
    return kinds.areSound ? .m4a : .mp4
  }

  /// Returns whether a movie has sound, and besides it only tracks of texts and metadata. The brands
  /// of a general kind say nothing about that: FFmpeg and phones write them for sound alone too.
  private static func isSound(_ source: ByteSource) -> Bool {
    guard let moov = ISOBoxes.first("moov", in: 0..<source.length, of: source) else { return false }
    let tracks = ISOBoxes(source, in: moov.body).filter { $0.type == "trak" }
    return tracks.map { MovieTrackFacts.kind(ofTrack: $0.body, of: source) }.areSound
  }

  private static let formats: [FourCharacterCode: MediaFormat] = {
    var formats: [FourCharacterCode: MediaFormat] = [
      "avif": .avif, "avis": .avif, "qt  ": .mov, "M4A ": .m4a, "M4B ": .m4a, "M4P ": .m4a,
    ]
    for brand in ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"] {
      formats[FourCharacterCode(stringLiteral: brand)] = .heic
    }
    let movies = [
      "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42",
      "mp71", "avc1", "hvc1", "dash", "cmfc", "MSNV", "XAVC", "NDSC", "F4V ", "f4v ", "M4V ",
      "M4VH", "M4VP", "mmp4",
    ]
    // 3GPP TS 26.244 section 5.3 and 3GPP2 C.S0050 section 3 define these brands; the last belongs
    // to a Japanese provider.
    let phones = [
      "3gp1", "3gp2", "3gp3", "3gp4", "3gp5", "3gp6", "3gp7", "3gp8", "3gp9", "3ge6", "3ge7",
      "3ge9",
      "3gf9", "3gg6", "3gg9", "3gh9", "3gm9", "3gr6", "3gr9", "3gs6", "3gs7", "3gs9", "3gt8",
      "3gt9",
      "3g2a", "3g2b", "3g2c", "kddi",
    ]
    for brand in phones { formats[FourCharacterCode(stringLiteral: brand)] = .threeGP }
    for brand in movies { formats[FourCharacterCode(stringLiteral: brand)] = .mp4 }
    return formats
  }()

  /// Returns whether `source` is a movie without ftyp: QuickTime had none before 2001, and phone
  /// recordings may still start with wide or mdat.
  private static func isOldMovie(_ source: ByteSource) -> Bool {
    guard let type = source.code(at: 4) else { return false }
    let first: Set<FourCharacterCode> = ["moov", "mdat", "wide", "free", "skip", "pnot"]
    guard first.contains(type) else { return false }
    return ISOBoxes(source, in: 0..<source.length).prefix(64).contains { $0.type == "moov" }
  }
}

extension [TrackKind] {
  /// Whether there is a track of sound, and no track but those of sound, texts and metadata.
  var areSound: Bool {
    contains(.audio) && !contains(.video) && !contains(.other)
  }
}
