import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Every place of a HEIC or AVIF that can carry something holds a text of its own.
@Suite("HEIC and AVIF: nothing that was planted is left")
struct HEIFCanaryTests {
  /// Makes texts, and remembers them.
  final class Canaries {
    private(set) var texts: [String] = []

    func callAsFunction(_ part: String) -> [UInt8] {
      let text = "canary-\(part)-\(texts.count)"
      texts.append(text)
      return Array(text.utf8)
    }

    func text(_ part: String) -> String {
      String(decoding: self(part), as: UTF8.self)
    }
  }

  /// What must survive: bytes of coded pictures.
  static let picture = Array("the primary picture".utf8)
  static let tile = Array("a tile of the picture".utf8)
  static let alpha = Array("the alpha plane".utf8)

  static func still(_ plant: Canaries) -> HEIFFixture {
    let user = { (part: String) in
      TinyCoded.sei(5, [UInt8](repeating: 7, count: 16) + plant(part))
    }
    var file = HEIFFixture()
    file.brands = ["mif1", "canB", "heic"]
    file.minorVersion = Array("canC".utf8)
    file.handlerName = plant.text("hdlr-name")
    file.properties = [
      TinyCoded.hvcC(
        [TinyCoded.array(39, [[78, 1, 5, 20] + plant("sei-in-hvcC")])],
        after: plant("after-hvcC")
      ),
      TinyCoded.ispe(64, 64),
      isoBox(
        "colr",
        Array("prof".utf8)
          + TinyICC.profile(
            TinyICC.colors + [
              .text("desc", plant.text("profile-name")), .text("msn ", plant.text("serial")),
            ]
          ) + plant("after-profile")
      ),
      isoFullBox("udes", plant("udes") + [0]),
      isoBox("abcd", plant("unknown-property")),
      isoBox("colr", Array("nclc".utf8) + plant("unknown-colr")),
      TinyCoded.auxC("urn:mpeg:hevc:2015:auxid:1", after: plant("auxC-subtype")),
      TinyCoded.auxC("urn:mpeg:hevc:2015:auxid:2"),
      TinyCoded.auxC("urn:com:apple:photo:2020:aux:hdrgainmap"),
      isoBox("irot", [3] + plant("after-irot")),
      isoBox("imir", [1] + plant("after-imir")),
      isoFullBox("pixi", [3, 8, 8, 8]),
      isoFullBox("crtt", plant("crtt")),
      isoFullBox("ispe", big(128), big(64)),
      isoBox("unus", plant("unused-property")),
    ]
    let shared = [-1, 2]
    let coded = { (bytes: [UInt8], part: String) -> [UInt8] in
      user("prefix-sei-" + part) + TinyCoded.nal(19, bytes) + TinyCoded.nal(38, plant("filler"))
        + TinyCoded.sei(4, plant("t35-" + part), type: 40) + TinyCoded.nal(62, plant("nal-62"))
        + TinyCoded.nal(35, plant("delimiter"))
    }
    file.items = [
      .init(
        number: 1,
        type: "grid",
        data: [0, 0, 0, 1] + big(128, 2) + big(64, 2) + plant("after-grid"),
        properties: [14, 3, 4, 5, 6, -10, -11, 12, 13],
        name: plant.text("grid-name"),
        method: 1
      ),
      .init(
        number: 2,
        type: "hvc1",
        data: coded(picture, "a"),
        properties: shared,
        name: plant.text("item-name"),
        extents: 3
      ),
      .init(number: 3, type: "hvc1", data: coded(tile, "b"), properties: shared),
      .init(number: 4, type: "hvc1", data: coded(alpha, "c"), properties: shared + [-7]),
      .init(number: 5, type: "Exif", data: big(0) + Array("MM".utf8) + plant("exif")),
      .init(number: 6, type: "mime", data: plant("xmp"), content: Array("application/rdf+xml".utf8) + [0]),
      .init(number: 7, type: "mime", data: plant("mime"), content: plant("mime-type") + [0]),
      .init(number: 8, type: "uri ", data: plant("uri-item"), content: plant("uri") + [0]),
      .init(number: 9, type: "hvc1", data: TinyCoded.nal(19, plant("thumbnail")), properties: shared),
      .init(number: 10, type: "hvc1", data: TinyCoded.nal(19, plant("depth")), properties: [-1, 8]),
      .init(number: 11, type: "hvc1", data: TinyCoded.nal(19, plant("gain")), properties: [-1, 9]),
      .init(
        number: 12,
        type: "mime",
        data: plant("gain-xmp"),
        content: Array("application/rdf+xml".utf8) + [0]
      ),
      .init(number: 13, type: "hvc1", data: TinyCoded.nal(19, plant("burst")), properties: shared),
      .init(number: 14, type: "iptc", data: plant("iptc")),
      .init(number: 15, type: "jumb", data: plant("c2pa-item"), method: 1),
      .init(number: 16, type: "hvc1", data: TinyCoded.nal(19, plant("second-alpha")), properties: [-1, 7]),
    ]
    file.references = [
      ("dimg", 1, [2, 3]), ("auxl", 4, [1]), ("cdsc", 5, [1]), ("cdsc", 6, [1]), ("cdsc", 7, [1]),
      ("thmb", 9, [1]), ("auxl", 10, [1]), ("auxl", 11, [1]), ("cdsc", 12, [11]),
      ("auxl", 16, [13]),
    ]
    file.inMeta =
      isoBox("free", plant("free-in-meta")) + isoBox("uuid", plant("uuid-in-meta"))
      + isoFullBox("dinf", plant("dinf"))
      + isoBox("grpl", isoFullBox("ster", big(99) + big(1) + big(13) + plant("group")))
    file.slack = plant("slack")
    file.ahead =
      isoBox("uuid", plant("uuid")) + isoBox("skip", plant("skip"))
      + isoBox("moov", plant("moov-of-no-sequence"))
    file.behind =
      isoBox("mpvd", plant("motion-video")) + isoBox("ftyp", plant("second-file"))
      + isoBox("mdat", plant("second-mdat")) + plant("trailer")
    return file
  }

