import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("The projection of a film of all around")
struct SphericalVideoTests {
  private static let values = [
    ("Spherical", "true"), ("Stitched", "true"), ("ProjectionType", "equirectangular"),
    ("StereoMode", "top-bottom"), ("FullPanoWidthPixels", "3840"),
    ("FullPanoHeightPixels", "2000"), ("CroppedAreaImageWidthPixels", "3840"),
    ("CroppedAreaImageHeightPixels", "1000"), ("CroppedAreaLeftPixels", "0"),
    ("CroppedAreaTopPixels", "500"),
  ]
  private static let others = [
    ("StitchingSoftware", "Jane Doe"), ("SourceCount", "6"), ("Timestamp", "1795225479"),
    ("InitialViewHeadingDegrees", "271"),
  ]

  private static func packet(_ values: [(String, String)]) -> String {
    let elements = values.map { "<GSpherical:\($0.0)>\($0.1)</GSpherical:\($0.0)>" }.joined()
    return "<?xml version=\"1.0\"?><rdf:SphericalVideo "
      + "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
      + "xmlns:GSpherical=\"http://ns.google.com/videos/1.0/spherical/\"> \(elements)"
      + "</rdf:SphericalVideo>"
  }

  private static func box(_ packet: String) -> [UInt8] {
    let identifier: [UInt8] = [
      0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 2, 0x52, 0x1F, 0xDD,
    ]
    return isoBox("uuid", identifier + Array(packet.utf8))
  }

  private static func film(_ packet: String, _ boxes: [UInt8] = []) -> [UInt8] {
    var movie = TinyMovie.film
    movie.tracks[0].entry = TinyMovie.avc1(boxes)
    movie.tracks[0].inTrak = box(packet)
    return movie.bytes
  }

  /// A film of the first format, for the fuzzer.
  static let seed = film(packet(others + values))

  /// `sv3d` with these borders, with a text where a program writes its name.
  private static func sphere(_ borders: [Int], source: String = "") -> [UInt8] {
    isoBox(
      "sv3d",
      isoFullBox("svhd", Array(source.utf8) + [0]),
      isoBox(
        "proj",
        isoFullBox("prhd", [UInt8](repeating: 0, count: 12)),
        isoFullBox("equi", borders.flatMap { big($0) })
      )
    )
  }

  private static func verdict(_ bytes: [UInt8]) -> MetadataError.Code? {
    withSource(bytes) { source in code { try Stripper.verify(output: source, format: .mp4) } }
  }

