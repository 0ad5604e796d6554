import Foundation
import MediaModel
import MediaTestSupport
import Testing

/// Names that are no text, or text that does something.
@Suite("Hostile names", .serialized, .enabled(if: Has.sqlite, "no sqlite3"))
struct HostileNameTests {
  private static let texts = [
    "new\nline.jpg", "\u{1B}[31mred\u{1B}[0m.jpg", "\u{1B}]0;title\u{7}.jpg", "back\r.jpg",
    "tab\t.jpg", "delete\u{7F}.jpg", "C1 \u{9B}31m.jpg", "\u{202E}gpj.exe.jpg",
    "separator\u{2028}.jpg", "mark\u{FEFF}.jpg", "zero\u{200B}width.jpg", "\u{2066}isolate.jpg",
    "caf\u{E9}.jpg", "cafe\u{301}.jpg", "-rf.jpg", "--help.jpg", "-", "--", "msl:x.jpg",
    "x.jpg[0]", "%41.jpg", "A.jpg", "%FF.jpg", "%d.jpg", "100%.jpg", "dot.jpg.", "space.jpg ",
    " lead.jpg", "..jpg", "...", "...jpg", ".hidden.jpg", "~", "*?.jpg", "[a-z].jpg",
    "back\\slash.jpg", "a:b.jpg", "CON.jpg", "quote\"'.jpg", "Case.jpg", "case.jpg", "CASE.JPG",
    "{creationDate}.jpg", "{originalName}", "\u{1F4A1}.jpg", "@x.jpg", "$(id).jpg", "`id`.jpg",
    "<b>.jpg", "=1+1.jpg", "no extension", ".jpg", "a,b;c.jpg", "\u{FFFD}.jpg", "\u{E000}.jpg",
    "library.sqlite", ".lock", ".staging",
  ]

  /// Names that are no UTF-8, and names as long as a file system takes them.
  private static let odd: [(bytes: [UInt8], text: String)] = [
    ([0xFF, 0xFE], ".jpg"), ([0xFF], ".jpg"),
    // An encoded surrogate, an overlong slash, a sequence cut short, C1 as one byte.
    ([0xED, 0xA0, 0x80], ".jpg"), ([0xC0, 0xAF], ".jpg"), ([0xE2, 0x82], ".jpg"),
    ([0x9B], "31m.jpg"), ([0x80], ""),
    ([], String(repeating: "a", count: 251) + ".jpg"),
    ([], String(repeating: "\u{E9}", count: 125) + "b.jpg"),
    ([UInt8](repeating: 0xFF, count: 251), ".jpg"),
    ([UInt8](repeating: 0x0A, count: 255), ""),
    ([], String(repeating: "e\u{301}", count: 85)),
    ([], String(repeating: "\u{1F469}\u{200D}\u{1F467}", count: 22) + ".jpg"),
  ]

  /// Every name as the bytes that the file system holds.
  static let names: [[UInt8]] =
    texts.map { Array($0.utf8) } + odd.map { $0.bytes + Array($0.text.utf8) }

  /// Some of ``names``; all of them in `make test-all`.
  private static let few = Amount.some(12, of: names)

