import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Movies: what except keeps")
struct MovieValuesTests {
  private static let all: StripOptions = StripOptions(
    except: [.creationDate, .location, .camera, .lens, .copyright, .caption, .rating]
  )

  static func named(_ values: [(String, String)]) -> [UInt8] {
    let keys = values.flatMap { isoBox("mdta", Array("com.apple.quicktime.\($0.0)".utf8)) }
    let list = values.enumerated().flatMap { index, entry in
      let data = isoBox("data", big(1), big(0), Array(entry.1.utf8))
      return big(data.count + 8) + big(index + 1) + data
    }
    return isoBox(
      "meta",
      isoFullBox("hdlr", big(0) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 13)),
      isoFullBox("keys", big(values.count), keys),
      isoBox("ilst", list)
    )
  }

  static var full: MovieFixture {
    var movie = TinyMovie.film
    movie.isQuickTime = true
    movie.inMovie = named([
      ("creationdate", "2025-01-01T11:06:46+0900"), ("make", "Maker"), ("model", "Model 1"),
      ("camera.lens_model", "Lens 1"),
      ("title", "A title"), ("description", "A caption"), ("copyright", "© Somebody"),
      ("author", "Somebody"), ("rating.user", "4"),
      ("location.ISO6709", "+35.7143+139.7963+007.400/"),
      ("content.identifier", "71DCA213-5710-4A6C-BC6D-CE6306AEB8D8"), ("software", "18.2"),
      ("location.accuracy.horizontal", "9.66"),
    ])
    return movie
  }

  private func kept(_ output: [UInt8]) -> KeptMetadata {
    withSource(output) { MovieValues.own(in: $0) }
  }

  @Test("All that is excepted is written anew, and nothing else", arguments: [false, true])
  func everything(isQuickTime: Bool) throws {
    var movie = Self.full
    movie.isQuickTime = isQuickTime
    let output = try stripMovie(movie.bytes, Self.all).output
    let kept = kept(output)
    #expect(
      kept.creationDate
        == CaptureDate(local: "2025-01-01T11:06:46", offsetMinutes: 540, tag: "DateTimeOriginal")
    )
    #expect(kept.make == "Maker" && kept.model == "Model 1" && kept.rating == 4)
    #expect(kept.lensModel == "Lens 1")
    #expect(kept.title == "A title" && kept.caption == "A caption")
    #expect(kept.copyright == "© Somebody" && kept.creator == "Somebody")
    #expect(
      kept.location
        == Coordinate(latitude: 357_143_000, longitude: 1_397_963_000, altitudeMillimeters: 7400)
    )
    #expect(kept.contentIdentifier == nil)
    for text in ["18.2", "9.66", "71DCA213"] { #expect(!output.contains(text)) }
    // 2025-01-01T02:06:46 in UTC, from 1904.
    let header = read(output)
    let mvhd = try #require(header.body(["moov", "mvhd"], in: 0..<output.count))
    #expect(header.number(mvhd.lowerBound + 4, 4) == 1_735_697_206 + 2_082_844_800)
    #expect(try stripMovie(output, Self.all).output == output)
    #expect(try stripMovie(output).output == (try stripMovie(movie.bytes).output))
  }

  @Test("One word keeps its own value alone", arguments: MetadataException.allCases)
  func oneWord(_ exception: MetadataException) throws {
    let options = StripOptions(except: [exception])
    let output = try stripMovie(Self.full.bytes, options).output
    let values = withSource(Self.full.bytes) { MovieValues.all(in: $0) }
    #expect(kept(output) == values.limited(to: options))
    if ![.hdrGainMap, .contentCredentials].contains(exception) { #expect(!kept(output).isEmpty) }
  }

  @Test("A coarse place is on the grid, with no height, and passes once more")
  func coarse() throws {
    let options = StripOptions(except: [.location], isLocationCoarse: true)
    let output = try stripMovie(Self.full.bytes, options).output
    #expect(kept(output).location == Coordinate(latitude: 357_000_000, longitude: 1_398_000_000))
    #expect(!output.contains("35.71") && !output.contains("7.400"))
    #expect(try stripMovie(output, options).output == output)
    // An output that says more than its options keep is not let through.
    let exact = try stripMovie(Self.full.bytes, StripOptions(except: [.location])).output
    #expect(
      code { try withSource(exact) { try MovieStripper.verify(output: $0, options: options) } }
        == .residue
    )
  }

  @Test("Both halves of a live photo get the same fresh identifier")
  func pairing() throws {
    let key = [UInt8](repeating: 5, count: 32)
    let output = try stripMovie(Self.full.bytes, StripOptions(pairingKey: key)).output
    let original = "71DCA213-5710-4A6C-BC6D-CE6306AEB8D8"
    let fresh = LivePhotoIdentifier.fresh(original: original, key: key)
    #expect(kept(output).contentIdentifier == fresh && fresh != original)
    #expect(!output.contains(original))
    #expect(code { _ = try stripMovie(output, StripOptions(pairingKey: key)) } == nil)
    let look = code {
      try withSource(output) { try MovieStripper.verify(output: $0, options: StripOptions()) }
    }
    #expect(look == .residue)
  }

  @Test("0, 0 is no location of a movie, in any of its notations")
  func nowhere() throws {
    let text = { (value: String) in
      isoBox("\u{A9}xyz", big(value.utf8.count, 2) + [0x15, 0xC7] + Array(value.utf8))
    }
    let place = { (longitude: Int) in
      isoFullBox("loci", [0x15, 0xC7] + Array("Sea\0".utf8) + [0] + big(longitude) + big(0) + big(0))
    }
    let cases: [(inMovie: [UInt8], isPlace: Bool)] = [
      (isoBox("udta", text("+00.0000+000.0000/")), false),
      (isoBox("udta", text("-00.0000-000.0000+0.000/")), false),
      (isoBox("udta", text("+00.0000+000.5000/")), true), (isoBox("udta", place(0)), false),
      (isoBox("udta", place(65536)), true),
      (Self.named([("location.ISO6709", "+00.0000+000.0000+000.000/")]), false),
      (Self.named([("location.ISO6709", "+00.0000+001.0000+000.000/")]), true),
    ]
    for (index, entry) in cases.enumerated() {
      var movie = TinyMovie.film
      movie.inMovie = entry.inMovie
      let bytes = movie.bytes
      #expect(try statesPlace(bytes) == entry.isPlace, "\(index)")
      let described = withSource(bytes) { MovieValues.described(in: $0) }
      #expect((described.values.location != nil) == entry.isPlace, "\(index)")
      let options = StripOptions(except: [.location])
      let output = try stripMovie(bytes, options).output
      #expect((kept(output).location != nil) == entry.isPlace, "\(index)")
      // An inspection marks it as kept only if it is written again.
      let entries = try withSource(bytes) { source in
        var listing = MetadataListing(options: options, showsValues: true)
        try MovieStripper.list(source, into: &listing)
        return listing.entries
      }
      #expect(entries.contains { !$0.isRemoved } == entry.isPlace, "\(index)")
    }
  }

  @Test("Older kinds of tags are read: QuickTime's, iTunes', 3GPP's")
  func olderTags() throws {
    let text = { (type: String, value: String) in
      big(value.utf8.count + 12) + [0xA9] + Array(type.utf8) + big(value.utf8.count, 2) + [
        0x15, 0xC7,
      ]
        + Array(value.utf8)
    }
    var movie = TinyMovie.film
    movie.inMovie = isoBox(
      "udta",
      text("xyz", "-33.8568+151.2153/"),
      text("mak", "Old"),
      text("day", "2011-12-13T14:15:16Z")
    )
    let kept = withSource(movie.bytes) { MovieValues.all(in: $0) }
    #expect(kept.location == Coordinate(latitude: -338_568_000, longitude: 1_512_153_000))
    #expect(kept.make == "Old")
    #expect(kept.creationDate?.local == "2011-12-13T14:15:16")
    let place =
      [0x15, 0xC7] + Array("Paris\0".utf8) + [0] + big(150_352) + big(3_201_819) + big(65536)
    movie.inMovie = isoBox(
      "udta",
      isoFullBox("loci", place),
      isoFullBox("titl", [0x15, 0xC7, 0xFE, 0xFF, 0, 0x41, 0, 0])
    )
    let second = withSource(movie.bytes) { MovieValues.all(in: $0) }
    #expect(second.location?.latitude == 488_558_807 && second.location?.longitude == 22_941_895)
    #expect(second.title == "A")
    let item = { (type: String, value: String) in
      isoBox(type, isoBox("data", big(1), big(0), Array(value.utf8)))
    }
    movie.inMovie = isoBox(
      "udta",
      isoFullBox("meta", isoBox("ilst", item("desc", "Caption"), item("cprt", "Rights")))
    )
    let third = withSource(movie.bytes) { MovieValues.all(in: $0) }
    #expect(third.caption == "Caption" && third.copyright == "Rights")
  }
}
