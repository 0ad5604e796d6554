import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Reports: formats", .serialized, .enabled(if: Has.python, "no python3"))
struct ReportFormatTests {
  /// Something of everything, and a run in which nothing changed.
  private static let whole = Result {
    let folder = TemporaryFolder.untilExit()
    let scene = try Scene.mixed()
    try scene.run().expect(3)
    try scene.run().expect(0)
    // A scene is no value that tests may share; its files are.
    try Independent.make("cp", ["-a", scene.path + "/.", folder.path])
    return (folder: folder, manifest: scene.manifest)
  }

  /// A copy of it.
  private func scene() throws -> Scene {
    let scene = Scene()
    let whole = try Self.whole.get()
    try Independent.make("cp", ["-a", whole.folder.path + "/.", scene.path])
    scene.manifest = whole.manifest
    return scene
  }

  @Test(
    "Each format is valid for a reader that did not write it",
    .enabled(if: Has.tidy && Has.xmllint, "no tidy or no xmllint")
  )
  func valid() throws {
    let scene = try scene()
    try ReportReader.expectSchema(try scene.report("json"))
    try ReportReader.expectPage(try scene.report("html"))
    try ReportReader.expectJUnit(try scene.report("junit"))
    let results = try ReportReader.read("sarif", try scene.report("sarif"))
    #expect(results.contains("error\tdamaged\tAudit/000001-"))
    let statement = try ReportReader.read("intoto", try scene.report("in-toto"), scene.library)
    #expect(statement.hasPrefix("FAILED "))
  }

