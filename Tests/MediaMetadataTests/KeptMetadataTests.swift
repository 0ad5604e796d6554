import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("What strip keeps, and how it is written anew")
struct KeptMetadataTests {
  static var all: KeptMetadata {
    var kept = KeptMetadata()
    kept.creationDate = CaptureDate(
      local: "2026-11-21T01:44:39",
      offsetMinutes: -210,
      tag: "DateTimeOriginal"
    )
    (kept.make, kept.model) = ("Examplar", "Éclair 5")
    kept.lensModel = "Éclat 50mm F1.8 & <macro>"
    (kept.title, kept.caption) = ("Harbour & <quay>", "Dawn\nover the \"harbour\" 🌅")
    (kept.copyright, kept.creator) = ("© 2026 Ada", "Ada; Grace")
    kept.rating = 4
    kept.location = Coordinate(
      latitude: -337_654_321,
      longitude: 1_512_345_678,
      altitudeMillimeters: -12_345
    )
    return kept
  }

  static let everything = StripOptions(except: Set(MetadataException.allCases))

  static func exif(_ block: [UInt8]) -> KeptMetadata {
    var metadata = FoundMetadata()
    metadata.takeExif(block)
    return metadata.merged
  }

  static func xmp(_ packet: [UInt8]) -> KeptMetadata {
    var metadata = FoundMetadata()
    metadata.takeXMP(packet)
    return metadata.merged
  }

