import Foundation
import MediaGallery
import MediaLibrary
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaExport

@Suite("The files that describe an export")
struct InventoryTests {
  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func text(_ content: PiecedContent) throws -> String { text(try bytes(content)) }

  private static func bytes(_ content: PiecedContent) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try content { bytes += $0 }
    return bytes
  }

  @Test("Bytes that are more than memory is used for are read again as they were added")
  func spooled() throws {
    var generator = SeededGenerator()
    let spool = SpooledBytes()
    var all: [UInt8] = []
    for _ in 0..<40 {
      let length = Int.random(in: 0..<20_000, using: &generator)
      let piece = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let start = all.count
      all += piece
      #expect(try spool.append(piece) == start..<all.count)
      let from = Int.random(in: 0...all.count, using: &generator)
      let range = from..<Int.random(in: from...all.count, using: &generator)
      #expect(try Self.bytes { try spool.read(range, $0) } == Array(all[range]))
    }
    var longest = 0
    try spool.read(0..<spool.count) { longest = max(longest, $0.count) }
    #expect(all.count > 1 << 17 && longest < 1 << 17)
  }

  // MARK: Bags

  @Test("A bag's manifest has each payload file, its sum the lengths, and each tag file a digest")
  func bag() throws {
    var bag = Bag()
    // Source: the examples of FIPS 180-4.
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    try bag.add(Array("data/a b.txt".utf8)) { try $0(Array("abc".utf8)) }
    try bag.add(Array("data/c".utf8), sha256: abc, bytes: 1 << 40)
    let files = try bag.tagFiles()
    #expect(
      files.map(\.name) == [
        "bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt",
      ]
    )
    #expect(
      try Self.text(files[0].content)
        == "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
    )
    #expect(try Self.text(files[1].content).hasSuffix("\nPayload-Oxum: \((1 << 40) + 3).2\n"))
    #expect(try Self.text(files[2].content) == "\(abc)  data/a b.txt\n\(abc)  data/c\n")
    let digests = try files[..<3].map { "\(sha256(try Self.bytes($0.content)))  \($0.name)\n" }
    #expect(try Self.text(files[3].content) == digests.joined())
    #expect(Bag.name("100 % %41") == "100 _ _41")
  }

  @Test("A bag says who made it, when and of what, each in one line")
  func bagInformation() throws {
    func read(_ description: BagDescription) throws -> [String] {
      let bag = Bag(description)
      return try Self.text(bag.tagFiles()[1].content).split(separator: "\n").map(String.init)
    }
    var lines = try read(BagDescription())
    #expect(lines.count == 3 && lines[0].wholeMatch(of: /Bagging-Date: \d{4}-\d\d-\d\d/) != nil)
    #expect(lines[1].hasPrefix("Bag-Software-Agent: mediabatch "))
    lines = try read(
      BagDescription(organization: " Größe: A ", text: "one\r\nPayload-Oxum: 1.1\n\ttwo\u{B}\u{0}")
    )
    #expect(
      lines.prefix(2) == [
        "Source-Organization: Größe: A", "External-Description: one Payload-Oxum: 1.1 two",
      ]
    )
    #expect(lines.count == 5 && lines[4] == "Payload-Oxum: 0.0")
    #expect(try read(BagDescription(text: " \n"))[0].hasPrefix("Bagging"))
  }

  // MARK: Crates

  private static func run(_ name: String, _ started: String, tool: String = "0.1") -> ImportRun {
    ImportRun(
      identifier: name,
      started: started,
      client: "org.example/a b",
      clientName: "Example \"é\"",
      tool: tool
    )
  }

  private typealias Entity = [String: Any]

  /// The entities of a crate, by their identifiers, as Foundation reads them.
  private static func entities(_ crate: Crate) throws -> [String: Entity] {
    let content = try bytes { try crate.pass(at: "2026-02-03T04:05:06Z", to: $0) }
    let read = try JSONSerialization.jsonObject(with: Data(content)) as? Entity
    let graph = try #require(read?["@graph"] as? [Entity])
    let named = try graph.map { (try #require($0["@id"] as? String), $0) }
    return try Dictionary(named) { _, _ in throw CocoaError(.formatting) }
  }

  private static func references(_ value: Any?) -> [String] {
    (value as? [[String: String]])?.compactMap { $0["@id"] } ?? []
  }

  private static func about(_ run: String) -> Crate.About {
    Crate.About(mediaType: "image/jpeg", created: nil, run: run)
  }

  @Test("A crate has each file with its address, length and digest, below its own root")
  func crate() throws {
    var crate = Crate(title: "A \"title\"", license: "CC0", runs: [], root: "data")
    var about = Self.about("r")
    about.created = "2019-07-04T10:00:00+02:00"
    try crate.add(Array("data/Ü 1%/a#b.jpg".utf8), sha256: "00ff", bytes: 7, about: about)
    try crate.add(Array("data/b".utf8), sha256: "", bytes: 0, about: Crate.About(run: "r"))
    let entities = try Self.entities(crate)
    let file = try #require(entities["%C3%9C%201%25/a%23b.jpg"])
    #expect(file["name"] as? String == "a#b.jpg")
    #expect(file["contentSize"] as? String == "7" && file["sha256"] as? String == "00ff")
    #expect(file["encodingFormat"] as? String == "image/jpeg")
    #expect(file["dateCreated"] as? String == "2019-07-04T10:00:00+02:00")
    let other = try #require(entities["b"])
    #expect(other["encodingFormat"] == nil && other["dateCreated"] == nil)
    let root = try #require(entities["./"])
    #expect(Self.references(root["hasPart"]) == ["%C3%9C%201%25/a%23b.jpg", "b"])
    #expect(root["name"] as? String == "A \"title\"" && root["license"] as? String == "CC0")
    #expect(root["datePublished"] as? String == "2026-02-03")
    #expect((root["description"] as? String)?.hasPrefix("2 files of") == true)
    #expect(entities["#export"]?["endTime"] as? String == "2026-02-03T04:05:06Z")
  }

  @Test("A crate without files is one, too")
  func emptyCrate() throws {
    let crate = Crate(title: "", license: "", runs: [Self.run("a", "2026-01-01T00:00:00Z")])
    let entities = try Self.entities(crate)
    let parts = Self.references(entities["./"]?["hasPart"])
    #expect(parts.isEmpty)
    #expect(Set(entities.keys) == [Crate.name, "./", "#mediabatch", "#export"])
  }

  @Test("A file is the result of the run that saved it, also of one beside others")
  func runs() throws {
    // The shards of a plan run at the same time.
    let runs = (1...5).map { Self.run("r\($0)", "2026-01-0\(($0 + 1) / 2)T12:00:00Z") }
    var crate = Crate(title: "", license: "", runs: runs)
    for (name, run) in [("a", "r1"), ("b", "r3"), ("c", "r1"), ("d", "r5"), ("e", "unknown")] {
      try crate.add(Array(name.utf8), sha256: "", bytes: 0, about: Self.about(run))
    }
    let entities = try Self.entities(crate)
    let results = entities.filter { $0.key.hasPrefix("#run-") }
      .mapValues { Self.references($0["result"]) }
    #expect(results == ["#run-r1": ["a", "c"], "#run-r3": ["b"], "#run-r5": ["d"]])
    #expect(entities["#run-r3"]?["startTime"] as? String == "2026-01-02T12:00:00Z")
    // All runs are of one client and one older version, which are told once.
    let client = entities["#client-org.example/a%20b"]
    #expect(client?["identifier"] as? String == "org.example/a b")
    #expect(client?["name"] as? String == "Example \"é\"")
    #expect(entities["#mediabatch-0.1"]?["softwareVersion"] as? String == "0.1")
    #expect(entities["#run-r1"]?["instrument"] as? [String: String] == ["@id": "#mediabatch-0.1"])
  }

  @Test("A run of this version names this program")
  func ownVersion() throws {
    let run = Self.run("r", "2026-01-01T00:00:00Z", tool: BuildInfo.version)
    var crate = Crate(title: "", license: "", runs: [run])
    try crate.add([0x61], sha256: "", bytes: 0, about: Self.about("r"))
    let entities = try Self.entities(crate)
    #expect(entities["#run-r"]?["instrument"] as? [String: String] == ["@id": "#mediabatch"])
    #expect(entities.count == 7)
  }

  // MARK: Sidecars

  private static func asset() -> ListedAsset {
    ListedAsset(
      row: 1,
      localIdentifier: "a",
      label: "a",
      mediaType: .image,
      source: "library",
      policy: "keep",
      added: "2026-01-01T00:00:00Z",
      facts: Facts(format: .jpeg)
    )
  }

  @Test("A packet has what the library knows, escaped, and is left out where it knows nothing")
  func packet() throws {
    var asset = Self.asset()
    #expect(XMPSidecar.packet(of: asset, title: nil) == nil)
    asset.described.caption = "<A & \"B\">"
    asset.described.keywords = ["x>y", "z"]
    asset.described.rating = 0
    asset.described.place = MediaDescription.Place(latitude: -481_361_000, longitude: 25_000_001)
    let text = Self.text(try #require(XMPSidecar.packet(of: asset, title: "T&T")))
    for part in [
      "<rdf:li xml:lang=\"x-default\">T&amp;T</rdf:li>", "&lt;A &amp; ",
      "<xmp:Rating>0</xmp:Rating>",
      "<dc:subject><rdf:Bag><rdf:li>x&gt;y</rdf:li><rdf:li>z</rdf:li></rdf:Bag></dc:subject>",
      "<digiKam:TagsList><rdf:Seq><rdf:li>x&gt;y</rdf:li>",
      "<exif:GPSLatitude>48,8.166000S</exif:GPSLatitude>",
      "<exif:GPSLongitude>2,30.000006E</exif:GPSLongitude>",
    ] { #expect(text.contains(part), "\(part)") }
    #expect(!text.contains("DateTimeOriginal") && !text.contains("<A "))
    #expect(text.hasPrefix("<?xpacket begin=\"\u{FEFF}\" id=") && text.hasSuffix("end=\"w\"?>\n"))
  }

  @Test("A packet has how a file is shown that a person has turned, and no other file's")
  func orientation() throws {
    var asset = Self.asset()
    asset.orientation = 6
    #expect(asset.shownOrientation == nil)
    asset.rotation = 270
    #expect(asset.shownOrientation == 1)
    asset.rotation = 90
    let orientation = asset.shownOrientation
    let packet = XMPSidecar.packet(of: asset, title: nil, orientation: orientation)
    let text = Self.text(try #require(packet))
    #expect(text.contains("<tiff:Orientation>3</tiff:Orientation>"))
    #expect(text.contains("xmlns:tiff=\"http://ns.adobe.com/tiff/1.0/\""))
    #expect(XMPSidecar.packet(of: asset, title: nil) == nil)
  }

  @Test(
    "A date has its offset where it has a time of day",
    arguments: [
      ("2019-07-04T10:00:00", 330, "2019-07-04T10:00:00+05:30"),
      ("2019-07-04T10:00:00", -60, "2019-07-04T10:00:00-01:00"),
      ("2019-07-04T10:00:00", nil, "2019-07-04T10:00:00"), ("2019-07-04", 60, "2019-07-04"),
    ] as [(String, Int?, String)]
  )
  func date(local: String, offset: Int?, expected: String) throws {
    var asset = Self.asset()
    asset.facts.creationDate = CaptureDate(local: local, offsetMinutes: offset, tag: "")
    let text = Self.text(try #require(XMPSidecar.packet(of: asset, title: nil)))
    for name in ["exif:DateTimeOriginal", "xmp:CreateDate", "photoshop:DateCreated"] {
      #expect(text.contains("<\(name)>\(expected)</\(name)>"))
    }
  }
}