  private static func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    Data(bytes).range(of: Data(part)) != nil
  }

  @Test("The first format becomes the second one, without texts, times, counts and the view")
  func rewritten() throws {
    let bytes = Self.film(Self.packet(Self.others + Self.values))
    let (output, list) = try strip(bytes, .mp4)
    let sphere = Self.sphere([1 << 30, 1 << 30, 0, 0])
    #expect(Self.holds(output, isoFullBox("st3d", [1]) + sphere))
    #expect(list.removedNames["uuid of a track"] == 1)
    for text in ["Jane Doe", "1795225479", "GSpherical", "271"] { #expect(!output.contains(text)) }
    #expect(try strip(output, .mp4).output == output)
    #expect(MovieReader(output).samples[1] == MovieReader(bytes).samples[1])
  }

  @Test("A film that is not said to be spherical in a known way gets no projection")
  func flat() throws {
    let plain = try strip(TinyMovie.film.bytes, .mp4).output
    for (name, value) in [
      ("Spherical", "false"), ("Stitched", "false"), ("ProjectionType", "fisheye"),
      ("ProjectionType", ""),
    ] {
      let values = Self.values.map { $0.0 == name ? (name, value) : $0 }
      #expect(try strip(Self.film(Self.packet(values)), .mp4).output == plain, "\(name) \(value)")
    }
    for packet in ["", "Spherical true", "<a><b>", Self.packet([]), "\0"] {
      #expect(try strip(Self.film(packet), .mp4).output == plain)
    }
  }

  @Test("Numbers that cannot be leave a whole sphere, and a mode that cannot be one for one eye")
  func numbers() throws {
    let whole = Self.sphere([0, 0, 0, 0])
    for (name, value) in [
      ("CroppedAreaTopPixels", "1001"), ("CroppedAreaTopPixels", "-1"),
      ("FullPanoHeightPixels", "0"), ("FullPanoHeightPixels", "999999999999999999999"),
      ("CroppedAreaImageWidthPixels", "Jane"), ("FullPanoWidthPixels", ""),
    ] {
      let values = Self.values.map { $0.0 == name ? (name, value) : $0 }
        .filter { $0.0 != "StereoMode" }
      let output = try strip(Self.film(Self.packet(values)), .mp4).output
      #expect(Self.holds(output, whole) && !output.contains("st3d"), "\(name) \(value)")
    }
    for mode in ["mono", "Jane Doe"] {
      let values = Self.values.prefix(3) + [("StereoMode", mode)]
      let output = try strip(Self.film(Self.packet(Array(values))), .mp4).output
      #expect(Self.holds(output, whole) && !output.contains("st3d"))
    }
    let sides = Self.values.prefix(3) + [("StereoMode", "left-right")]
    let output = try strip(Self.film(Self.packet(Array(sides))), .mp4).output
    #expect(Self.holds(output, isoFullBox("st3d", [2]) + whole))
  }

  @Test("A projection of the second format stays as it is, and the first one adds nothing to it")
  func secondFormat() throws {
    let borders = [1, 2, 3, 4]
    let own = isoFullBox("st3d", [2]) + Self.sphere(borders, source: "Stitcher 3")
    for bytes in [
      Self.film(Self.packet(Self.values), own), Self.film("", own),
    ] {
      let output = try strip(bytes, .mp4).output
      #expect(Self.holds(output, isoFullBox("st3d", [2]) + Self.sphere(borders)))
      #expect(!output.contains("Stitcher"))
      #expect(!Self.holds(output, Self.sphere([1 << 30, 1 << 30, 0, 0])))
    }
    // The pictures of both eyes are known already.
    let eyes = Self.film(Self.packet(Self.values), isoFullBox("st3d", [2]))
    let expected = isoFullBox("st3d", [2]) + Self.sphere([1 << 30, 1 << 30, 0, 0])
    #expect(Self.holds(try strip(eyes, .mp4).output, expected))
  }

  @Test("The verification refuses the first format, and a text beside the second one")
  func planted() throws {
    let bytes = Self.film(Self.packet(Self.values))
    let output = try strip(bytes, .mp4).output
    let sphere = Self.sphere([1 << 30, 1 << 30, 0, 0])
    let range = try #require(Data(output).range(of: Data(sphere)))
    // The last byte of svhd's version and flags, and of its empty text.
    for offset in [19, 20] {
      var changed = output
      changed[range.lowerBound + offset] = 0x4A
      #expect(Self.verdict(changed) == .residue)
    }
    #expect(Self.verdict(bytes) == .residue && Self.verdict(output) == nil)
  }

  /// A Matroska whose tags have the first format; the video's track has the number 1.
  private static func tagged(
    _ packet: String,
    _ name: String = "SPHERICAL-VIDEO",
    targets: [UInt8] = TinyMatroska.element(0x63C5, [1]),
    settings: [UInt8] = []
  ) -> [UInt8] {
    TinyMatroska.file(
      tracks: TinyMatroska.video(settings: settings) + TinyMatroska.sound(),
      others: TinyMatroska.tag(name, Array(packet.utf8), targets: targets)
    )
  }

  /// A Matroska of the first format, for the fuzzer.
  static let matroskaSeed = tagged(packet(others + values))

  /// Projection with these borders.
  private static func projection(_ borders: [Int]) -> [UInt8] {
    let content: [UInt8] = [0, 0, 0, 0] + borders.flatMap { big($0) }
    return TinyMatroska.element(
      0x7670,
      TinyMatroska.element(0x7671, [1]) + TinyMatroska.element(0x7672, content)
    )
  }

  private static func stripped(_ settings: [UInt8]) throws -> [UInt8] {
    let tracks = TinyMatroska.video(settings: settings) + TinyMatroska.sound()
    return try strip(TinyMatroska.file(tracks: tracks), .mkv).output
  }

  @Test("A tag of a Matroska becomes its elements of a projection, and nothing else of it stays")
  func matroska() throws {
    let above = TinyMatroska.element(0x53B8, [3])
    let part = Self.projection([1 << 30, 1 << 30, 0, 0])
    let expected = try Self.stripped(above + part)
    let packet = Self.packet(Self.others + Self.values)
    for targets in [TinyMatroska.element(0x63C5, [1]), TinyMatroska.element(0x63C5, [0]), []] {
      for name in ["SPHERICAL-VIDEO", "spherical-video"] {
        let (output, list) = try strip(Self.tagged(packet, name, targets: targets), .mkv)
        #expect(output == expected)
        #expect(list.removedNames["Tag"] == 1)
        #expect(try strip(output, .mkv).output == output)
        #expect(try StreamStripperTests.entries(output, .mkv).allSatisfy { !$0.isRemoved })
      }
    }
    let sides = Self.packet(Self.values.prefix(3) + [("StereoMode", "left-right")])
    let eyes = try Self.stripped(TinyMatroska.element(0x53B8, [1]) + Self.projection([0, 0, 0, 0]))
    #expect(try strip(Self.tagged(sides), .mkv).output == eyes)
    // The elements are those of version 4.
    let version = Array(TinyMatroska.element(0x4287, [4]))
    var old = Self.tagged(packet)
    let range = try #require(Data(old).range(of: Data(version)))
    old[range.upperBound - 1] = 2
    #expect(try strip(old, .mkv).output == expected)
  }

  @Test("A tag of another track, and one beside a projection, adds nothing to a Matroska")
  func matroskaWithout() throws {
    let plain = try Self.stripped([])
    let packet = Self.packet(Self.values)
    for targets in [
      TinyMatroska.element(0x63C5, [2]), TinyMatroska.element(0x63C6, [1]),
      TinyMatroska.element(0x63C5, [UInt8](repeating: 1, count: 9)),
    ] {
      #expect(try strip(Self.tagged(packet, targets: targets), .mkv).output == plain)
    }
    for text in ["", "Spherical true", "<a><b>", "\0", Self.packet([("Spherical", "false")])] {
      #expect(try strip(Self.tagged(text), .mkv).output == plain)
    }
    #expect(try strip(Self.tagged(packet, "COMMENT"), .mkv).output == plain)
    let own = Self.projection([1, 2, 3, 4])
    #expect(try strip(Self.tagged(packet, settings: own), .mkv).output == (try Self.stripped(own)))
    // The pictures of both eyes are known already.
    let eyes = TinyMatroska.element(0x53B8, [1])
    let both = eyes + Self.projection([1 << 30, 1 << 30, 0, 0])
    #expect(try strip(Self.tagged(packet, settings: eyes), .mkv).output == (try Self.stripped(both)))
  }

  @Test("A Matroska whose tag of a projection is cut or changed anywhere ends")
  func matroskaDamaged() {
    let bytes = Self.matroskaSeed
    let tag = bytes.count - 1100
    for end in stride(from: tag, to: bytes.count, by: 7) {
      _ = code { _ = try strip(Array(bytes[..<end]), .mkv) }
    }
    for offset in stride(from: tag, to: bytes.count, by: 9) {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var changed = bytes
        changed[offset] = value
        let refusal = code {
          let output = try strip(changed, .mkv).output
          #expect(try strip(output, .mkv).output == output, "\(offset)")
        }
        #expect(refusal != .residue, "\(offset)")
      }
    }
  }

  @Test(
    "ffprobe reads the projection of a Matroska that had it in a tag",
    .enabled(if: Tool.exists("ffprobe") && Tool.exists("ffmpeg"), "no ffprobe or no ffmpeg")
  )
  func matroskaReader() throws {
    let folder = TemporaryFolder()
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Manifests/media/DCIM/100MEDIA/MOV_0010.MP4").path
    let tagged = "\(folder.path)/tagged.mkv"
    let tag = "SPHERICAL-VIDEO=\(Self.packet(Self.others + Self.values))"
    let arguments = [
      "-nostdin", "-v", "error", "-i", sample, "-c", "copy", "-metadata:s:v:0", tag, tagged,
    ]
    #expect(try Tool.run("ffmpeg", arguments).status == 0)
    let stripped = "\(folder.path)/stripped.mkv"
    let output = try strip(try readBytes(tagged), .mkv).output
    try Data(output).write(to: URL(fileURLWithPath: stripped))
    let shown = try Tool.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_streams", stripped]
    ).output
    #expect(shown.contains("projection=tiled equirectangular") && shown.contains("bound_top="))
    #expect(shown.contains("top and bottom") && !shown.contains("Jane"))
  }

  @Test(
    "ffprobe and exiftool read the projection that the source has",
    .enabled(if: Tool.exists("ffprobe") && Tool.exists("exiftool"), "no ffprobe or no exiftool")
  )
  func readers() throws {
    let folder = TemporaryFolder()
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Manifests/media/DCIM/100MEDIA/MOV_0010.MP4").path
    // The first track is the film, and moov follows the samples: no offset changes.
    var bytes = try readBytes(sample)
    let reader = MovieReader(bytes)
    let moov = try #require(reader.body(["moov"], in: 0..<bytes.count))
    let trak = try #require(reader.body(["trak"], in: moov))
    let box = Self.box(Self.packet(Array(Self.values.prefix(4)) + Self.others.prefix(3)))
    for body in [moov, trak] {
      let size = (body.lowerBound - 8)..<(body.lowerBound - 4)
      bytes.replaceSubrange(size, with: big(body.count + 8 + box.count))
    }
    bytes.insert(contentsOf: box, at: trak.upperBound)
    func sides(_ name: String, _ bytes: [UInt8]) throws -> String {
      let path = "\(folder.path)/\(name).mp4"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let arguments = [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "stream_side_data_list", path,
      ]
      return try Tool.run("ffprobe", arguments).output
    }
    let output = try strip(bytes, .mp4).output
    let before = try sides("before", bytes)
    #expect(before.contains("projection=equirectangular") && before.contains("top and bottom"))
    #expect(try sides("after", output) == before)
    let tags = try CorpusTests.exiftool(["-a", "-s", "-ee"], ["\(folder.path)/after.mp4"])[0]
    #expect(tags["Track1:Stereoscopic3D"] as? String == "Stereoscopic Top-Bottom")
    #expect(!tags.keys.contains { $0.hasPrefix("XMP") })
  }
}
