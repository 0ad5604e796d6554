import MediaModel
import Testing

@Suite("The closed table of metadata")
struct MetadataTagTests {
  static let all = (0..<MetadataTag.count).compactMap(MetadataTag.init(index:))

  @Test("Each name stands once in the table, in any case, and is found by it")
  func names() {
    #expect(Set(Self.all.map { $0.name.lowercased() }).count == MetadataTag.count)
    for tag in Self.all {
      #expect(MetadataTag(named: tag.name) == tag)
      #expect(MetadataTag(index: tag.index) == tag)
    }
    #expect(MetadataTag(named: "gpslatitude") == nil)
    #expect(MetadataTag(index: MetadataTag.count) == nil && MetadataTag(index: -1) == nil)
  }

  @Test("Each class has tags, and no tag has the name of another class")
  func classes() {
    #expect(Set(Self.all.map(\.metadataClass)) == Set(MetadataClass.allCases))
    for kind in MetadataClass.allCases {
      #expect((MetadataTag(named: kind.rawValue)?.metadataClass ?? kind) == kind)
    }
  }

  @Test(
    "A path is classified by its last component, else by the block that it is in",
    arguments: [
      ("APP1 Exif/GPS/GPSLatitude", "GPSLatitude", MetadataClass.location),
      ("APP1 Exif/GPS/0x1234", "other GPS tag", .location),
      ("gain map/APP1 Exif/IFD0/Make", "Make", .device),
      ("page 2/ExifIFD/DateTimeOriginal", "DateTimeOriginal", .time),
      ("APP1 Exif/ExifIFD/0x9999", "other Exif tag", .other),
      ("APP13 Photoshop/0x0404 IPTC/2:90 City", "2:90 City", .location),
      ("APP13 Photoshop/0x0404 IPTC/2:99", "other IPTC dataset", .other),
      ("APP1 XMP/regions:Regions", "regions:Regions", .person),
      ("APP1 XMP/exif:GPSImaginary", "other GPS tag", .location),
      ("APP1 XMP/acme:JaneDoeWasHere", "other XMP property", .other),
      ("APP1 XMP", "other XMP property", .other), ("COM", "COM", .text),
      ("APP2 ICC_PROFILE/cprt", "color profile", .other), ("iCCP/desc", "color profile", .other),
      ("moov/udta/©xyz", "©xyz", .location),
      ("moov/udta/meta/JaneDoe", "other movie value", .other),
      ("track 1/tkhd/creation time", "creation time", .time),
      ("track 2 sound track", "sound track", .soundTrack),
      ("VORBIS_COMMENT/artist", "Artist", .person),
      ("ID3v2/TXYZ", "other tag of a sound or film", .other),
      ("ID3v2/TYE", "TYE", .time), ("ID3v1/Year", "YEAR", .time),
      ("APP1 XMP/shop:Location", "other location", .location),
      ("APP1 XMP/shop:subjectLocation", "other XMP property", .other),
      ("APP1 XMP/shop:altitudeAboveSea", "other location", .location),
      ("APP1 XMP/shop:CreatorTool", "other device", .device),
      ("APP1 XMP/shop:CameraOwnerName", "other person", .person),
      ("APP1 XMP/shop:ExposureTime", "other XMP property", .other),
      ("APP1 XMP/exif:ExposureProgram", "other XMP property", .other),
      ("APP1 XMP/shop:editdate", "other time", .time),
      ("APP1 XMP/shop:candidate", "other XMP property", .other),
      ("APP1 XMP/camera-raw-settings:LensProfileEnable", "other XMP property", .other),
      ("VORBIS_COMMENT/PHOTOGRAPHER_NAME", "other person", .person),
      ("moov/udta/meta/com.example.gpslongitude", "other location", .location),
      ("Tags/location", "LOCATION", .location), ("trailer", "trailer", .other),
      ("APP11 C2PA manifest store", "C2PA manifest store", .contentCredentials),
      ("uuid C2PA manifest store/exif:GPSLatitude", "exif:GPSLatitude", .location),
      ("jumb C2PA manifest store/claim_generator", "other device", .device),
      ("APP7", "other part", .other), ("", "other part", .other),
    ]
  )
  func paths(path: String, name: String, kind: MetadataClass) {
    let tag = MetadataTag.of(path: path)
    #expect(tag.name == name)
    #expect(tag.metadataClass == kind)
  }

  @Test("A receipt says classes, or tags, in one order and with the same sum")
  func receipts() {
    let removed = ["GPSLatitude", "GPSLongitude", "Make", "trailer"].compactMap {
      MetadataTag(named: $0).map { RemovedTag($0, count: 2) }
    }
    #expect(
      ReceiptDetail.classes.receipt(of: removed) == [
        RemovedMetadata(name: "location", count: 4), RemovedMetadata(name: "device", count: 2),
        RemovedMetadata(name: "other", count: 2),
      ]
    )
    #expect(
      ReceiptDetail.tags.receipt(of: removed).map(\.name) == [
        "GPSLatitude", "GPSLongitude", "Make", "trailer",
      ]
    )
    let most = [
      RemovedTag(.of(path: "COM"), count: .max), RemovedTag(.of(path: "tEXt"), count: 3),
    ]
    #expect(ReceiptDetail.classes.receipt(of: most) == [RemovedMetadata(name: "text", count: .max)])
  }
}
