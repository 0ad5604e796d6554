import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("The report as a page: a filter that works with scripts, and all items without")
struct ReportPageTests {
  /// A report with items of several outcomes and reasons, one of them with markup in its name.
  private func report() throws -> (scene: Scene, page: String) {
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
    _ = try scene.run()
    try scene.command("report", "Library", "--output", "report.html").expect(0)
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
      text.components(separatedBy: "<script id=\"filter\">").dropFirst().first?
        .components(separatedBy: "</script>").first
    )
    #expect(text.components(separatedBy: "<script").count == 2)
    try Data(script.utf8).write(to: URL(fileURLWithPath: scene.at("script.js")))
    try Independent.make(
      "openssl",
      ["dgst", "-sha256", "-binary", "-out", scene.at("digest"), scene.at("script.js")]
    )
    let digest = Data(try readBytes(scene.at("digest"))).base64EncodedString()
    #expect(text.contains("script-src 'sha256-\(digest)'"))
    #expect(text.contains("default-src 'none'"))
    #expect(!text.contains("<i onclick"))
    #expect(script.utf8.count < 4000)
  }

  @Test(
    "In Chromium: searched by keyboard, filtered, printed, without scripts, and by axe",
    .enabled(if: Browser.python != nil, "no browser: make test-web installs it")
  )
  func browser() throws {
    let (scene, page) = try report()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Web/check_report.py").standardized.path
    let checked = try withExtendedLifetime(scene) {
      try Tool.run(
        Browser.python ?? "",
        [script, page],
        environment: ["PYTHONDONTWRITEBYTECODE": "1"]
      )
    }
    #expect(checked.status == 0, "\(checked.output)\(checked.error)")
    #expect(checked.output.contains("all checks have passed"))
  }
}
