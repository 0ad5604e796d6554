import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

/// A track: its handler, codec and sample table, and its boxes.
///
/// Source: ISO/IEC 14496-12 sections 8.3 to 8.7.
struct ISOTrack {
  let source: ByteSource
  let box: ISOBox
  let identifier: Int
  /// The handler type; nil when the track has none.
  let handler: FourCharacterCode?
  /// The type of its first sample entry.
  let codec: FourCharacterCode?
  /// Whether its handler, its media header or its codec is one of audio.
  let isAudio: Bool
  /// The IDs of the tracks that it refers to, by reference type.
  private(set) var references: [(type: FourCharacterCode, to: [Int])] = []
  private(set) var table: ISOSampleTable?
  private(set) var entries: [ISOSampleEntry] = []
  /// The kinds of the known video codecs among its sample entries.
  let entryKinds: Set<ISOVideoCodec.Kind>
  /// The packets of uncompressed audio.
  private(set) var packet: MovieAudioPacket?

  private(set) var trak: [ISOBox] = []
  private(set) var mdia: [ISOBox] = []
  private(set) var minf: [ISOBox] = []
  private(set) var stbl: [ISOBox] = []

  /// Reads only what the selection of tracks needs; other boxes of a removed track may be damaged.
  init(_ box: ISOBox, of source: ByteSource) throws(MetadataError) {
    self.source = source
    self.box = box
    trak = try box.children(in: source)
    let tkhd = try trak.needed("tkhd", in: "a track").body
    let isLong = source.byte(at: tkhd.lowerBound) == 1
    guard let identifier = source.uint32(at: tkhd.lowerBound + (isLong ? 20 : 12)) else {
      throw MetadataError(.damaged, "tkhd of impossible length")
    }
    self.identifier = identifier
    let media = ISOBoxes.body(at: ["mdia"], in: box.body, of: source)
    handler = Self.handler(of: box, in: source)
    let stsd = media.flatMap { ISOBoxes.body(at: ["minf", "stbl", "stsd"], in: $0, of: source) }
    codec = stsd.flatMap { source.code(at: $0.lowerBound + 12) }
    let described = stsd.map { Array(ISOBoxes(source, in: $0.dropFirst(8), limit: 1024)) } ?? []
    entryKinds = Set(described.compactMap { ISOVideoCodec.kind(of: $0, in: source) })
    let hasAudioHeader =
      media.flatMap { ISOBoxes.body(at: ["minf", "smhd"], in: $0, of: source) } != nil
    isAudio =
      handler == "soun" || hasAudioHeader
      || codec.map { ISOAudioCodec.types.contains($0) && $0 != "raw " } == true
    if let tref = try trak.only("tref") {
      for list in try tref.children(in: source) {
        var to: [Int] = []
        for offset in stride(from: list.body.lowerBound, to: list.body.upperBound - 3, by: 4) {
          if let identifier = source.uint32(at: offset), to.count < 1024 { to.append(identifier) }
        }
        references.append((list.type, to))
      }
    }
  }

  /// Returns the handler type of a trak box, or nil when it has none.
  static func handler(of trak: ISOBox, in source: ByteSource) -> FourCharacterCode? {
    ISOBoxes.body(at: ["mdia", "hdlr"], in: trak.body, of: source)
      .flatMap { source.code(at: $0.lowerBound + 8) }
  }

  /// The display name of the track when it is removed.
  var name: String {
    switch handler {
    case _ where isAudio: return RemovedMetadata.audioTrack
    case "vide": return "video track"
    default:
      guard let codec, codec.displayName != "box" else { return "other track" }
      return "\(codec.displayName) track"
    }
  }

  /// Reads the boxes that lead to the samples.
  ///
  /// - Throws: `damaged` when they do not follow their format; `stripUnsupported` for samples in
  ///   another file.
  mutating func readMedia() throws(MetadataError) {
    mdia = try children("mdia", of: trak, in: "a track")
    minf = try children("minf", of: mdia, in: "mdia")
    stbl = try children("stbl", of: minf, in: "minf")
    table = try ISOSampleTable(stbl, of: source)
    try checkOwnData()
    guard handler == "soun", let first = try entryBoxes().first else { return }
    // QuickTime writes uncompressed audio with a duration of one for every sample.
    if let stts = try stbl.only("stts"), source.uint32(at: stts.body.lowerBound + 4) == 1,
      source.uint32(at: stts.body.lowerBound + 12) == 1, table?.sizes.constant != nil
    {
      packet = MovieAudioPacket(first, of: source)
    }
  }

  /// Reads the sample entries.
  ///
  /// - Throws: As ``ISOSampleEntry``.
  mutating func readEntries() throws(MetadataError) {
    let stsd = try stbl.needed("stsd", in: "stbl").body
    let isVersionOne = source.byte(at: stsd.lowerBound) == 1
    let sphere = handler == "vide" ? SphericalVideo(ofTrack: trak, in: source) : nil
    for box in try entryBoxes() {
      let entry = try ISOSampleEntry(
        box,
        handler: handler ?? "vide",
        isVersionOne: isVersionOne,
        sphere: sphere,
        of: source
      )
      entries.append(entry)
    }
  }

  /// Returns the length of a chunk in bytes.
  func length(of chunk: ISOSampleTable.Chunk) throws(MetadataError) -> Int {
    if let packet {
      let (bytes, overflow) = ((chunk.sampleCount + packet.samples - 1) / packet.samples)
        .multipliedReportingOverflow(by: packet.bytes)
      guard !overflow else { throw MetadataError(.damaged, "samples of impossible length") }
      return bytes
    }
    let samples = chunk.firstSample..<(chunk.firstSample + chunk.sampleCount)
    return try table?.sizes.total(of: samples, in: source) ?? 0
  }

  private func entryBoxes() throws(MetadataError) -> [ISOBox] {
    let stsd = try stbl.needed("stsd", in: "stbl").body
    guard stsd.count >= 8 else { throw MetadataError(.damaged, "stsd of impossible length") }
    return try ISOBox.children(of: "stsd", in: stsd.dropFirst(8), of: source)
  }

  private func children(
    _ type: FourCharacterCode,
    of boxes: [ISOBox],
    in parent: String
  ) throws(MetadataError) -> [ISOBox] {
    let box = try boxes.needed(type, in: parent)
    return try box.children(in: source)
  }

  /// Checks that the samples are in this file.
  private func checkOwnData() throws(MetadataError) {
    guard let dinf = try minf.only("dinf") else { return }
    guard let dref = ISOBoxes.first("dref", in: dinf.body, of: source), dref.body.count >= 8 else {
      return
    }
    for entry in try dref.children(in: source, after: 8) {
      guard let flags = source.uint32(at: entry.body.lowerBound), flags & 1 == 1 else {
        throw MetadataError(.stripUnsupported, "samples in another file")
      }
    }
  }
}
