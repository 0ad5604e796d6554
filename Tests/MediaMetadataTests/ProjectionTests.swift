import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("The projection of a picture of all around")
struct ProjectionTests {
  static let values = [
    ("ProjectionType", "equirectangular"), ("UsePanoramaViewer", "True"),
    ("FullPanoWidthPixels", "4000"), ("FullPanoHeightPixels", "2000"),
    ("CroppedAreaImageWidthPixels", "4000"), ("CroppedAreaImageHeightPixels", "1000"),
    ("CroppedAreaLeftPixels", "0"), ("CroppedAreaTopPixels", "500"),
  ]
  /// What cameras and programs write beside them.
  private static let others = [
    ("PoseHeadingDegrees", "271.5"), ("PosePitchDegrees", "1"), ("InitialViewHeadingDegrees", "90"),
    ("CaptureSoftware", "Stitcher 3"), ("StitchingSoftware", "Stitcher 3"),
    ("SourcePhotosCount", "36"), ("FirstPhotoDate", "2026-11-21T01:44:39Z"),
    ("LastPhotoDate", "2026-11-21T01:45:00Z"), ("ExposureLockUsed", "True"),
  ]

  private static func packet(_ values: [(String, String)], _ inner: String = "") -> [UInt8] {
    let attributes = values.map { " GPano:\($0.0)='\($0.1)'" }.joined()
    let dublinCore = "xmlns:dc='http://purl.org/dc/elements/1.1/'"
    return ReceiptTruthTests.packet(
      "xmlns:GPano='http://ns.google.com/photos/1.0/panorama/' \(dublinCore)\(attributes)",
      inner
    )
  }

