import Foundation
import MediaModel
import MediaPermissions
import MediaSyntax
import MediaTestSupport
import Testing

extension Scene {
  /// Where this scene's answers are stored.
  var answers: String { at("home/mediabatch/answers.sqlite") }

  /// A scene that leaves camera and photo library to a person, with a photo in each.
  static func undecided() throws -> Scene {
    let scene = Scene()
    scene.manifest["onNotDetermined"] = "ask"
    try scene.declare("camera", nil)
    try scene.declare("library", nil)
    try scene.put("sources/camera/one.jpg", try Media.photo("one"))
    try scene.put("sources/library/two.jpg", try Media.photo("two"))
    try scene.put("sources/library/three.jpg", try Media.photo("three"))
    try scene.writeManifest()
    return scene
  }

  /// `mediabatch access …`
  @discardableResult
  func access(_ arguments: String...) throws -> Outcome {
    try Scene.program(["access"] + arguments, in: path)
  }

  /// `mediabatch access … --format json`, which has to end with `code`.
  @discardableResult
  func accessJSON(
    _ arguments: String...,
    code: Int32 = 0,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> JSON {
    let outcome = try Scene.program(["access"] + arguments + ["--format", "json"], in: path)
    #expect(outcome.code == code, "\(outcome.streams)", sourceLocation: location)
    let json = try outcome.json()
    #expect(json["schema"].string == "mediabatch.access/1", sourceLocation: location)
    #expect(json["exitCode"].int == Int(code), sourceLocation: location)
    return json
  }

  /// Stores the answer about a source anew, as one whose term is over.
  func expireAnswer(_ source: SourceID) throws {
    let store = try AnswerStore(at: Array(answers.utf8), mode: .existing)
    defer { store.close() }
    let stored = try store.answers().first { $0.binding.source == source }
    var answer = try #require(stored, "nobody has answered")
    answer.expiresAt = answer.decidedAt
    try store.record(answer)
  }

  /// What the sqlite3 program reads in the store: a row a line, `|` between columns.
  func stored(_ sql: String) throws -> [String] {
    let result = try Tool.run("sqlite3", ["-readonly", answers, sql])
    try #require(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  /// Runs a bash script in the scene; `$mediabatch` is the program.
  func shell(_ script: String, as user: [String] = []) throws -> Outcome {
    let command = user + ["bash", "-c", script]
    return Outcome(
      try Tool.run(
        command[0],
        Array(command.dropFirst()),
        environment: Scene.environment(in: path).merging(
          ["mediabatch": try Scene.executable()]) { $1 },
        in: path
      )
    )
  }
}
