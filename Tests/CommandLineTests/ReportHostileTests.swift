import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Names and texts that would do something if a reader took them for more than text.
@Suite("Reports: hostile names", .serialized, .enabled(if: Has.python, "no python3"))
struct ReportHostileTests {
  private static let names: [[UInt8]] =
    [
      "a\n::error file=x::boo", "]]><x>&amp;", "=cmd|' C calc'!A0", "+1", "-1", "@SUM(A1)",
      "\u{1B}[31mred\u{1B}]0;t\u{7}", "\u{202E}gpj.exe", "<script>alert(1)",
      "\"onload=alert(1) x=\"",
      "**b** [l](http:x) `c` |", "##[error]x", "%41", "a,b;c", "'quote", "\u{85}next\u{2028}line",
      "cafe\u{301}", "caf\u{E9}", "<!--", "\u{FFFD}\u{FEFF}", "\t=1", "%0A::error::x", "$(id)`id`",
    ].map { Array($0.utf8) } + [[0xFF, 0xFE], [0xED, 0xA0, 0x80], [0x9B, 0x33]]

  /// A good photo, a damaged one and a note of each name.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    scene.manifest["client"] = [
      "identifier": "org.example.test", "name": "</title><script>x</script>",
    ]
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "]]>\"'<b>=1+1 ::error::x"
    ]
    try scene.declare("camera")
    for folder in ["good", "bad", "note"] { try scene.makeFolder("sources/camera/" + folder) }
    for (number, name) in Self.names.enumerated() {
      let photo = try Media.photo("\(number)")
      let camera = scene.at("sources/camera/")
      try Media.write(photo, folder: camera + "good", name: name + Array(".jpg".utf8))
      let bad = Array(try Media.photo("bad \(number)").prefix(700))
      try Media.write(bad, folder: camera + "bad", name: name + Array(".jpg".utf8))
      try Media.write([65], folder: camera + "note", name: name)
    }
    return scene
  }

  /// That no byte of the text does anything to a terminal or a CI server.
  private func expectHarmless(
    _ text: String,
    commands: Bool = false,
    _ location: SourceLocation = #_sourceLocation
  ) {
    for scalar in text.unicodeScalars where scalar != "\n" && scalar != "\r" {
      let category = scalar.properties.generalCategory
      #expect(
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category),
        "U+\(String(scalar.value, radix: 16))",
        sourceLocation: location
      )
    }
    #expect(!text.contains("##["), sourceLocation: location)
    if !commands {
      for line in text.split(whereSeparator: \.isNewline) {
        let start = line.drop { $0.isWhitespace }
        #expect(!start.hasPrefix("::"), "\(line)", sourceLocation: location)
      }
    }
  }

  private func expectAllFormats(_ scene: Scene, code: Int32 = 0) throws {
    let json = try scene.report("json", code: code)
    try ReportReader.expectSchema(json)
    expectHarmless(try scene.text(json))
    let page = try scene.report("html", "--thumbnails", "1000", code: code)
    try ReportReader.expectPage(page)
    expectHarmless(try scene.text(page))
    let junit = try scene.report("junit", code: code)
    try ReportReader.expectJUnit(junit)
    expectHarmless(try scene.text(junit))
    let sarif = try scene.report("sarif", code: code)
    _ = try ReportReader.read("sarif", sarif)
    expectHarmless(try scene.text(sarif))
    expectHarmless(try scene.text(try scene.report("in-toto", code: code)))

    let csv = try scene.report("csv", code: code)
    expectHarmless(try scene.text(csv))
    let cells = try Tool.run(
      "python3",
      [
        "-c",
        """
        import csv, sys
        rows = list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
        assert all(len(row) == len(rows[0]) for row in rows)
        bad = [c for row in rows for c in row if c.lstrip()[:1] in tuple("=+-@＝＋－＠") and c.strip()]
        print(len(rows), bad)
        """, csv,
      ]
    )
    #expect(cells.output.hasSuffix(" []\n"), "\(cells.output)\(cells.error)")

    let summary = scene.at("summary.md")
    let commands = try scene.text(try scene.report("github", "--step-summary", summary, code: code))
    expectHarmless(commands, commands: true)
    for line in commands.split(separator: "\n") {
      // What an attacker wrote stands behind the title or in the message, never before them.
      let parts = line.components(separatedBy: "::")
      #expect(parts.count >= 3 && parts[0] == "", "\(line)")
      #expect(["error", "warning", "notice"].contains(parts[1].split(separator: " ")[0]), "\(line)")
    }
    let markdown = try scene.text(summary)
    expectHarmless(markdown)
    #expect(!markdown.contains("<"), "no HTML")
    #expect(!markdown.contains("]("), "no link")
  }

  @Test(
    "Every format is valid, and takes no name for anything but a name",
    .enabled(if: Has.tidy && Has.xmllint, "no tidy or no xmllint")
  )
  func names() throws {
    let scene = try scene()
    let outcome = try scene.run()
    try outcome.expect(3)
    try expectAllFormats(scene)
    for format in ReportReader.countedFormats {
      let counts = try ReportReader.counts(format, try scene.report(format))
      #expect(counts["imported"] == Self.names.count, "\(format)")
      #expect(counts["failed"] == Self.names.count, "\(format)")
    }
    // The names' bytes come back out of the CSV and out of the JSON.
    let json = try JSON(text: try scene.text(try scene.report("json")))
    let paths = json["items"].array.filter { $0["outcome"].string == "imported" }
      .compactMap { $0["path"].string.map { EscapedText.bytes(percentEscaped: $0) } }
    #expect(Set(paths) == Set(Self.names.map { Array("good/".utf8) + $0 + Array(".jpg".utf8) }))
  }

  @Test(
    "A log with numbers and times that cannot be, and a damaged catalogue, end with a report or a word"
  )
  func forgedNumbers() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    try scene.put("sources/camera/one.jpg", try Media.photo("one"))
    try scene.run().expect(0)
    let log = try #require(try scene.logFiles().first)
    try scene.forge(
      log.name,
      """
      most = 2 ** 63 - 1
      end = next(record for record in records if record["event"] == "end")
      end["time"] = "\\u001b[2J<script>" * 100
      end["counts"] = {name: most for name in end["counts"]}
      outcome = next(record for record in records if record["event"] == "outcome")
      outcome["output"]["bytes"] = most
      outcome["removed"] = [{"name": "x", "count": most}] * 3
      extra = {k: v for k, v in outcome.items() if k in ("time", "run", "source")}
      for count in (most, most, -most, 1):
          records.insert(-1, dict(extra, event="unchanged", count=count))
          records.insert(-1, dict(extra, event="transition", refusedItems=count))
      """
    )
    for format in ["html", "json", "csv", "junit", "sarif", "github", "in-toto"] {
      let text = try scene.text(try scene.report(format, code: 65))
      expectHarmless(text, commands: format == "github")
      if ["html", "junit"].contains(format) { #expect(!text.contains("<script>")) }
    }
    let json = try JSON(text: try scene.text(try scene.report("json", code: 65)))
    #expect(try #require(json["runs"].array.first?["ended"].string).count < 400)
    #expect(json["counts"]["unchanged"].int == 1 + 2 << 40)

    let resources = "UPDATE resources SET "
    _ = try scene.catalogue(resources + "bytes = 9223372036854775807")
    for format in ["html", "json", "in-toto"] { try scene.report(format, code: 65) }
    for change in ["sha256 = x'ff00'", "bytes = 'many', sha256 = 'x'"] {
      _ = try scene.catalogue(resources + change)
      let outcome = try scene.command("report", "Library")
      #expect(outcome.code == 70, "\(outcome.streams)")
      #expect(outcome.error.contains("The catalogue is damaged"), "\(outcome.streams)")
    }
  }

  @Test("A forged log with raw hostile text gives a report in which it is harmless")
  func forged() throws {
    let scene = try scene()
    try scene.run().expect(3)
    let log = try #require(try scene.logFiles().first)
    try scene.forge(
      log.name,
      """
      nasty = "\\u202e]]>\\x1b[2J\\n::error::x<script>=1\\"'\\u2028\\ufffe##[error]\\x85"
      def spoil(value, key=""):
          if key in ("seq", "prev", "run", "event", "schema", "file", "source", "outcome", "time"):
              return value
          if isinstance(value, dict):
              return {k: spoil(v, k) for k, v in value.items()}
          if isinstance(value, list):
              return [spoil(v) for v in value]
          if isinstance(value, str) and key not in ("sha256", "manifestSHA256", "head", "root"):
              return value if key in ("decision", "reason", "authorizationStatus", "mode") else nasty
          return value
      records[:] = [records[0]] + [spoil(record) for record in records[1:]]
      records[0]["client"] = {"identifier": nasty, "name": nasty}
      records[0]["host"] = records[0]["user"] = records[0]["tool"] = nasty
      """
    )
    let page = try scene.report("html", code: 65)
    #expect(try ReportReader.read("page", page) == "\n")
    expectHarmless(try scene.text(page))
    #expect(try scene.text(page).contains("The log is not what was written"))
    for format in ["json", "csv", "junit", "sarif", "in-toto"] {
      expectHarmless(try scene.text(try scene.report(format, code: 65)))
    }
  }
}
