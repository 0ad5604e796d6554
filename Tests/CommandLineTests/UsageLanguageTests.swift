import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("A person is told why in their own language", .enabled(if: Has.sqlite, "no sqlite3"))
struct UsageLanguageTests {
  private static let key = "NSPhotoLibraryUsageDescription"

  private static func scene(_ texts: JSONValue) throws -> Scene {
    let scene = try Scene.asking()
    scene.manifest["usageDescriptions"] = [key: texts]
    return scene
  }

  /// What the log says of the decision: text and language.
  private static func logged(_ scene: Scene) throws -> String {
    let decision = try #require(try scene.lastLog().last { $0["event"].string == "decision" })
    return "\(decision["usageText"].string ?? "-") \(decision["usageTextLanguage"].string ?? "-")"
  }

  @Test("The terminal asks by the client's name, in the language of LC_MESSAGES; only this text is bound")
  func terminal() throws {
    let scene = try Self.scene(["en": "To choose.", "de": "Zur Auswahl für Grüße."])
    try scene.writeManifest()
    let terminal = try PseudoTerminal(
      Scene.executable(),
      ["run", "manifest.json", "--format", "json"],
      environment: Scene.environment(in: scene.path).merging(
        ["LC_ALL": "", "LC_MESSAGES": "de_CH.UTF-8", "LANG": "fr_FR.UTF-8"]
      ) { $1 },
      in: scene.path
    )
    terminal.answer("a", at: "not now): ")
    try terminal.outcome().expect(0)
    #expect(terminal.text.contains("\"Zur Auswahl für Grüße.\"") && !terminal.text.contains("To choose."))
    #expect(terminal.text.contains("May \"A test\" use your photos?"))
    #expect(!terminal.text.contains("May org.example"))
    #expect(
      try scene.stored("SELECT usageTextLanguage, usageText FROM answers") == ["de|Zur Auswahl für Grüße."]
    )
    #expect(try Self.logged(scene) == "Zur Auswahl für Grüße. de")

    for kept: JSONValue in [
      ["en": "To choose more.", "de": "Zur Auswahl für Grüße."],
      ["fr": "Pour choisir.", "de": "Zur Auswahl für Grüße."],
    ] {
      scene.manifest["usageDescriptions"] = [Self.key: kept]
      try scene.run().expect(0)
      #expect(try Self.logged(scene) == "Zur Auswahl für Grüße. de")
    }
    scene.manifest["usageDescriptions"] = [Self.key: ["en": "To choose.", "de": "Zum Verkauf."]]
    let outcome = try scene.run()
    try outcome.expect(75)
    let list = try scene.accessJSON("list", "manifest.json")["answers"].array
    #expect(list.first?["counts"].bool == false && list.first?["usageTextLanguage"].string == "de")
    #expect(list.first?["changes"].array.compactMap(\.string) == ["usageDescription"])
  }

  @Test("A page tells it in the browser's language, which the answer keeps")
  func page() throws {
    let scene = try Self.scene(["en": "To choose.", "de": "Zur Auswahl.", "ar": "للاختيار"])
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let question = visitor.ask("GET", "/question") { $0["Accept-Language"] = "fr, ar-EG;q=0.8, de;q=0.7" }
    #expect(question?.body.contains("lang=\"ar\">للاختيار</p>") == true, "\(question?.body ?? "")")
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.stored("SELECT usageTextLanguage, usageText FROM answers") == ["ar|للاختيار"])
    #expect(try Self.logged(scene) == "للاختيار ar")
    scene.manifest["usageDescriptions"] = [Self.key: ["ar": "للاختيار", "en": "To sell."]]
    try scene.run().expect(0)
    scene.manifest["usageDescriptions"] = [Self.key: ["en": "To choose."]]
    try scene.run().expect(75)
  }

  @Test("A receipt has the words in which a person was asked, though the answer is stored no more")
  func receipt() throws {
    let scene = try Self.scene(["en": "To choose.", "de": "Zur Auswahl."])
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    #expect(visitor.ask("GET", "/question") { $0["Accept-Language"] = "de" }?.status == 200)
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    try program.outcome().expect(0)
    try scene.access("reset", "manifest.json", "library").expect(0)
    let receipts = try scene.access("receipt", "manifest.json", "--format", "text")
    #expect(receipts.output.contains("\"Zur Auswahl.\" (de)"), "\(receipts.output)")
  }

  @Test("Where nobody is asked, the first text is in the log, whoever runs it")
  func first() throws {
    let scene = try Self.scene(["ja": "選ぶため", "pt": "Para escolher."])
    try scene.declare("library", "authorized")
    try scene.run().expect(0)
    #expect(try Self.logged(scene) == "選ぶため ja")
    let report = try scene.command("report", scene.library, "--format", "json")
    let run = try #require(try report.json()["runs"].array.first)
    let source = try #require(run["sources"].array.first)
    #expect(source["usageText"].string == "選ぶため" && source["usageTextLanguage"].string == "ja")
  }

  @Test("check names the languages that lack a text, and what changed in which one")
  func check() throws {
    let scene = try Self.scene(["en": "To choose.", "de": "Zur Auswahl."])
    try scene.declare("camera", nil)
    try scene.put("old.json", JSONValue.object(scene.manifest).serialized)
    scene.manifest["usageDescriptions"] = [
      Self.key: ["en": "To choose.", "de": "Zum Verkauf.", "fr": "Pour choisir."],
      "NSCameraUsageDescription": ["en": "The camera."],
    ]
    try scene.writeManifest()
    let notes = try scene.command("check", "manifest.json", "--format", "json").json()["notes"].array
    let note = try #require(notes.compactMap(\.string).first { $0.contains("no text in") })
    #expect(note.contains("\"NSCameraUsageDescription\" has no text in de and fr"), "\(note)")
    let compared = try scene.command("check", "manifest.json", "--against", "old.json", "--format", "json")
    let paths = try compared.json()["widened"].array.compactMap { $0["path"].string }
    let path = "$.usageDescriptions."
    #expect(paths == [path + "NSCameraUsageDescription", path + Self.key + ".de", path + Self.key + ".fr"])
  }
}