  static func avif(_ plant: Canaries) -> HEIFFixture {
    var file = HEIFFixture()
    file.brands = ["mif1", "avif"]
    file.properties = [
      TinyCoded.av1C(
        TinyCoded.obu(1, TinyCoded.sequenceHeader) + TinyCoded.obu(15, plant("padding-in-av1C"))
          + TinyCoded.obu(6, plant("frame-in-av1C"))
      ),
      TinyCoded.ispe(8, 8),
      isoBox("a1lx", [0] + big(5, 2) + big(5, 2) + big(5, 2)),
    ]
    let data =
      TinyCoded.obu(2, []) + TinyCoded.obu(1, TinyCoded.sequenceHeader)
      + TinyCoded.obu(5, [4] + plant("t35"))
      + TinyCoded.obu(5, [1, 0, 9, 0, 8, 0x80]) + TinyCoded.obu(15, plant("padding"))
      + TinyCoded.obu(5, [1] + plant("long-cll")) + TinyCoded.obu(9, plant("reserved"))
      + TinyCoded.obu(2, plant("long-delimiter")) + TinyCoded.obu(6, picture)
    file.items = [.init(number: 1, type: "av01", data: data, properties: [-1, 2, 3])]
    return file
  }

  private func check(
    _ file: HEIFFixture,
    _ plant: Canaries,
    kept: [[UInt8]],
    options: StripOptions = StripOptions()
  ) throws -> (output: [UInt8], list: EditList) {
    let bytes = file.bytes
    for text in plant.texts { try #require(bytes.contains(text), "\(text) was not planted") }
    let (output, list) = try stripHEIF(bytes, options)
    for text in plant.texts { #expect(!output.contains(text), "\(text)") }
    for text in kept { #expect(output.contains(String(decoding: text, as: UTF8.self))) }
    return (output, list)
  }

  @Test("A grid with alpha, and 45 places to hide something")
  func stillPicture() throws {
    let plant = Canaries()
    let file = Self.still(plant)
    #expect(plant.texts.count >= 45)
    let (output, list) = try check(file, plant, kept: [Self.picture, Self.tile, Self.alpha])
    #expect(!output.contains("canB") && !output.contains("canC"))
    #expect(facts(ofHEIF: output)?.pixelSize == PixelSize(width: 128, height: 64))
    #expect(facts(ofHEIF: output)?.orientation == facts(ofHEIF: file.bytes)?.orientation)
    let names = list.removedNames
    #expect(names["Exif item"] == 1)
    #expect(names["XMP item"] == 2)
    #expect(names["thumbnail"] == 1)
    #expect(names["depth map"] == 1)
    #expect(names["gain map"] == 1)
    #expect(names["unreferenced bytes"] == 1)
    #expect(names["motion photo video"] == 1)
    #expect(names["SEI"] == 7)
  }

  @Test("An AVIF whose picture has units that no decoder needs")
  func units() throws {
    let plant = Canaries()
    let (output, list) = try check(Self.avif(plant), plant, kept: [Self.picture])
    #expect(list.removedNames["metadata OBU"] == 2)
    // Light levels stay; the lengths of layers, which are wrong now, do not.
    #expect(output.contains([0x2A, 6, 1, 0, 9, 0, 8, 0x80]))
    #expect(!output.contains("a1lx"))
  }

  @Test("Bytes behind a sequence header in the data of an AVIF go", arguments: 1...4)
  func header(extents: Int) throws {
    func file(_ behind: [UInt8], extents: Int = 1) -> [UInt8] {
      var file = HEIFFixture()
      file.brands = ["mif1", "avif"]
      file.properties = [
        TinyCoded.av1C(TinyCoded.obu(1, TinyCoded.sequenceHeader)), TinyCoded.ispe(8, 8),
      ]
      let data =
        TinyCoded.obu(2, []) + TinyCoded.obu(1, TinyCoded.sequenceHeader + behind)
        + TinyCoded.obu(6, Self.picture)
      file.items = [
        .init(number: 1, type: "av01", data: data, properties: [-1, 2], extents: extents)
      ]
      return file.bytes
    }
    let clean = try stripHEIF(file([])).output
    let (output, list) = try stripHEIF(file(Array("CNRY Jane Doe".utf8), extents: extents))
    #expect(output == clean)
    #expect(list.removedNames["bytes after a sequence header"] == 1)
  }

  @Test("A unit that is rewritten in one picture and copied in another is refused")
  func patches() throws {
    var patches = HEIFPatches()
    try patches.add(10..<14, [1, 2, 3, 4])
    #expect(try patches.checked(against: [0..<12, 12..<20, 30..<40]).map(\.range) == [10..<14])
    #expect(code { _ = try patches.checked(against: [0..<20, 13..<16]) } == .stripUnsupported)
    try patches.add(10..<14, [1, 2, 3, 4])
    #expect(code { _ = try patches.checked(against: [0..<20]) } == .stripUnsupported)
    #expect(try patches.checked(against: [0..<20, 8..<14]).map(\.bytes) == [[1, 2, 3, 4]])
    #expect(code { try patches.add(10..<14, [1, 2, 3, 5]) } == .stripUnsupported)
    try patches.add(13..<15, [4, 5])
    #expect(code { _ = try patches.checked(against: [0..<20, 8..<20]) } == .stripUnsupported)
  }

  @Test("A sequence of pictures with sound, times and texts")
  func sequence() throws {
    let plant = Canaries()
    let file = TinySequence.file(plant, picture: Self.picture, alpha: Self.alpha)
    let (output, list) = try check(file, plant, kept: [Self.picture, Self.alpha])
    #expect(list.removedNames["sound track"] == 1)
    // The picture beside the sequence is its first one, and counts for itself.
    #expect(list.removedNames["SEI"] == 3)
    #expect(!output.contains(big(0x1234_5678)), "a time is left")
  }

  @Test("The gain map stays where it is asked for, without its XMP")
  func gainMap() throws {
    let plant = Canaries()
    let file = Self.still(plant)
    let (output, _) = try stripHEIF(file.bytes, StripOptions(except: [.hdrGainMap]))
    let kept = plant.texts.filter { output.contains($0) }
    #expect(kept.count == 1 && kept[0].hasPrefix("canary-gain-"), "\(kept)")
  }

  @Test("What is listed for a person names every place that was planted in an item or a box")
  func listing() throws {
    let plant = Canaries()
    let bytes = Self.still(plant).bytes
    let entries = try withSource(bytes) { source in
      try MetadataInspector.entries(of: source, format: .heic, showsValues: true)
    }
    let paths = entries.map(\.path)
    for path in [
      "uuid", "skip", "moov", "mpvd", "trailer", "meta/free", "meta/uuid", "meta/Exif item 5",
      "meta/thumbnail 9", "meta/depth map 10", "meta/gain map 11", "meta/XMP item 12", "ipco/udes",
      "ipco/abcd", "ipco/crtt", "ipco/colr/msn", "item 2/SEI", "item 4/NAL unit of another type",
    ] {
      #expect(paths.contains { $0.hasPrefix(path) }, "\(path)")
    }
    #expect(entries.map(\.offset) == entries.map(\.offset).sorted())
    // Each entry points at what it names.
    for (path, text) in [("meta/mime item 7", "canary-mime"), ("meta/thumbnail 9", "canary-thumb")] {
      let entry = try #require(entries.first { $0.path == path })
      let range = Int(entry.offset)..<Int(entry.offset + entry.byteCount)
      #expect(Array(bytes[range]).contains(text), "\(path)")
    }
    let kept = entries.filter { !$0.isRemoved }.map(\.path)
    #expect(!kept.isEmpty && kept.allSatisfy { $0.hasPrefix("ipco/colr/") })
    let output = try stripHEIF(bytes).output
    let left = try withSource(output) { source in
      try MetadataInspector.entries(of: source, format: .heic)
    }
    #expect(left.allSatisfy { !$0.isRemoved || $0.path.hasPrefix("ipco/colr/") })
  }
}
