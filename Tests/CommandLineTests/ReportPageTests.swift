import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("The report as a page: a filter that works with scripts, and all items without")
struct ReportPageTests {
  /// A report with items of several outcomes and reasons, one of them with markup in its name; with extra
  /// items only three have a picture, and the others are data.
  private func report(extra: Int = 0) throws -> (scene: Scene, page: String) {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    try scene.declare("camera", "denied")
    for number in 1...3 {
      try scene.put("sources/library/p\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.put("sources/library/<i onclick=x>MARKUP\"'.jpg", try Media.photo("markup"))
    try scene.put("sources/library/twin.jpg", try Media.photo("1"))
    try scene.put("sources/library/cut.jpg", Array(try Media.photo("cut").prefix(2000)))
    try scene.put("sources/library/notes.txt", "no medium")
    try scene.put("sources/library/empty.jpg", "")
    let pair = try Media.livePhoto("pair")
    try scene.put("sources/library/pair.jpg", pair.still)
    try scene.put("sources/library/pair.mov", pair.movie)
    for number in 0..<extra {
      try scene.put("sources/library/more/extra\(number).jpg", try Media.photo("extra \(number)"))
    }
    _ = try scene.run()
    let pictures = extra > 0 ? "3" : "60"
    try scene.command("report", "Library", "--output", "report.html", "--thumbnails", pictures)
      .expect(0)
    return (scene, scene.at("report.html"))
  }

  @Test(
    "The policy allows the script that is on the page, by a digest that openssl has too",
    .enabled(if: Tool.exists("openssl"), "no openssl")
  )
  func digest() throws {
    let (scene, page) = try report()
    let text = try String(contentsOfFile: page, encoding: .utf8)
    let script = try #require(
      text.components(separatedBy: "<script id=\"script\">").dropFirst().first?
        .components(separatedBy: "</script>").first
    )
    // The other two are data, which no policy lets run.
    #expect(text.components(separatedBy: "<script").count == 4)
    #expect(text.components(separatedBy: "<script type=\"application/json\" id=").count == 3)
    try Data(script.utf8).write(to: URL(fileURLWithPath: scene.at("script.js")))
    try Independent.make(
      "openssl",
      ["dgst", "-sha256", "-binary", "-out", scene.at("digest"), scene.at("script.js")]
    )
    let digest = Data(try readBytes(scene.at("digest"))).base64EncodedString()
    #expect(text.contains("script-src 'sha256-\(digest)'"))
    #expect(text.contains("default-src 'none'"))
    #expect(!text.contains("<i onclick"))
    // 6,083 bytes before outcomes were chips, and at most 2 kB more.
    #expect(script.utf8.count <= 8083)
  }

  @Test(
    "Each item is on the page once, in place or as data, and has the badges that a gallery gives it"
  )
  func rows() throws {
    let (scene, page) = try report(extra: 8)
    let text = try String(contentsOfFile: page, encoding: .utf8)
    let data = try #require(
      text.components(separatedBy: "id=\"rows\" data-count=").dropFirst().first?
        .components(separatedBy: "</script>").first
    )
    let json = Data(data.drop { $0 != "[" }.utf8)
    let rows = try #require(JSONSerialization.jsonObject(with: json) as? [[String]])
    let report = try scene.command("report", "Library", "--format", "json").json()
    let count = report["items"].array.count
    #expect(text.components(separatedBy: " data-outcome=").count - 1 + rows.count == count)
    #expect(data.hasPrefix("\"\(rows.count)\""))
    #expect(!data.dropFirst(10).contains("<"))
    #expect(rows.allSatisfy { $0.count == 7 })
    // The pair's files are shown in place or as data, by the catalogue's word for both.
    let inPlace = text.components(separatedBy: "<span>live</span>").count - 1
    #expect(inPlace + rows.filter { $0[5] == "live" }.count == 2, "\(rows)")
    try scene.command("gallery", "Library", "site").expect(0)
    let pages = try Tool.run("sh", ["-c", "cat \"$0\"/index.html", scene.at("site")]).output
    #expect(pages.contains(">LIVE</"))
    // A page of json, and a report of one asset, have none of the others.
    let asset = try #require(report["items"].array.first { $0["asset"].string != nil })
    let outcome = try scene.command("report", "Library", "--asset", try #require(asset["asset"].string))
    try outcome.expect(0)
    #expect(outcome.output.contains("id=\"rows\" data-count=\"0\""))
  }

  @Test("The accesses are drawn over time, and a refused source has its decision alone")
  func accesses() throws {
    let (scene, page) = try report()
    let text = try withExtendedLifetime(scene) { try String(contentsOfFile: page, encoding: .utf8) }
    let section = try #require(text.components(separatedBy: "<h2 id=\"accesses\">").dropFirst().first)
    let table = try #require(section.components(separatedBy: "</section>").first)
    #expect(table.contains("aria-label=\"Accesses over time: "))
    #expect(table.contains("a source was refused 1 time"))
    let sources = ["camera", "photo library"].map { "<th scope=\"col\" class=\"n\">\($0)</th>" }
    #expect(table.contains(sources.joined()))
    #expect(table.contains("<td class=\"n\">refused</td>"))
    let rows = table.components(separatedBy: "<tr><th scope=\"row\">").dropFirst()
    let cells = rows.compactMap { $0.components(separatedBy: "</tr>").first }
    #expect(cells.contains { $0.hasSuffix("</td>") && !$0.hasSuffix("<td class=\"n\">–</td>") })
    // No file of the camera was opened, in no period.
    let camera = cells.compactMap { row -> String? in
      let parts = row.components(separatedBy: "<td class=\"n\">").dropFirst()
      return parts.first?.components(separatedBy: "</td>").first
    }
    #expect(Set(camera).isSubset(of: ["refused", "–"]) && camera.contains("refused"), "\(camera)")
  }