  @Test("A person at a terminal reads text, with who ran it, and what helps; a pipe gets the page")
  func text() throws {
    let scene = try scene()
    // script(1) has a terminal as the standard output of what it runs.
    let outcome = try scene.shell("script -qec \"'$mediabatch' report Library\" /dev/null")
    try outcome.expect(0)
    let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let user = try Tool.run("id", ["-un"]).output.dropLast()
    for words in [
      "could not be imported", "The log is whole.", "The last run was \(user)'s, on ", "what helps",
      "failed in an earlier run.",
    ] {
      #expect(text.contains(words), "\(words): \(outcome.streams)")
    }
    #expect(!text.contains("<html"))
    #expect(try scene.command("report", scene.library).output.hasPrefix("<!DOCTYPE html>"))
    // What it names can be copied into a shell.
    try Independent.make("cp", ["-a", scene.library, scene.at("My Library")])
    let named = try scene.command("report", "My Library", "--format", "text")
    #expect(
      named.output.hasSuffix("mediabatch report 'My Library' --output report.html\n"),
      "\(named.streams)"
    )
  }

  @Test("What needs a person is told once over several runs, with what helps, until a run has settled it")
  func needs() throws {
    let scene = try Scene.undecided()
    scene.manifest["sources"] = ["camera": ["path": "sources/camera"]]
    try scene.writeManifest()
    for _ in 0..<2 { try scene.run().expect(75) }
    func text() throws -> String {
      try scene.reportText("text").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let undecided = try text()
    #expect(
      undecided.components(separatedBy: "`mediabatch access grant MANIFEST camera` allows it.").count == 2,
      "\(undecided)"
    )
    #expect(undecided.components(separatedBy: "A person has to decide first.").count == 2, "\(undecided)")
    for code in ["notDetermined", "exit code", "nobody,"] {
      #expect(!undecided.contains(code), "\(undecided)")
    }
    try scene.access("grant", "manifest.json", "camera").expect(0)
    try scene.run().expect(0)
    let settled = try text()
    #expect(!settled.contains("What needs a person"), "\(settled)")
  }

  @Test("The text says who allowed each source of each client, whichever client ran last")
  func clients() throws {
    let scene = Scene()
    for (source, client, runs) in [("camera", "One", 2), ("library", "Other", 1)] {
      scene.manifest["sources"] = [:]
      scene.manifest["client"] = ["identifier": .string("org.example.\(client)"), "name": .string(client)]
      try scene.declare(source)
      try scene.put("sources/\(source)/a.jpg", try Media.photo(source))
      try scene.writeManifest()
      for _ in 0..<runs { try scene.run().expect(0) }
    }
    let text = try scene.reportText("text")
    for line in [
      "  - Other, photo library: allowed by the manifest; 1 of 1 file imported.\n",
      "  - One, camera: allowed by the manifest; 1 file imported in 2 runs.\n",
    ] { #expect(text.contains(line), "\(text)") }
  }

  @Test("A SARIF result of an item points to the record that says so")
  func sarifLines() throws {
    let scene = try scene()
    let lines = Dictionary(uniqueKeysWithValues: try scene.logFiles().map { ($0.name, $0.lines) })
    var checked = 0
    for line in try ReportReader.read("sarif", try scene.report("sarif")).split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields[1] == "damaged" else { continue }
      let file = try #require(lines[String(fields[2].dropFirst("Audit/".count))])
      let record = try JSON(text: file[try #require(Int(fields[3])) - 1])
      #expect(record["reason"].string == "damaged")
      #expect(fields[5].contains(try #require(record["path"].string)))
      checked += 1
    }
    #expect(checked >= 2)
  }

  @Test("The page embeds thumbnails that the library has, and only from there")
  func thumbnails() throws {
    let scene = try scene()
    let page = try scene.text(try scene.report("html", "--thumbnails", "500"))
    let shown = page.components(separatedBy: "base64,").dropFirst().compactMap {
      $0.components(separatedBy: "\"").first.flatMap { Data(base64Encoded: $0) }
    }
    let imported = try ReportReader.counts("json", try scene.report("json"))["imported"] ?? 0
    #expect(!shown.isEmpty && shown.count <= imported)
    let published = Set(try scene.thumbnails("grid").map { Data(try readBytes($0)) })
    #expect(Set(shown).isSubset(of: published))
    #expect(!page.contains("secret"), "the microphone is refused: nothing in it has a name here")

    // One that was changed since is not shown: nobody said that it may be.
    for path in try scene.thumbnails("grid") {
      var bytes = try readBytes(path)
      bytes[bytes.count - 3] ^= 1
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    #expect(!(try scene.text(try scene.report("html"))).contains("base64,"))
  }

  @Test("Pages of imported items together have each once")
  func paging() throws {
    let scene = try scene()
    func names(_ arguments: String...) throws -> [String] {
      let file = scene.at("page.html")
      let outcome = try Scene.program(["report", "Library", "-o", file] + arguments, in: scene.path)
      try outcome.expect(0)
      return try scene.text(file).components(separatedBy: "<figcaption>").dropFirst().map {
        $0.components(separatedBy: "</figcaption>").first ?? ""
      }
    }
    let all = try names("--thumbnails", "1000")
    #expect(all.count == (try ReportReader.counts("json", try scene.report("json"))["imported"]))
    var paged: [String] = []
    for page in 1...(all.count / 7 + 1) {
      paged += try names("--thumbnails", "7", "--page", "\(page)")
    }
    #expect(paged == all)
    #expect(try names("--thumbnails", "0") == [])
    #expect(try names("--thumbnails", "7", "--page", "1000") == [])
  }

  @Test("GitHub shows at most ten annotations of a kind, and a summary below its limit")
  func githubLimits() throws {
    let scene = Scene()
    try scene.declare("camera")
    for number in 1...14 {
      try scene.put("sources/camera/bad \(number).jpg", Array(try Media.photo("b").prefix(700)))
      try scene.put("sources/camera/note \(number).txt", "text")
    }
    try scene.run().expect(3)
    let summary = scene.at("summary.md")
    let lines = try scene.text(try scene.report("github", "--step-summary", summary))
      .split(separator: "\n")
    for kind in ["error", "warning", "notice"] {
      #expect((1...10).contains(lines.count { $0.hasPrefix("::\(kind) ") }), "\(kind)")
    }
    #expect(lines.allSatisfy { $0.hasPrefix("::") })
    #expect(lines.contains { $0.contains("6 more findings like these") })
    #expect(try readBytes(summary).count < 1 << 20)
    // A second step adds to it.
    let size = try readBytes(summary).count
    try scene.report("github", "--step-summary", summary)
    #expect(try readBytes(summary).count == 2 * size)
  }

  @Test("The page says who asked, why, and what was decided")
  func purpose() throws {
    let scene = try scene()
    let page = try scene.text(try scene.report("html"))
    for text in [
      "org.example.test", "The test takes pictures.", "NSMicrophoneUsageDescription",
      "It was refused by the manifest.", "removed: location", "The log is whole",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let head = try JSON(text: try scene.command("audit", "verify", "Library", "--format", "json").output)
    #expect(page.contains(try #require(head["head"].string)))
  }
}
