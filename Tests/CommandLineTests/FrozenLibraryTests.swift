import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// The good libraries of the test vectors, which are never made anew: what this version still does with them is what
/// `docs/spec/README.md` promises about libraries that are there.
@Suite("Libraries of the first release", .enabled(if: Has.sqlite, "no sqlite3"))
struct FrozenLibraryTests {
  /// A packed library of `docs/spec/vectors/bases`.
  struct Frozen: CustomTestStringConvertible {
    let name: String
    let assets: Int
    let policy: String
    var testDescription: String { name }

    /// Unpacks it as the library of a scene.
    func scene() throws -> Scene {
      let scene = Scene(policy: policy)
      scene.setThumbnails([("grid", 16, 16, "aspectFill")])
      try scene.makeFolder("Library")
      let unpacked = try Tool.run(
        "tar",
        [
          "-xzpf", "\(SpecificationVectorTests.Vector.root)/bases/\(name).tar.gz",
          "--no-same-owner", "-C", scene.library,
        ]
      )
      try #require(unpacked.status == 0, "\(unpacked.error)")
      return scene
    }
  }

  static let all = [
    Frozen(name: "empty", assets: 0, policy: "strip"),
    Frozen(name: "keep", assets: 3, policy: "keep"),
    Frozen(name: "strip", assets: 4, policy: "strip"),
    Frozen(name: "merged", assets: 4, policy: "keep"),
  ]

  /// The identifiers of the assets that `list` has, in its order.
  private func listed(_ scene: Scene) throws -> [String] {
    let list = try scene.command("list", scene.library, "--format", "json")
    try list.expect(0)
    return try list.json()["assets"].array.compactMap { $0["localIdentifier"].string }
  }

  @Test("Reading changes nothing, and finds what was written", arguments: all)
  func reading(_ frozen: Frozen) throws {
    let scene = try frozen.scene()
    let before = try scene.digests("Library")
    try scene.expectVerified()
    #expect(try listed(scene).count == frozen.assets)
    let after = try scene.digests("Library").filter { !$0.key.hasPrefix("library.sqlite-") }
    #expect(after == before)
  }

  @Test(
    "The catalogue is made anew with the same assets, with and without that of before",
    arguments: all
  )
  func rebuilding(_ frozen: Frozen) throws {
    let scene = try frozen.scene()
    let (assets, originals) = (try listed(scene), try scene.digests("Library/Originals"))
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    #expect(try rebuild.rowDifferences() == [])
    #expect(try listed(scene) == assets)
    try scene.expectVerified()
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try listed(scene).sorted() == assets.sorted())
    try scene.expectVerified()
    #expect(try scene.digests("Library/Originals") == originals)
  }

  @Test("A run continues it, and its log is one with what was there", arguments: all)
  func importing(_ frozen: Frozen) throws {
    let scene = try frozen.scene()
    let (assets, log) = (try listed(scene), try scene.logFiles())
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    let now = try listed(scene)
    #expect(now.count == assets.count + 1 && Set(now).isSuperset(of: assets))
    try scene.expectVerified()
    let continued = try scene.logFiles()
    #expect(continued.prefix(log.count).map(\.lines) == log.map(\.lines))
    #expect(continued.count == log.count + 1)
    if Has.python { #expect(try Verifier.run([scene.library]).status == 0) }
  }
}
