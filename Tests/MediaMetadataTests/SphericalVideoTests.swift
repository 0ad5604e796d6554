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
    let place = try #require(Data(output).range(of: Data(sphere)))
    // The last byte of svhd's version and flags, and of its empty text.
    for offset in [19, 20] {
      var changed = output
      changed[place.lowerBound + offset] = 0x4A
      #expect(Self.verdict(changed) == .residue)
    }
    #expect(Self.verdict(bytes) == .residue && Self.verdict(output) == nil)
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
    let found = try CorpusTests.exiftool(["-a", "-s", "-ee"], ["\(folder.path)/after.mp4"])[0]
    #expect(found["Track1:Stereoscopic3D"] as? String == "Stereoscopic Top-Bottom")
    #expect(!found.keys.contains { $0.hasPrefix("XMP") })
  }
}
