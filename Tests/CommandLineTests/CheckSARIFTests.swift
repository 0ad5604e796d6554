import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("check --format sarif", .serialized, .enabled(if: Has.python, "no python3"))
struct CheckSARIFTests {
  /// The results of `check`, each as its fields: level, rule, file, line, column, message.
  private func results(
    _ scene: Scene,
    _ arguments: String...,
    code: Int32
  ) throws -> [[String]] {
    let outcome = try Scene.program(["check"] + arguments + ["--format", "sarif"], in: scene.path)
    #expect(outcome.code == code, "\(outcome.streams)")
    let file = try scene.put("check.sarif", outcome.output)
    return try ReportReader.read("sarif", file).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("Each mistake is at its line and column in characters, under its code")
  func mistakes() throws {
    let scene = Scene()
    try scene.put(
      "ma ni/é.json",
      """
      {
        "version": 1,
        "client": { "identifier": "a", "name": "é" }, "verzion": 2,
        "sources": {},
        "output": 7
      }
      """
    )
    let findings = try results(scene, "ma ni/é.json", code: 78)
    #expect(
      findings.map { Array($0.prefix(5)) } == [
        ["error", "unknownKey", "ma ni/é.json", "3", "49"],
        ["error", "wrongType", "ma ni/é.json", "5", "13"],
      ]
    )
    #expect(findings.allSatisfy { $0[5].contains("é.json:") })
  }

  @Test("A mistake in a labels file is in that file")
  func labels() throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.manifest["labels"] = ["file": "labels.csv"]
    try scene.writeManifest()
    let missing = try scene.command("check", "manifest.json")
    #expect(missing.error.contains("regular file of at most 64 MiB"), "\(missing.streams)")
    try scene.put("labels.csv", "source,path,label\ncamera,a.jpg,A\nnowhere,b.jpg,B\n")
    try scene.writeManifest()
    let findings = try results(scene, "manifest.json", code: 78)
    #expect(findings.count == 1)
    #expect(findings.first.map { Array($0[1...3]) } == ["unknownSource", "labels.csv", "3"])
  }

  @Test("Each widening is at the key that widens")
  func widenings() throws {
    let scene = Scene()
    try scene.put(
      "old.json",
      """
      { "version": 1, "client": { "identifier": "a.b", "name": "A" },
        "usageDescriptions": { "NSCameraUsageDescription": "Why." },
        "sources": { "camera": { "path": "sources", "authorizationStatus": "denied" } },
        "output": { "path": "Library" } }
      """
    )
    try scene.put(
      "manifest.json",
      """
      { "version": 1, "client": { "identifier": "a.b", "name": "A" },
        "usageDescriptions": { "NSCameraUsageDescription": "Because." },
        "sources": { "camera": { "path": "sources",
          "crossMounts": true,
          "authorizationStatus": "authorized" } },
        "output": { "path": "Library" } }
      """
    )
    try scene.makeFolder("sources")
    let findings = try results(scene, "manifest.json", "--against", "old.json", code: 4)
    let places = findings.filter { $0[1] == "widened" }.map { "\($0[3]):\($0[4])" }
    #expect(Set(places).isSuperset(of: ["2:26", "4:5", "5:5"]), "\(findings)")
    #expect(findings.allSatisfy { $0[2] == "manifest.json" && $0[0] == "error" })
    let same = try results(scene, "manifest.json", "--against", "manifest.json", code: 0)
    #expect(same.isEmpty)
  }

  @Test("Why a run would stop is a result too")
  func stops() throws {
    let scene = Scene()
    scene.manifest["usageDescriptions"] = [:]
    try scene.declare("camera")
    try scene.writeManifest()
    let findings = try results(scene, "manifest.json", code: 78)
    #expect(findings.map { $0[1] } == ["usageDescriptionMissing"])
    #expect(findings.first?[5].contains("NSCameraUsageDescription") == true)
  }
}
