import MediaTestSupport
import Testing

@Suite("Escape sequences", .enabled(if: Tool.exists("script"), "no script(1)"))
struct EscapeTests {
  @Test(
    "A terminal gets them, unless it is dumb or the person wants no color",
    arguments: [
      (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": "dumb", "NO_COLOR": ""], false),
      (["TERM": "xterm", "NO_COLOR": "1"], false),
    ]
  )
  func escapes(environment: [String: String], isWanted: Bool) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...2)
    try scene.writeManifest()
    // script(1) gives the program a terminal for all three streams.
    let result = try Tool.run(
      "script",
      ["-qec", "'\(try Scene.executable())' run manifest.json", "/dev/null"],
      environment: Scene.environment(in: scene.path).merging(environment) { $1 },
      in: scene.path
    )
    try #require(result.status == 0, "\(result.output)")
    #expect(result.output.contains("imported"))
    #expect(result.output.contains("\u{1B}") == isWanted, "\(result.output)")
  }
}