  private static func file(_ packet: [UInt8]) -> [UInt8] {
    TinyJPEG.file(TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, packet))
  }

  static let sphere = file(packet(others + values, "<dc:source>Jane Doe</dc:source>"))

  /// The projection's properties in the XMP of a JPEG.
  private static func properties(_ bytes: [UInt8]) -> [String: String] {
    withSource(bytes) { source in
      var properties: [String: String] = [:]
      for segment in JPEGSegments(source) where segment.marker == JPEGMarker.app1 {
        let packet = segment.body.dropFirst(JPEGMetadata.xmpIdentifier.utf8.count)
        for (name, values) in XMPProperties(source.bytes(in: packet, limit: 1 << 16) ?? []).all {
          properties[name.name] = values.first
        }
      }
      return properties
    }
  }

  private static func verdict(
    _ bytes: [UInt8],
    _ format: MediaFormat = .jpeg
  ) -> MetadataError.Code? {
    withSource(bytes) { source in code { try Stripper.verify(output: source, format: format) } }
  }

  @Test("Eight values survive, and neither compass, dates, counts nor names of programs")
  func closedList() throws {
    let (output, list) = try strip(Self.sphere, .jpeg)
    #expect(Self.properties(output) == Dictionary(uniqueKeysWithValues: Self.values))
    #expect(list.removedNames == ["APP1 XMP": 1])
    #expect(list.removedTags.reduce(0) { $0 + $1.count } == Self.others.count + 1)
    #expect(try strip(output, .jpeg).output == output)
    let entries = try MetadataInspectorTests.entries(Self.sphere)
    let kept = Set(entries.filter { !$0.isRemoved }.map(\.path))
    #expect(kept == Set(Self.values.map { "APP1 XMP/panorama:\($0.0)" }))
    #expect(entries.count == Self.values.count + Self.others.count + 1)
  }

  @Test("A value has one form, and another is removed")
  func forms() throws {
    let given = [
      ("ProjectionType", "Cylindrical"), ("UsePanoramaViewer", "FALSE"),
      ("FullPanoWidthPixels", "004000"), ("FullPanoHeightPixels", "2000 px"),
      ("CroppedAreaImageWidthPixels", "-1"), ("CroppedAreaImageHeightPixels", "16777216"),
      ("CroppedAreaLeftPixels", ""), ("CroppedAreaTopPixels", "Jane Doe"),
    ]
    let output = try strip(Self.file(Self.packet(given)), .jpeg).output
    let expected = [
      "ProjectionType": "cylindrical", "UsePanoramaViewer": "False",
      "FullPanoWidthPixels": "4000",
    ]
    #expect(Self.properties(output) == expected)
    #expect(try strip(output, .jpeg).output == output)
  }

  @Test("A projection that is not known is removed as a whole, and so are numbers without one")
  func unknown() throws {
    for type in [[("ProjectionType", "tinyPlanet")], [], [("UsePanoramaViewer", "False")]] {
      let packet = Self.packet(type + Self.values.dropFirst(2))
      #expect(try strip(Self.file(packet), .jpeg).output == TinyJPEG.file())
    }
    let viewer = Self.packet(Array(Self.values.dropFirst()))
    let output = try strip(Self.file(viewer), .jpeg).output
    #expect(Self.properties(output).count == 7)
  }

  @Test("It stands beside what except keeps, and beside a gain map")
  func excepted() throws {
    let inner = "<dc:rights>Ada</dc:rights>"
    let file = Self.file(Self.packet(Self.others + Self.values, inner))
    let rights = StripOptions(except: [.copyright])
    let output = try strip(file, .jpeg, rights).output
    var expected = Dictionary(uniqueKeysWithValues: Self.values)
    expected["rights"] = "Ada"
    #expect(Self.properties(output) == expected)
    #expect(try strip(output, .jpeg, rights).output == output)
    #expect(Self.verdict(output) == .residue)

    let map = GainMapTests.file(GainMapTests.xmp("hdrgm:Version='1.0' hdrgm:GainMapMax='3.5'"))
    let segment = TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, Self.packet(Self.others + Self.values))
    let both = TinyJPEG.soi + segment + map.dropFirst(2)
    let bright = try strip(both, .jpeg, GainMapTests.kept).output
    #expect(Self.properties(bright)["FullPanoWidthPixels"] == "4000")
    #expect(Self.properties(bright)["PoseHeadingDegrees"] == nil)
    #expect(GainMapTests.second(bright) != nil)
    #expect(try strip(bright, .jpeg, GainMapTests.kept).output == bright)
  }

  @Test("The verification refuses any other property, value and form")
  func planted() throws {
    let output = try strip(Self.sphere, .jpeg).output
    #expect(Self.verdict(output) == nil)
    let text = String(String.UnicodeScalarView(output.map { Unicode.Scalar($0) }))
    for (old, new) in [
      ("equirectangular", "Jane Doe, 48.13N"), ("equirectangular", "Equirectangular"),
      (">4000<", ">04000<"), (">True<", ">true<"), (">2000<", ">Jane<"),
      ("GPano:FullPanoWidthPixels", "GPano:PoseHeadingDegrees"),
      ("<GPano:UsePanoramaViewer>", " <GPano:UsePanoramaViewer>"),
    ] {
      let changed = text.replacingOccurrences(of: old, with: new)
      #expect(changed != text)
      // The segment's length follows its content.
      var bytes = changed.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      let length = (Int(bytes[4]) << 8 | Int(bytes[5])) + bytes.count - output.count
      bytes.replaceSubrange(4..<6, with: big(length, 2))
      #expect(Self.verdict(bytes) == .residue, "\(new)")
    }
    #expect(Self.verdict(Self.sphere) == .residue)
  }

  /// A picture of each format that keeps the projection beside JPEG, and of each that does not.
  private static func files(_ packet: [UInt8]) -> [(format: MediaFormat, bytes: [UInt8])] {
    var heic = HEIFFixture()
    heic.properties = [TinyCoded.hvcC(), TinyCoded.ispe(64, 48)]
    heic.items = [
      .init(number: 1, type: "hvc1", data: TinyCoded.nal(19, Array("picture".utf8)), properties: [-1, 2]),
      .init(number: 2, type: "mime", data: packet, content: Array("application/rdf+xml".utf8) + [0]),
    ]
    heic.references = [("cdsc", 2, [1])]
    let text = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet
    let tag = (tag: 0x02BC, type: 1, count: packet.count, value: packet)
    var dng = TinyDNG()
    dng.inImage = [tag]
    let webp = TinyWebP.extended(4) + riffChunk("VP8L", TinyWebP.lossless)
    return [
      (.png, TinyPNG.file(pngChunk("iTXt", text))),
      (.webp, TinyWebP.file(webp + riffChunk("XMP ", packet))), (.heic, heic.bytes),
      (.jxl, TinyJXL.file(isoBox("xml ", packet))),
      (.gif, TinyGIF.file(GIFXMP.block(packet))),
      (.tiff, TinyTIFFFile.file([tag])), (.dng, dng.bytes),
      (.jp2, TinyJP2.file(isoBox("uuid", JP2Metadata.xmp + packet))),
    ]
  }

  @Test("Other formats with a place for it keep it, too, and no more")
  func formats() throws {
    let packet = Self.packet(Self.others + Self.values, "<dc:source>Jane Doe</dc:source>")
    for (format, bytes) in Self.files(packet) {
      let output = try strip(bytes, format).output
      let isKept = format != .gif
      #expect(output.contains("<GPano:FullPanoWidthPixels>4000<") == isKept, "\(format)")
      for text in ["Pose", "Stitch", "SourcePhotos", "2026", "Jane"] {
        #expect(!output.contains(text), "\(format): \(text)")
      }
      #expect(try strip(output, format).output == output, "\(format)")
      let left = try InspectorAgreementTests.removed(output, format, StripOptions())
      #expect(left.isEmpty, "\(format): \(left)")
      #expect(Self.verdict(bytes, format) != nil, "\(format)")
    }
    // Without it there is no packet at all.
    for (format, bytes) in Self.files(Self.packet(Self.others)) {
      #expect(!(try strip(bytes, format).output.contains("GPano")), "\(format)")
    }
  }

  @Test("A packet whose length is a lie is removed, or its file is damaged")
  func lies() throws {
    let packet = Self.packet(Self.others + Self.values)
    let lengths = [0, 1, 7, packet.count / 2, packet.count + 1, 1 << 20, 0x7FFF_FFFF, 0xFFFF_FFFF]
    for (format, bytes) in Self.files(packet) where [.tiff, .dng, .jp2].contains(format) {
      let isBox = format == .jp2
      let mark = isBox ? Data("uuid".utf8) : Data([0xBC, 0x02, 1, 0])
      let range = try #require(Data(bytes).range(of: mark))
      let start = isBox ? range.lowerBound - 4 : range.upperBound
      for length in lengths {
        var changed = bytes
        changed.replaceSubrange(start..<(start + 4), with: isBox ? big(length) : little(length))
        let refusal = code {
          let output = try strip(changed, format).output
          #expect(!output.contains("Stitch") && !output.contains("Pose"), "\(format) \(length)")
          #expect(try strip(output, format).output == output, "\(format) \(length)")
        }
        #expect([nil, .damaged, .stripUnsupported].contains(refusal), "\(format) \(length)")
      }
    }
  }

  @Test(
    "exiftool reads the projection and nothing else",
    .enabled(if: Tool.exists("exiftool"), "no exiftool")
  )
  func exiftool() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/sphere.jpg"
    try Data(try strip(Self.sphere, .jpeg).output).write(to: URL(fileURLWithPath: path))
    let tags = try CorpusTests.exiftool(["-a", "-s", "-ee", "-U"], [path])[0]
    let names = tags.keys.filter { $0.hasPrefix("XMP") }
    #expect(Set(names) == Set(Self.values.map { "XMP-GPano:\($0.0)" }))
    #expect(tags["XMP-GPano:ProjectionType"] as? String == "equirectangular")
    #expect(tags["ExifTool:Warning"] == nil)
    let packet = Self.packet(Self.others + Self.values, "<dc:source>Jane Doe</dc:source>")
    for (format, bytes) in Self.files(packet) where [.tiff, .dng, .jp2].contains(format) {
      let path = "\(folder.path)/sphere.\(format.rawValue)"
      try Data(try strip(bytes, format).output).write(to: URL(fileURLWithPath: path))
      let tags = try CorpusTests.exiftool(["-a", "-s", "-ee", "-U"], [path])[0]
      let names = tags.keys.filter { $0.hasPrefix("XMP") }
      #expect(Set(names) == Set(Self.values.map { "XMP-GPano:\($0.0)" }), "\(format)")
    }
  }
}
