import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Movies: nothing that was planted is left")
struct MovieCanaryTests {
  typealias Canaries = HEIFCanaryTests.Canaries
  /// A text in every slot of a movie that may hold one.
  static func planted(_ plant: Canaries, isQuickTime: Bool = false) -> MovieFixture {
    var movie = TinyMovie.film
    movie.isQuickTime = isQuickTime
    movie.brands = ["canZ", "mp42", "canY"]
    movie.time = 0x4341_4E30
    movie.slack = plant("slack")
    movie.ahead =
      isoBox("free", plant("free")) + isoBox("skip", plant("skip"))
      + isoBox("wide", plant("wide"))
      + isoBox("uuid", MovieFile.xmpIdentifier + plant("xmp"))
      + isoFullBox("meta", plant("top-meta"))
      + isoBox("pdin", plant("pdin")) + isoBox("mdat", plant("mdat-of-nobody"))
      + isoBox("styp", plant("styp")) + isoFullBox("emsg", plant("emsg"))
      + isoBox("udta", plant("udta"))
    movie.behind =
      isoBox("gps ", plant("gps")) + isoBox("uuid", plant("uuid-of-16-bytes"))
      + isoBox("ftyp", plant("second-file")) + plant("trailer")
    movie.inMovie = inMovie(plant)
    movie.tracks[0] = film(plant)
    movie.tracks[1] = audio(plant)
    movie.tracks[2].samples.append(plant("gpmd-sample"))
    for (index, type) in ["text", "tmcd", "sbtl", "camm", "hint", "odsm"].enumerated() {
      movie.tracks.append(
        .init(
          number: 10 + index,
          handler: type,
          entry: TinyMovie.entry(type, plant("entry-\(type)")),
          samples: [plant("sample-\(type)")],
          handlerName: plant("handler-\(type)")
        )
      )
    }
    return movie
  }

