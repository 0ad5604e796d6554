import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Writes what the fuzzer begins with.
@Suite("Seeds for the fuzzer")
struct FuzzSeedsTests {
  private static let slots: [(parser: String, bytes: [UInt8])] = {
    let containers = CanariesContainers.slots.map {
      ($0.format == .j2k ? "jp2" : $0.format.rawValue, $0.bytes)
    }
    let codestreams = [TinyJXL.plain, TinyJXL.profiled, TinyJXL.named, TinyJXL.animated].map {
      ("jxl", $0)
    }
    let heif = [HEIFCanaryTests.still, HEIFCanaryTests.avif].map {
      ("heif", $0(HEIFCanaryTests.Canaries()).bytes)
    }
    let movies =
      ([TinyHEIF.movie, TinyHEIF.file(exif: [1, 2, 3]), SphericalVideoTests.seed]
      + MovieStripperTests.shapes.map(\.movie.bytes)).map { ("movie", $0) }
    let sounds =
      SoundCanaries.slots.map { ("audio", $0.bytes) }
      + SoundDamageTests.files.map { ("audio", $0.bytes) }
      + SoundKeptTests.files.map { ("audio", $0.1) }
    let films =
      (StreamStripperTests.slots.map(\.bytes) + [SphericalVideoTests.matroskaSeed] + TinyProgramStream.seeds)
      .map { ("film", $0) }
    let pages = [ByteOrder.big, .little].map { ("tiff", TinyBigTIFF.file($0)) }
    let planted = DNGStripperTests.planted(HEIFCanaryTests.Canaries())
    let raws =
      [planted, TinyDNG(), DNGStripperTests.codestream].map { ("dng", $0.bytes) }
      + RawKindsTests.kinds.map { ("dng", $0.bytes) }
    let jpegs = CanariesJPEG.slots.map(\.bytes) + [ProjectionTests.sphere]
    let pictures = jpegs.map { ("jpeg", $0) } + containers + heif + pages + raws
    let motion = MotionPhotoTests.seeds
    let headers = PictureHeaderTests.samples.map { ("picture", $0.bytes) }
    // 82 MB of rows, and data of ten bytes.
    let high = big(32) + big(0xF9_FF20) + [1, 3, 0, 0, 0]
    let png = TinyPNG.signature + pngChunk("IHDR", high) + TinyPNG.data + TinyPNG.end
    let still = [("png", png)] + headers + motion + codestreams + pictures
    return still + movies + sounds + films + blocks
  }()

  /// What stands behind the identifier of a JPEG's segment.
  private static let blocks: [(parser: String, bytes: [UInt8])] = {
    let identifiers = [
      ("exif", "Exif\0\0"), ("xmp", "http://ns.adobe.com/xap/1.0/\0"),
      ("icc", "ICC_PROFILE\0\u{1}\u{1}"), ("iptc", "Photoshop 3.0\0"),
    ]
    var blocks = CanariesJPEG.slots.flatMap { slot in
      identifiers.compactMap { parser, identifier -> (String, [UInt8])? in
        let name = Array(identifier.utf8)
        guard slot.bytes.count > 6 + name.count, slot.bytes[6...].starts(with: name) else {
          return nil
        }
        let length = Int(slot.bytes[4]) << 8 | Int(slot.bytes[5])
        return (parser, Array(slot.bytes[(6 + name.count)..<(4 + length)]))
      }
    }
    if let block = ExifWriter.block(orientation: 6, kept: KeptMetadataTests.all) {
      blocks.append(("exif", block))
    }
    // A pointer to the Exif directory that is a text.
    blocks.append(
      (
        "exif",
        Array("MM\0*".utf8) + big(8, 4) + big(1, 2) + big(0x8769, 2) + big(2, 2) + big(1, 4)
          + big(0, 4) + big(0, 4)
      )
    )
    if let packet = XMPWriter.packet(kept: KeptMetadataTests.all, scope: .alone) {
      blocks.append(("xmp", packet))
    }
    return blocks
  }()