  /// The text of a page's body without its tags and its data.
  private func words(of page: String) throws -> String {
    let body = try #require(page.components(separatedBy: "<body>").last)
    let shown = try #require(body.components(separatedBy: "<script").first)
    return shown.components(separatedBy: "<").dropFirst().map {
      $0.components(separatedBy: ">").dropFirst().joined(separator: ">")
    }.joined(separator: " ")
  }

  @Test("The page begins with a verdict, and says what helps, without a word of the log's code")
  func verdict() throws {
    let (scene, page) = try report()
    let text = try withExtendedLifetime(scene) { try String(contentsOfFile: page, encoding: .utf8) }
    let counts = try scene.command("report", "Library", "--format", "json").json()["counts"]
    let failed = try #require(counts["failed"].int)
    #expect(failed > 1)
    #expect(text.contains("<h1 id=\"overview\">\(failed) files could not be imported</h1>"))
    let start = try #require(text.components(separatedBy: "<main id=\"content\">").last)
    #expect(start.hasPrefix("\n<section class=\"verdict failed\""))
    let words = try words(of: text)
    for sentence in [
      "ran once, on ", "The log is whole.", "What was left out, and what helps",
      " not imported: damaged.", "Copy it from its device again, or export it again",
      "It asked to read the ", "It was refused by the manifest.", "Never opened",
      "The complete list is on the page on a screen",
    ] {
      #expect(words.contains(sentence), "\(sentence)")
    }
    let codes =
      ItemOutcome.allCases.map(\.rawValue) + ItemReason.allCases.map(\.rawValue)
      + ResourceRole.allCases.map(\.rawValue)
    for code in codes where code.contains(where: \.isUppercase) {
      #expect(!words.contains(code), "\(code)")
    }
    // Each outcome that occurs has its number in the legend of the bar, and no other.
    for outcome in ItemOutcome.allCases {
      let count = try #require(counts[outcome.rawValue].int)
      let number = "<li class=\"\(outcome.rawValue)\"><b>\(count)</b>"
      #expect(text.contains(number) == (count > 0 || outcome == .imported), "\(outcome)")
      #expect(text.contains("<rect class=\"\(outcome.rawValue)\"") == (count > 0), "\(outcome)")
    }
  }

  @Test("Runs that decided alike share one sentence, and another answer has one of its own")
  func alike() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    try scene.run().expect(0)
    let tile = "<li><span class=\"tile\">"
    let once = try scene.reportText("html")
    #expect(once.components(separatedBy: tile).count == 2 && !once.contains("In one run"))
    try scene.run().expect(0)
    let twice = try scene.reportText("html")
    #expect(twice.components(separatedBy: tile).count == 2)
    #expect(twice.contains("In 2 runs, from <time "))
    try scene.declare("camera", "denied")
    _ = try scene.run()
    let refused = try scene.reportText("html")
    #expect(refused.components(separatedBy: tile).count == 3)
    #expect(refused.contains("It was refused by the manifest.") && refused.contains("In one run, <time "))
  }

  @Test("What was removed is counted by class, of all and of each file, and never told")
  func removed() throws {
    let (scene, page) = try report()
    let text = try withExtendedLifetime(scene) { try String(contentsOfFile: page, encoding: .utf8) }
    let section = try #require(
      text.components(separatedBy: "<h2 id=\"removed\">").last?
        .components(separatedBy: "</section>").first
    )
    let heads = ["Location", "People", "Device", "Time", "Text", "Content credentials"]
    #expect(
      section.contains(
        "<th scope=\"col\">file</th>"
          + heads.map { "<th scope=\"col\" class=\"n\">\($0)</th>" }.joined()
      )
    )
    let items = try scene.command("report", "Library", "--format", "json").json()["items"].array
      .filter { $0["outcome"].string == "imported" }
    let located = items.filter { item in
      item["removed"].array.contains { $0["name"].string == "location" }
    }
    #expect(!located.isEmpty)
    #expect(section.contains("Location</h3><p><b>\(located.count)</b> of \(items.count) files</p>"))
    let count = try #require(
      located.first?["removed"].array.first { $0["name"].string == "location" }?["count"].int
    )
    #expect(section.contains("<td class=\"n\"><b>\(count)</b></td>"))
  }

  @Test(
    "In Chromium: searched by keyboard, filtered, printed, without scripts, and by axe",
    .enabled(if: Browser.python != nil, "takes a browser: make test-web")
  )
  func browser() throws {
    let (scene, page) = try report()
    let (other, large) = try report(extra: 130)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Web/check_report.py").standardized.path
    let checked = try withExtendedLifetime((scene, other)) {
      try Tool.run(
        Browser.python ?? "",
        [script, page, "--large", large],
        environment: ["PYTHONDONTWRITEBYTECODE": "1"]
      )
    }
    #expect(checked.status == 0, "\(checked.output)\(checked.error)")
    #expect(checked.output.contains("all checks have passed"))
  }
}
