import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("What a run does not believe")
struct TrustTests {
  @Test(
    "A labels file within a source or the library is a mistake and is not opened",
    arguments: ["sources/microphone/labels.csv", "sources/camera/labels.csv", "link.csv"]
  )
  func labelsWithinASource(file: String) throws {
    let scene = Scene()
    try scene.declare("camera").declare("microphone", "denied")
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    for source in ["camera", "microphone"] {
      try scene.put("sources/\(source)/labels.csv", "source,path,label\ncamera,photo.jpg,CANARY\n")
    }
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("link.csv"),
      withDestinationPath: "sources/microphone/labels.csv"
    )
    scene.manifest["labels"] = ["file": .string(file)]
    let outcome = try scene.run()
    #expect(outcome.code == 78, "\(outcome.streams)")
    #expect(outcome.streams.contains("sourcesOverlap"))
    #expect(!outcome.streams.contains("CANARY"))
    #expect(!FileManager.default.fileExists(atPath: scene.library))
  }

  @Test("A library that has lost its catalogue is left alone, and nobody is told to empty it")
  func lostCatalogue() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    let first = try scene.run()
    try first.expect(0)
    for name in try FileManager.default.contentsOfDirectory(atPath: scene.library)
    where name.hasPrefix("library.sqlite") {
      try FileManager.default.removeItem(atPath: scene.library + "/" + name)
    }
    let before = try scene.snapshot("Library")
    let outcome = try scene.run()
    #expect(outcome.code == 78, "\(outcome.streams)")
    #expect(outcome.streams.contains("Keep the folder"))
    #expect(!outcome.streams.contains("empty this one"))
    #expect(try scene.snapshot("Library") == before)
    // The log proves itself without the catalogue, up to the head that somebody kept.
    let head = try #require(first.json()["audit"]["head"].string)
    let intact = try scene.command("audit", "verify", scene.library, "--expect-head", head)
    #expect(intact.code == 0, "\(intact.streams)")
    #expect(intact.error.contains("only --expect-head shows that it was not cut"), "\(intact.streams)")
    let other = String(repeating: "0", count: 64)
    #expect(try scene.command("audit", "verify", scene.library, "--expect-head", other).code == 65)
  }

  @Test(
    "A log that is gone or shorter than it was is said at once",
    .enabled(if: Tool.exists("truncate"), "no truncate"),
    arguments: ["rm -f", "truncate -s 0", "truncate -s -100"]
  )
  func tamperedLog(command: String) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    let files = "Library/Audit/*.ndjson Library/Audit/*.head"
    let done = try Tool.run("/bin/sh", ["-c", "\(command) \(files)"], in: scene.path)
    try #require(done.status == 0)
    let outcome = try scene.run()
    #expect(outcome.code == 70, "\(outcome.streams)")
    #expect(try outcome.problems() == ["logDiffers"])
    #expect(try scene.logFiles().last?.name.hasPrefix("000002-") == true)
  }

  @Test(
    "A catalogue that calls an original superseded removes nothing",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: [
      "(SELECT path FROM resources)", "'Audit/' || (SELECT auditFile FROM runs)",
      "'Thumbnails/../library.sqlite/x'", "'../manifest.json'",
    ]
  )
  func falseSuperseded(path: String) throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    _ = try scene.catalogue("UPDATE thumbnails SET superseded = 1, path = \(path)")
    let before = try scene.digests("Library/Originals")
    let outcome = try scene.run()
    #expect(outcome.code == 70, "\(outcome.streams)")
    #expect(try scene.digests("Library/Originals") == before)
    #expect(try scene.logFiles().count == 2)
    #expect(FileManager.default.fileExists(atPath: scene.manifestPath))
  }

  @Test(
    "What a damaged row of the catalogue says is not acted upon: the run goes on, and says so",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: ["thumbnails", "resources"]
  )
  func damagedRow(table: String) throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    // As one bit does it.
    _ = try scene.catalogue("UPDATE \(table) SET superseded = 1")
    let before = try scene.digests("Library").filter { $0.key.hasSuffix(".jpg") }
    let verify = try scene.command("verify", scene.library)
    #expect(verify.code == 65 && verify.output.contains("row of \(table)"), "\(verify.streams)")
    try scene.put("sources/camera/next.jpg", copyOf: Samples.photo(2))
    let outcome = try scene.run()
    #expect(outcome.code == 70, "\(outcome.streams)")
    #expect(try outcome.problems() == ["catalogueDiffers"])
    #expect(try outcome.count("imported") == 1)
    let after = try scene.digests("Library")
    #expect(before.allSatisfy { after[$0.key] == $0.value })
  }

  @Test(
    "No asset is written anew, and no thumbnail replaced, on the word of a damaged row",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: [
      "UPDATE thumbnails SET fingerprint = 'x'", "UPDATE items SET writtenUnder = 'keep '",
      "UPDATE assets SET label = 'other'",
    ]
  )
  func damagedRowIsNotReplaced(change: String) throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    _ = try scene.catalogue(change)
    let before = try scene.digests("Library").filter { $0.key.hasSuffix(".jpg") }
    scene.setPolicy("strip")
    scene.setThumbnails([("grid", 48, 48, "aspectFill")])
    for _ in 0..<2 {
      let outcome = try scene.run("--reprocess")
      #expect(outcome.code == 70, "\(outcome.streams)")
      // What is not written anew keeps what strip would remove.
      #expect(try outcome.problems() == ["catalogueDiffers", "unstripped"])
      #expect(try outcome.count("unchanged") == 1)
    }
    #expect(try scene.digests("Library").filter { $0.key.hasSuffix(".jpg") } == before)
  }
}