  private static let tracks: [(parser: String, bytes: [UInt8])] = [
    (
      "track",
      Array(
        """
        <gpx><trk><trkseg><trkpt lat="48.85" lon="-2.29"><time>2019-07-04T08:15:30.5Z</time></trkpt>
        <trkpt lat="48.86" lon="179.9"><time>2019-07-04T10:16:00+02:00</time></trkpt></trkseg></trk></gpx>
        """.utf8
      )
    ),
    (
      "places",
      Array(
        """
        FR.A8\tÎle-de-France\tIle-de-France\t3012874
        2988507\tParis\tParis\t\t48.85341\t2.3488\tP\tPPLC\tFR\t\tA8\t\t\t\t2138551\t\t42\tEurope/Paris\t2014-08-20
        3014711\tA\tA\t\t45.5\t-179.9\tA\tADM1\tFR\t\t84\t\t\t\t0\t\t42\tEurope/Paris\t2014-08-20
        """.utf8
      )
    ),
  ]

  /// An archive in each of its shapes.
  private static let archives: [(parser: String, bytes: [UInt8])] = [
    TinyZIP(), TinyZIP(isZIP64: true), TinyZIP(isDeflated: false, comment: "Takeout"),
    TinyZIP(files: []),
  ].map { ("zip", $0.bytes) }

  /// A tar with a header of each kind, as itself and in members of gzip.
  private static let tars: [(parser: String, bytes: [UInt8])] = {
    let tar = TinyTAR.export.bytes
    let members = TinyTAR.gzip(Array(tar.prefix(700))) + TinyTAR.gzip(Array(tar.dropFirst(700)))
    return [("tar", tar), ("tgz", TinyTAR.gzip(tar)), ("tgz", members), ("tgz", TinyTAR.gzip(tar, level: 0))]
  }()

  /// Files that describe others.
  private static let sidecars: [(parser: String, bytes: [UInt8])] = {
    let packets = blocks.filter { $0.parser == "xmp" }.map(\.bytes)
    let wide: [[UInt8]] = packets.map { packet in
      var bytes: [UInt8] = [0xFF, 0xFE]
      for unit in String(decoding: packet, as: UTF8.self).utf16 { bytes += little(Int(unit), 2) }
      return bytes
    }
    var sidecars = (packets + wide).map { (parser: "sidecar", bytes: $0) }
    sidecars += TinySidecars.aae.map { ("aae", $0) }
    sidecars += TinySidecars.takeout.map { ("takeout", $0) }
    return sidecars
  }()

  /// Configurations of decoders behind the byte that says which coding it is, and how long a unit of a sample
  /// behind it is: of x264 and of x265 with real parameter sets, alone and before a unit of eight bytes, and
  /// made ones.
  private static let configurations: [(parser: String, bytes: [UInt8])] = {
    let real = [
      "0001f4001fffe1001967f4001f919b280a00b742000003000200000300501e30632c01000668ebec448440",
      "01010370000000000000000000fff000fcfdf8f800000f03200001001840010c01ffff03700000030090"
        + "00000300000300ffba0240210001002b4201010370000003009000000300000300ffa020810596ea4929"
        + "ae6e04040c08000003000800000300084022000100064401c1718912",
    ]
    var seeds = real.compactMap { Hexadecimal.bytes($0) }
    let units: [[UInt8]] = [[6, 5, 4, 1, 2, 3, 4, 0x80], [78, 1, 5, 3, 1, 2, 3, 0x80]]
    for (set, unit) in zip(seeds, units) {
      seeds.append([8 | set[0]] + set.dropFirst() + unit)
    }
    seeds.append([2] + TinyCoded.av1C(TinyCoded.obu(1, TinyCoded.sequenceHeader)).dropFirst(8))
    seeds.append([1] + TinyCoded.hvcC().dropFirst(8))
    return seeds.map { ("parameters", $0) }
  }()