  /// A camera with a good photo of each name of a list, and of ``few`` in an ill named
  /// folder, and with a damaged one of each name, so that failures name them too.
  private func scene(good names: [[UInt8]]) throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    let camera = scene.at("sources/camera")
    try scene.makeFolder("sources/camera/new\nline \u{1B}[2J")
    try scene.makeFolder("sources/camera/damaged")
    for (number, name) in names.enumerated() {
      try Media.write(try Media.photo("flat \(number)"), folder: camera, name: name)
    }
    for (number, name) in Self.few.enumerated() {
      try Media.write(
        try Media.photo("deep \(number)"),
        folder: camera + "/new\nline \u{1B}[2J",
        name: name
      )
    }
    for (number, name) in Self.names.enumerated() {
      let cut = Array(try Media.photo("damaged \(number)").prefix(700))
      try Media.write(cut, folder: camera + "/damaged", name: name)
    }
    return scene
  }

  @Test("Every name is imported under a safe label, and none is lost")
  func allAreImported() throws {
    let scene = try scene(good: Self.names)
    let library = try scene.choose(library: "Library")
    let outcome = try scene.start().wait()
    try outcome.expect(3)
    let count = Self.names.count
    let good = count + Self.few.count
    try outcome.expectCounts(["imported": good, "failed": count])
    try LibraryState.expectWhole(library)

    // The library's bytes are the sources', each file's once.
    let wanted = try sourceDigests(scene)
    #expect(wanted.count == good)
    let originals = try scene.originals()
    #expect(Set(originals.map(\.sha256)) == wanted)
    #expect(originals.count == wanted.count)

    for path in originals.map(\.path) {
      let name = (path as NSString).lastPathComponent
      let label = (name as NSString).deletingPathExtension
      #expect(name.utf8.count <= 255 && label.utf8.count <= 200, "\(name)")
      #expect(!label.isEmpty && !name.hasPrefix("."), "\(name)")
      #expect(Self.unsafe(Array(name.utf8), mayJoin: true) == [], "\(name)")
      #expect(Array(name.utf8) == Array(name.precomposedStringWithCanonicalMapping.utf8))
    }
    // The log and the catalogue tell the very bytes.
    let logged = try LibraryState.records(library).filter { $0["event"].string == "outcome" }
      .compactMap { $0["path"].string }.map { EscapedText.bytes(percentEscaped: $0) }
    let flat = Set(logged.filter { !$0.contains(UInt8(ascii: "/")) })
    #expect(flat == Set(Self.names))
    #expect(Set(logged).count == good + count)
    let stored = try scene.catalogue("SELECT hex(path) FROM items")
    let hex = Self.names.map { $0.map { String(format: "%02X", $0) }.joined() }
    #expect(Set(hex).isSubset(of: stored))

    let again = try scene.start().wait()
    try again.expectCounts(["unchanged": good, "failedBefore": count])
  }

  /// Each way in which the program tells of items.
  enum Printer: String, CaseIterable {
    case summary, summaryJSON, plan, planJSON, verify, auditVerify

    var arguments: [String] {
      switch self {
      case .summary: ["run", "manifest.json"]
      case .summaryJSON: ["run", "manifest.json", "--format", "json"]
      case .plan: ["run", "manifest.json", "--dry-run"]
      case .planJSON: ["run", "manifest.json", "--dry-run", "--format", "json"]
      case .verify: ["verify", "Library"]
      case .auditVerify: ["audit", "verify", "Library"]
      }
    }
  }

  @Test("Nothing raw reaches a terminal or a report", arguments: Printer.allCases)
  func nothingRaw(printer: Printer) throws {
    let scene = try scene(good: Self.few)
    _ = try scene.choose(library: "Library")
    if printer == .verify || printer == .auditVerify {
      try scene.start().wait().expect(3)
      // What is wrong with a library is told with its names.
      for path in try scene.originals().map(\.path) {
        try Data("other".utf8).write(to: URL(fileURLWithPath: scene.library + "/Originals/" + path))
      }
    }
    let run = try RunningProgram(nil, printer.arguments, in: scene.path)
    let outcome = try run.wait()
    // A program reads labels in JSON as they are.
    #expect(Self.unsafe(run.streamBytes, mayJoin: printer == .planJSON) == [])
    switch printer {
    case .summary, .plan: #expect(outcome.streams.contains("%1B[31mred"), "\(outcome.streams)")
    case .summaryJSON:
      #expect(try outcome.json()["failures"].array.count == Self.names.count)
    case .planJSON:
      let paths = try outcome.json()["items"].array.compactMap { $0["path"].string }
        .map { Array($0.utf8) }
      #expect(Set(paths).count == 2 * Self.few.count + Self.names.count)
    case .verify: try outcome.expect(65)
    case .auditVerify: try outcome.expect(0)
    }
  }

  /// What in these bytes is not to reach a terminal: bytes that are no UTF-8, and characters that do
  /// something; a newline ends a line. The name of a published file may have joiners.
  static func unsafe(_ bytes: [UInt8], mayJoin: Bool = false) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self) else { return ["not UTF-8"] }
    return text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar != "\n"
      case .format where mayJoin && scalar.properties.isJoinControl: false
      case .format, .lineSeparator, .paragraphSeparator, .surrogate: true
      default: false
      }
    }.map { String($0.value, radix: 16) }
  }

  /// The digests of all good photos of the scene, as `sha256sum` sees them.
  private func sourceDigests(_ scene: Scene) throws -> Set<String> {
    let result = try Tool.run(
      "find",
      [
        ".", "-name", "damaged", "-prune", "-o", "-type", "f", "-exec", "sha256sum", "-z", "{}",
        "+",
      ],
      in: scene.at("sources/camera")
    )
    // A name may be no text, and may hold anything but a NUL: only the digests before it are read.
    return Set(result.output.split(separator: "\0").map { String($0.prefix(64)) })
  }
}
