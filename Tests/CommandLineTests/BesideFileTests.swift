import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Files beside the manifest are not opened for reading where a source lies.
@Suite("Files beside the manifest")
struct BesideFileTests {
  /// A way to name a file: a key of the manifest, or an option of the command line.
  enum Kind: String, CaseIterable, Sendable {
    case labels, infoPlist, policy, key
  }

  /// Where the file lies.
  enum Place: String, CaseIterable, Sendable {
    case inside, linkedSymbolically, linkedHard
  }

  private func run(_ kind: Kind, _ place: Place, in scene: Scene) throws -> (Outcome, [String]) {
    let secret = scene.at("sources/library/secret")
    let name: String
    switch place {
    case .inside: name = "sources/library/secret"
    case .linkedSymbolically:
      name = "beside"
      symlink(secret, scene.at(name))
    case .linkedHard:
      name = "beside"
      #expect(link(secret, scene.at(name)) == 0)
    }
    var options: [String] = []
    switch kind {
    case .labels: scene.manifest["labels"] = ["file": .string(name)]
    case .infoPlist: scene.manifest["infoPlist"] = .string(name)
    case .policy: options = ["--policy", name]
    case .key: options = ["--key", name]
    }
    let (outcome, lines) = try scene.tracedRun("open,openat,openat2", options)
    return (outcome, lines.filter { $0.contains("/sources/library/secret>") })
  }

  @Test(
    "A file within a denied source, or linked to one, stops with 78 and is opened with O_PATH alone",
    .enabled(if: Has.strace, "no strace"),
    arguments: Kind.allCases,
    Place.allCases
  )
  func refused(kind: Kind, place: Place) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.declare("library", "denied", ["required": false])
    try scene.put("sources/camera/a.jpg", try Media.photo("a"))
    try scene.put("sources/library/secret", "source,path,label\ncamera,a.jpg,SECRET\n")
    chmod(scene.at("sources/library/secret"), 0o600)
    let (outcome, opens) = try run(kind, place, in: scene)
    try outcome.expect(78)
    #expect(!outcome.streams.contains("SECRET") && !outcome.streams.contains("camera,a.jpg"))
    #expect(opens.allSatisfy { $0.contains("O_PATH") }, "\(opens)")
    #expect(!FileManager.default.fileExists(atPath: scene.library))
  }
}