  /// A store of content credentials with JSON and CBOR, and CBOR of each kind of item.
  private static let credentials: [(parser: String, bytes: [UInt8])] = {
    let key = { (text: String) in [0x60 + UInt8(text.utf8.count)] + Array(text.utf8) }
    var map: [UInt8] = [0xA4] + key("claim_generator") + key("Tool 1.0")
    map += key("list") + [0x9F, 0x01, 0x20, 0x42, 1, 2, 0xFF]
    map += key("open") + [0xBF] + key("a") + [0xC1, 0x1A, 0, 0, 0, 1, 0xFF]
    map += key("null") + [0xF6]
    let json = isoBox("json", Array(#"{"author":[{"name":"Ada"}],"empty":""}"#.utf8))
    let inner = isoBox("jumb", isoBox("jumd", []), json)
    let text = Array(#"{"list":[{"a":null},{"b":[1]}]}"#.utf8)
    return [map, text, isoBox("jumb", inner, isoBox("cbor", map))].map { ("credentials", $0) }
  }()

  @Test(
    "Every parser has some",
    .enabled(if: FuzzSeeds.folder != nil, "written where MEDIABATCH_FUZZ_SEEDS says")
  )
  func write() throws {
    let folder = try #require(FuzzSeeds.folder)
    let seeds =
      Self.slots + Self.archives + Self.tars + Self.sidecars + Self.configurations + Self.credentials
      + Self.tracks
    let parsers = try FuzzSeeds.write(seeds, to: folder)
    for parser in [
      "jpeg", "png", "webp", "gif", "bmp", "tiff", "dng", "heif", "jp2", "jxl", "picture", "exif",
      "xmp", "icc", "iptc", "movie", "audio", "film", "zip", "tar", "tgz", "sidecar", "aae", "takeout",
      "track", "places", "parameters", "credentials",
    ] { #expect(parsers[parser, default: 0] > 0, "\(parser)") }
  }

  @Test("The configurations and credentials among them are read")
  func coding() throws {
    for (_, bytes) in Self.configurations {
      // As the fuzzer takes them: the first byte has the coding, and the length of a unit behind in fours.
      let type = (["avcC", "hvcC", "av1C", "hvcC"] as [FourCharacterCode])[Int(bytes[0] & 3)]
      let body = Array(bytes.dropFirst().dropLast(4 * Int(bytes[0] >> 2)))
      let written = try withSource(body) {
        try DecoderConfiguration(type, 0..<body.count, of: $0).body
      }
      #expect(written.starts(with: body.prefix(5)), "\(type)")
    }
    let store = try #require(Self.credentials.last)
    #expect(
      ContentCredentials.names(in: store.bytes)
        == ["a", "author", "claim_generator", "list", "name", "open"]
    )
  }

  @Test("The archives and sidecars among them are whole")
  func whole() throws {
    for archive in Self.archives {
      try withSource(archive.bytes) { source in
        let archive = try ZIPArchive(source)
        var entries: [ArchiveEntry] = []
        try archive.forEachFile { entries.append($0) }
        for entry in entries { try archive.content(of: entry) { _ in } }
      }
    }
    for archive in Self.tars where archive.parser == "tgz" {
      try withSource(archive.bytes) { source in
        var entries: [ArchiveEntry] = []
        try TGZArchive(source).forEachFile {
          entries.append($0)
        } onPoint: { _ in
        }
        for entry in entries where entry.method == 0 {
          try TGZArchive(source).content(of: entry, from: nil) { _ in }
        }
        #expect(entries.count == 5)
      }
    }
    var whole: [String: Int] = [:]
    for (parser, bytes) in Self.sidecars {
      let format = try #require(SidecarFormat(rawValue: parser == "sidecar" ? "xmp" : parser))
      let isWhole = withSource(bytes) {
        (try? SidecarReader.description(of: $0, format: format)) != nil
      }
      if isWhole { whole[parser, default: 0] += 1 }
    }
    #expect(whole["aae"] == TinySidecars.aae.count)
    #expect(whole["takeout"] == TinySidecars.takeout.count)
    // A packet within a JPEG may be a part of one.
    #expect(whole["sidecar", default: 0] > 5)
  }
}
