import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("What inspect lists")
struct MetadataInspectorTests {
  static func entries(
    _ bytes: [UInt8],
    _ options: StripOptions = StripOptions(),
    showsValues: Bool = false
  ) throws -> [InspectedEntry] {
    try withSource(bytes) {
      try MetadataInspector.entries(of: $0, format: .jpeg, options: options, showsValues: showsValues)
    }
  }

  static let sample: [UInt8] = {
    let exif = TinyTIFF.block(
      [.short(0x0112, 6), .text(0x010F, "Examplar"), .text(0x0131, "1.0\u{1B}[31m")],
      exif: [.text(0x9003, "2026:11:21 01:44:39")],
      location: [.text(1, "N"), .degrees(2), .text(3, "E"), .degrees(4)]
    )
    let profile = TinyICC.profile(TinyICC.colors + [.text("dmdd", "canary")])
    let xmp =
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
      + "xmlns:dc='http://purl.org/dc/elements/1.1/' dc:title='Quay' dc:source='x'/></rdf:RDF>"
    let dataset = [0x1C, 2, 116] + big(3, 2) + Array("Ada".utf8)
    let resource = Array("8BIM".utf8) + big(0x0404, 2) + [0, 0] + big(dataset.count) + dataset
    return TinyJPEG.file(
      TinyJPEG.jfif + TinyJPEG.segment(0xE1, "Exif\0\0", exif)
        + TinyJPEG.segment(0xE1, JPEGMetadata.xmpIdentifier, Array(xmp.utf8))
        + TinyJPEG.segment(0xE2, "ICC_PROFILE\0", [1, 1] + profile)
        + TinyJPEG.segment(0xED, "Photoshop 3.0\0", resource)
        + TinyJPEG.segment(0xFE, "", Array("comment".utf8)),
      after: [1, 2, 3]
    )
  }()

  @Test("Every place has its path, its bytes, and whether strip takes it out")
  func places() throws {
    let entries = try Self.entries(Self.sample)
    let removed = Dictionary(uniqueKeysWithValues: entries.map { ($0.path, $0.isRemoved) })
    let expected: [String: Bool] = [
      "APP0 JFIF": false, "APP1 Exif/IFD0/Orientation": false, "APP1 Exif/IFD0/Make": true,
      "APP1 Exif/IFD0/Software": true, "APP1 Exif/ExifIFD/DateTimeOriginal": true,
      "APP1 Exif/GPS/GPSLatitude": true, "APP1 XMP/dc:title": true, "APP1 XMP/dc:source": true,
      "APP2 ICC_PROFILE/rTRC": false, "APP2 ICC_PROFILE/dmdd": true,
      "APP13 Photoshop/0x0404 IPTC/2:116 CopyrightNotice": true, "COM": true, "trailer": true,
    ]
    for (path, isRemoved) in expected { #expect(removed[path] == isRemoved, "\(path)") }
    let make = try #require(entries.first { $0.path.hasSuffix("Make") })
    let value = Self.sample[Int(make.offset)...].prefix(Int(make.byteCount))
    #expect(value.elementsEqual("Examplar\0".utf8))
    let trailer = try #require(entries.last)
    #expect(trailer.offset == UInt64(Self.sample.count - 3) && trailer.byteCount == 3)
    #expect(entries.allSatisfy { $0.value == nil })
  }

  @Test("What is excepted counts as kept")
  func excepted() throws {
    let options = StripOptions(except: [.camera, .location, .caption, .copyright])
    let kept = Set(try Self.entries(Self.sample, options).filter { !$0.isRemoved }.map(\.path))
    #expect(
      kept.isSuperset(of: [
        "APP1 Exif/IFD0/Make", "APP1 Exif/GPS/GPSLatitude", "APP1 XMP/dc:title",
        "APP13 Photoshop/0x0404 IPTC/2:116 CopyrightNotice",
      ])
    )
    #expect(!kept.contains("APP1 Exif/ExifIFD/DateTimeOriginal"))
    #expect(!kept.contains("APP1 XMP/dc:source"))
  }

  @Test("Values are there when asked for, as one line that a terminal may show")
  func values() throws {
    let entries = try Self.entries(Self.sample, showsValues: true)
    let values = Dictionary(uniqueKeysWithValues: entries.map { ($0.path, $0.value) })
    #expect(values["APP1 Exif/IFD0/Make"] == "Examplar")
    #expect(values["APP1 Exif/GPS/GPSLatitude"] == "48/1 51/1 30/1")
    #expect(values["APP1 XMP/dc:title"] == "Quay")
    #expect(values["APP2 ICC_PROFILE/dmdd"] == "canary")
    #expect(values["COM"] == "comment")
    for value in values.values.compactMap({ $0 }) {
      #expect(!value.unicodeScalars.contains { $0.value < 0x20 } && value.count <= 400)
    }
  }

  @Test("Whatever strip removes is listed as removed", arguments: CanariesJPEG.slots)
  func complete(slot: CanariesJPEG.Slot) throws {
    let entries = try Self.entries(slot.bytes)
    let removed = entries.contains { $0.isRemoved }
    // A profile's header and padding have no place of their own, and neither has a JFIF thumbnail.
    let hasPlace = !["ICC header", "ICC behind", "ICC slack", "ICC instead", "JFIF", "Adobe"]
      .contains {
        slot.description.hasPrefix($0)
      }
    let isSlack = slot.description == "Exif slack"
    #expect(removed || !hasPlace || isSlack)
  }

  @Test("The entries of a hostile file are bounded")
  func bounded() throws {
    let segments = (0..<20_000).flatMap { _ in TinyJPEG.segment(0xFE, "", []) }
    #expect(try Self.entries(TinyJPEG.file(segments)).count == MetadataListing.maximumEntries)
  }
}