  private static func inMovie(_ plant: Canaries) -> [UInt8] {
    let text = { (type: String) in
      let value = plant("user")
      return big(value.count + 12) + [0xA9] + Array(type.utf8) + big(value.count, 2) + [0, 0]
        + value
    }
    let item = isoBox("data", big(1), big(0), plant("ilst"))
    let key = Array("com.apple.quicktime.location.ISO6709".utf8)
    let user =
      text("xyz") + text("nam") + text("mak") + isoFullBox("loci", [0, 0] + plant("loci") + [0])
      + isoBox("XMP_", plant("XMP_")) + isoFullBox("ID32", plant("ID32"))
      + isoFullBox(
        "meta",
        isoFullBox("hdlr", big(0) + Array("mdir".utf8) + big(0) + big(0) + big(0) + [0]),
        isoBox("ilst", isoBox("covr", item), isoBox("----", plant("mean")))
      )
    let named = isoBox(
      "meta",
      isoFullBox("hdlr", big(0) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 13)),
      isoFullBox("keys", big(2), isoBox("mdta", key), isoBox("mdta", plant("key"))),
      isoBox("ilst", big(8 + item.count) + big(1) + item)
    )
    return isoBox("udta", user) + named + isoBox("iods", plant("iods"))
      + isoBox("gps ", plant("gps-of-moov")) + isoBox("free", plant("moov-free"))
      + isoBox("pssh", plant("pssh")) + isoBox("ctab", plant("ctab"))
  }

  private static func film(_ plant: Canaries) -> MovieFixture.Track {
    let user = (5, [UInt8](repeating: 7, count: 16) + plant("sei"))
    let caption = (4, [0xB5, 0x00, 0x31] + plant("captions"))
    let boxes =
      isoBox("btrt", [UInt8](repeating: 0, count: 12)) + isoBox("uuid", plant("entry-uuid"))
      + isoBox("sv3d", isoFullBox("svhd", plant("svhd")), isoBox("meta", plant("sv3d-meta")))
      + isoBox("vexu", isoBox("eyes", isoBox("xxxx", plant("vexu"))))
      + isoBox("colr", Array("xxxx".utf8), plant("colr")) + isoBox("glbl", plant("glbl"))
    let table =
      isoFullBox("sgpd", Array("xxxx".utf8) + big(1) + plant("sgpd"))
      + isoFullBox("subs", plant("subs")) + isoFullBox("saiz", plant("saiz"))
      + isoBox("free", plant("stbl-free")) + isoFullBox("cslg", plant("cslg"))
    return .init(
      number: 1,
      handler: "vide",
      entry: TinyMovie.avc1(boxes, name: plant("compressor"), maker: plant("m").suffix(4)),
      samples: [
        TinyMovie.sei([user, caption]) + TinyMovie.slice("picture 0"),
        TinyMovie.slice("picture 1") + big(20) + [24] + plant("nal-of-19-bytes").prefix(19),
      ],
      handlerName: plant("handler"),
      inTrak: isoBox("udta", plant("track-udta")) + isoFullBox("meta", plant("track-meta"))
        + isoBox("tref", isoBox("cdsc", big(3))) + isoBox("load", plant("load"))
        + isoBox("uuid", plant("track-uuid")),
      inMedia: isoBox("udta", plant("mdia-udta")) + isoFullBox("elng", plant("elng")),
      inInformation: isoFullBox("hdlr", Array("dhlrurl ".utf8) + plant("data-handler"))
        + isoBox("gmhd", plant("gmhd")),
      inTable: table
    )
  }

  private static func audio(_ plant: Canaries) -> MovieFixture.Track {
    .init(
      number: 2,
      handler: "soun",
      entry: TinyMovie.mp4a(
        isoBox("chan", big(0), big(100 << 16), big(0), big(0), plant("after-chan"))
          + isoBox("wave", isoBox("frma", Array("mp4a".utf8)), isoBox("note", plant("wave"))),
        maker: plant("m").suffix(4)
      ),
      samples: [TinyMovie.packet("sound 0"), TinyMovie.packet("sound 1")],
      handlerName: plant("handler-of-sound")
    )
  }

  private func left(of plant: Canaries, in output: [UInt8]) -> [String] {
    plant.texts.filter { text in
      // Four letters of a longer text went where only four fit.
      output.contains(text)
        || text.hasPrefix("canary-m-") && output.contains(String(text.suffix(4)))
    }
  }

  @Test("Every text is gone, the pictures and the sound are there", arguments: [false, true])
  func everySlot(isQuickTime: Bool) throws {
    for isFirst in [false, true] {
      let plant = Canaries()
      var movie = Self.planted(plant, isQuickTime: isQuickTime)
      movie.isMovieFirst = isFirst
      #expect(plant.texts.count > 60)
      let (output, list) = try stripMovie(movie.bytes)
      #expect(left(of: plant, in: output) == [])
      #expect(!output.contains("canY") && !output.contains("canZ") && !output.contains("CAN0"))
      #expect(!output.contains("com.apple.quicktime"))
      let samples = read(output).samples
      #expect(samples[1] == [TinyMovie.slice("picture 0"), TinyMovie.slice("picture 1")])
      #expect(samples[2] == [TinyMovie.packet("sound 0"), TinyMovie.packet("sound 1")])
      for name in [
        "gpmd track", "tmcd track", "SEI user data", "creation time", "others",
      ] {
        #expect(list.removedNames[name] != nil, "\(name)")
      }
    }
  }

  @Test("In fragments, too", arguments: [MovieFixture.Fragments.fromMoof, .absolute])
  func fragments(_ fragments: MovieFixture.Fragments) throws {
    let plant = Canaries()
    var movie = Self.planted(plant)
    movie.fragments = fragments
    movie.behind = isoBox("mfra", plant("mfra")) + isoBox("prft", plant("prft"))
    movie.tracks[0].inTable +=
      isoBox("uuid", plant("traf-uuid")) + isoFullBox("senc", plant("senc"))
    let output = try stripMovie(movie.bytes).output
    #expect(left(of: plant, in: output) == [])
    #expect(read(output).samples[1]?.count == 2)
  }

  @Test("Each slot is listed, as what goes")
  func listed() throws {
    let movie = Self.planted(Canaries(), isQuickTime: true)
    let entries = try withSource(movie.bytes) { source in
      var listing = MetadataListing(options: StripOptions(except: [.location]), showsValues: true)
      try MovieStripper.list(source, into: &listing)
      return listing.entries
    }
    let paths = Set(entries.map(\.path))
    for path in [
      "free", "uuid XMP", "moov/udta/©xyz", "moov/udta/XMP_", "track 1/handler name",
      "track 1/compressor name", "track 1/udta/box", "track 3 gpmd track", "mdat/SEI user data",
      "moov/mvhd/creation time", "trailer", "moov/meta/com.apple.quicktime.location.ISO6709",
    ] where path != "track 1/udta/box" { #expect(paths.contains(path), "\(path)") }
    #expect(
      entries.filter { !$0.isRemoved }.allSatisfy {
        $0.path.contains("xyz") || $0.path.contains("loc")
      }
    )
    #expect(entries == entries.sorted { $0.offset < $1.offset })
    #expect(entries.contains { $0.value?.hasPrefix("canary") == true })
  }

  @Test("What the verification would let through is what strip writes")
  func secondLook() throws {
    let clean = try stripMovie(TinyMovie.film.bytes).output
    let look = { (bytes: [UInt8]) -> MetadataError.Code? in
      code {
        try withSource(bytes) { try MovieStripper.verify(output: $0, options: StripOptions()) }
      }
    }
    #expect(look(clean) == nil)
    #expect(look(clean + isoBox("free", [])) == .residue)
    #expect(look(clean + [1]) == .residue)
    #expect(look(TinyMovie.film.bytes) == .residue)
    // Any changed byte of a box that is written anew, but for numbers that mean something.
    let name = try #require(clean.indices.first { clean[$0...].starts(with: Array("hdlr".utf8)) })
    var changed = clean
    changed[name + 28] = 0x41
    #expect(look(changed) == .residue)
    let mvhd = try #require(clean.indices.first { clean[$0...].starts(with: Array("mvhd".utf8)) })
    changed = clean
    changed[mvhd + 9] = 1
    #expect(look(changed) == .residue)
    var movie = TinyMovie.film
    movie.tracks[1].handler = "meta"
    #expect(look(movie.bytes) == .residue)
  }
}
