import Foundation
import MediaModel
import MediaTestSupport
import Testing

/// Texts of files and of the command line that would act on a terminal or on an editor.
@Suite("Texts that would act on a terminal")
struct TerminalTextTests {
  private static let hostile = [
    "\u{1B}]0;owned\u{7}", "\u{9B}31m", "\u{202E}gpj", "\u{2066}x", "\u{E0041}", "a\u{2028}b",
    "\u{7F}", "a\n::error::owned", "\n", "\u{1B}[2J=\u{1B}[1m",
  ]

  /// What stands raw in a text although it is no line break and shows nothing.
  private func raw(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0 != "\n" && !EscapedText.isPrintable($0) }
  }

  @Test("A usage error repeats no word of the command line as it is", arguments: hostile)
  func usageErrors(word: String) throws {
    let scene = Scene()
    try scene.makeFolder("lib")
    for arguments in [
      ["verify", "lib", word], ["verify", "lib", "x", word, word], [word],
      ["list", "lib", "--limit", word], ["list", "lib", "--limit=" + word],
      ["list", "lib", "--format", word], ["list", "lib", "-" + word], ["list", "lib", "--" + word],
      ["access", "grant", "m.json", word], ["shards", "plan", "m.json", "--emit", word],
      ["list", "lib", "--where", word], ["--generate-completion-script=" + word],
      ["export", "lib", "new", "--layout", word],
    ] {
      let outcome = try scene.command(arguments)
      #expect(outcome.code == 64, "\(arguments): \(outcome.streams)")
      #expect(raw(outcome.streams) == [], "\(arguments): \(outcome.streams)")
      let lines = outcome.streams.split(separator: "\n")
      #expect(!lines.contains { $0.hasPrefix("::") }, "\(arguments): \(outcome.streams)")
    }
    if Has.python {
      let verifier = try Verifier.run(["log", "lib", word, word], in: scene.path)
      #expect(verifier.status == 64 && raw(verifier.output + verifier.error) == [])
    }
  }

  @Test("Lists and reports in JSON escape what shows nothing, and csv does so on a terminal alone")
  func lists() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", try Media.photo("one"))
    let plain = "Röß \u{1F469}\u{200D}\u{1F467}"
    let texts = ["bidi \u{202E}\u{2066}", "tag \u{E0041}", "line \u{2028}", "C1 \u{9B}31m", plain]
    let keywords = texts.map { "<rdf:li>\($0)</rdf:li>" }.joined()
    try scene.put(
      "sources/camera/a.jpg.xmp",
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
        + "<rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:subject><rdf:Bag>\(keywords)"
        + "</rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    try scene.run().expect(0)
    let json = try scene.command("list", "Library", "--format", "json")
    let read = try json.json()["assets"].array.first?["keywords"].array.compactMap(\.string)
    let kept = try #require(read)
    // Whatever the catalogue has taken of them comes back the same.
    #expect(kept.contains(plain) && kept.contains { $0.hasPrefix("bidi") })
    for format in ["json", "ndjson"] {
      let text = try scene.command("list", "Library", "--format", format).output
      #expect(raw(text).allSatisfy { $0.properties.isJoinControl }, "\(format): \(text)")
      #expect(text.contains(plain), "\(text)")
    }
    let report = try scene.command("report", "Library", "--format", "json")
    #expect(raw(report.output) == [], "\(report.output)")
    let csv = try scene.command("list", "Library", "--format", "csv").output
    #expect(kept.allSatisfy { csv.contains($0) }, "\(csv)")
    guard Has.python else { return }
    let shown = try Tool.run(
      "python3",
      [
        "-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)", try Scene.executable(),
        "list", "Library", "--format", "csv",
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(shown.status == 0 && shown.output.contains("localIdentifier"), "\(shown.output)")
    #expect(raw(shown.output).allSatisfy { $0 == "\r" }, "\(shown.output)")
  }
}
