import Foundation
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
    #expect(script.utf8.count < 8000)
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
    #expect(pages.contains("LIVE</span>"))
    // A page of json, and a report of one asset, have none of the others.
    let asset = try #require(report["items"].array.first { $0["asset"].string != nil })
    let one = try scene.command("report", "Library", "--asset", try #require(asset["asset"].string))
    try one.expect(0)
    #expect(one.output.contains("id=\"rows\" data-count=\"0\""))
  }

  @Test("The accesses are drawn over time, and a refused source has its decision alone")
  func accesses() throws {
    let (scene, page) = try report()
    let text = try withExtendedLifetime(scene) { try String(contentsOfFile: page, encoding: .utf8) }
    let section = try #require(
      text.components(separatedBy: "<h2 id=\"accesses\">").dropFirst().first
    )
    let table = try #require(section.components(separatedBy: "</section>").first)
    #expect(table.contains("<title>Accesses over time</title>"))
    #expect(table.contains("<td>camera</td><td><span class=\"pill refuse\">refused</span></td>"))
    #expect(!table.contains("<td>camera</td><td><span class=\"pill allow\">"))
    #expect(
      table.contains("<td>photo library</td><td><span class=\"pill allow\">allowed</span></td>")
    )
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