  @Test(
    "What is written into Exif reads back the same, but for the title, which has no place there"
  )
  func exif() throws {
    let block = try #require(ExifWriter.block(orientation: 6, kept: Self.all))
    var expected = Self.all
    expected.title = nil
    #expect(Self.exif(block) == expected)
    #expect(ExifWriter.isOwn(block, under: Self.everything))
    withSource(block) { #expect(ExifReader.facts(of: $0, in: 0..<block.count).orientation == 6) }
  }

  @Test("What is written into XMP reads back the same")
  func xmp() throws {
    let alone = try #require(XMPWriter.packet(kept: Self.all, scope: .alone))
    #expect(Self.xmp(alone) == Self.all)
    #expect(XMPWriter.isOwn(alone, under: Self.everything, scope: .alone))

    let beside = try #require(XMPWriter.packet(kept: Self.all))
    var expected = Self.all
    (expected.creationDate, expected.make, expected.model, expected.location) = (nil, nil, nil, nil)
    expected.lensModel = nil
    #expect(Self.xmp(beside) == expected)
    #expect(XMPWriter.isOwn(beside, under: Self.everything))
  }

  @Test(
    "A block that says more than its options keep is not own",
    arguments: MetadataException.allCases
  )
  func moreThanKept(exception: MetadataException) throws {
    guard exception != .hdrGainMap, exception != .contentCredentials else { return }
    let only = StripOptions(except: [exception])
    let kept = Self.all.limited(to: only)
    #expect(!kept.isEmpty)
    let remaining = StripOptions(except: Self.everything.except.subtracting([exception]))
    if let block = ExifWriter.block(orientation: 1, kept: kept) {
      #expect(ExifWriter.isOwn(block, under: only))
      #expect(!ExifWriter.isOwn(block, under: remaining))
      #expect(!ExifWriter.isOwn(block, under: StripOptions()))
    }
    if let packet = XMPWriter.packet(kept: kept, scope: .alone) {
      #expect(XMPWriter.isOwn(packet, under: only, scope: .alone))
      #expect(!XMPWriter.isOwn(packet, under: remaining, scope: .alone))
    }
  }

  @Test("Nothing kept writes nothing, and an orientation alone is the 26 bytes it always was")
  func nothing() {
    #expect(ExifWriter.block(orientation: 1, kept: KeptMetadata()) == nil)
    #expect(XMPWriter.packet(kept: KeptMetadata()) == nil)
    for orientation in 2...8 {
      let block = ExifWriter.block(orientation: orientation, kept: KeptMetadata())
      #expect(block == MinimalExif.block(orientation: orientation))
    }
  }

  @Test(
    "A coarse location is on the grid of 0.1 degrees, without altitude",
    arguments: [
      (488_583_701, 22_944_810, 489_000_000, 23_000_000),
      (-488_583_701, -22_944_810, -489_000_000, -23_000_000),
      (900_000_000, 1_800_000_000, 900_000_000, 1_800_000_000),
      (-899_600_000, -1_799_999_999, -900_000_000, -1_800_000_000),
      (500_000, -499_999, 1_000_000, 0), (0, 10_000_000, 0, 10_000_000),
    ]
  )
  func coarse(latitude: Int, longitude: Int, north: Int, east: Int) throws {
    var kept = KeptMetadata()
    kept.location = Coordinate(latitude: latitude, longitude: longitude, altitudeMillimeters: 5)
    let options = StripOptions(except: [.location], isLocationCoarse: true)
    let place = try #require(kept.limited(to: options).location)
    #expect(place == Coordinate(latitude: north, longitude: east))
    #expect(place.coarse == place)
    let fine = try #require(ExifWriter.block(orientation: 1, kept: kept))
    #expect(!ExifWriter.isOwn(fine, under: options))
    let block = try #require(ExifWriter.block(orientation: 1, kept: kept.limited(to: options)))
    #expect(ExifWriter.isOwn(block, under: options))
  }

  @Test("0, 0 is no place, also where a coarse one would be there")
  func nowhere() throws {
    #expect(Coordinate(latitude: 0, longitude: 0) == nil)
    #expect(MediaDescription.Place(latitude: 0, longitude: 0) == nil)
    let near = try #require(Coordinate(latitude: 499_999, longitude: -499_999))
    #expect(near.coarse == nil)
    var kept = KeptMetadata()
    kept.location = near
    #expect(kept.limited(to: StripOptions(except: [.location], isLocationCoarse: true)).isEmpty)
  }

  @Test("Every coordinate reads back as it was written, from Exif and from XMP")
  func coordinates() throws {
    var generator = SeededGenerator()
    for _ in 0..<2000 {
      var kept = KeptMetadata()
      kept.location = Coordinate(
        latitude: Int.random(in: -900_000_000...900_000_000, using: &generator),
        longitude: Int.random(in: -1_800_000_000...1_800_000_000, using: &generator),
        altitudeMillimeters: Int.random(in: -12_000_000...100_000_000, using: &generator)
      )
      let block = try #require(ExifWriter.block(orientation: 1, kept: kept))
      #expect(Self.exif(block) == kept)
      let packet = try #require(XMPWriter.packet(kept: kept, scope: .alone))
      #expect(Self.xmp(packet) == kept)
    }
  }

  @Test("Every bit of a written block counts: a changed one is another value or not own")
  func everyBit() throws {
    let block = try #require(ExifWriter.block(orientation: 6, kept: Self.all))
    for index in block.indices {
      for bit in 0..<8 {
        var changed = block
        changed[index] ^= 1 << UInt8(bit)
        guard ExifWriter.isOwn(changed, under: Self.everything) else { continue }
        var metadata = FoundMetadata()
        metadata.takeExif(changed)
        let orientation = withSource(changed) {
          ExifReader.facts(of: $0, in: 0..<changed.count).orientation
        }
        #expect(metadata.merged != Self.exif(block) || orientation != 6, "byte \(index)")
      }
    }
    #expect(!ExifWriter.isOwn(block + [0], under: Self.everything))
  }

  @Test("A live photo's fresh identifier is the same from both halves, and not the camera's")
  func pairing() throws {
    let original = "6A3D0F4C-1B2E-4A5B-8C7D-0123456789AB"
    let key = [UInt8](repeating: 7, count: 32)
    let fresh = LivePhotoIdentifier.fresh(original: original, key: key)
    // openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…07, version and variant set by hand.
    #expect(fresh == "781BC16C-1DE5-8096-8D05-11C24ED5334B")
    #expect(LivePhotoIdentifier.fresh(original: original.lowercased(), key: key) == fresh)
    #expect(LivePhotoIdentifier.fresh(original: original, key: [UInt8](repeating: 8, count: 32)) != fresh)
    var source = KeptMetadata()
    source.contentIdentifier = original
    let note = try #require(ExifWriter.block(orientation: 1, kept: source))
    let options = StripOptions(pairingKey: key)
    let (output, _) = try strip(jpeg(exif: note), .jpeg, options)
    #expect(try facts(of: output).contentIdentifier == fresh)
    #expect(!ExifWriter.isOwn(note, under: options))
    let without = try strip(jpeg(exif: note), .jpeg)
    #expect(without.output == TinyJPEG.file())
  }
}
