import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Limited photo libraries")
struct LimitedSelectionTests {
  /// Names that nobody selects; they may appear nowhere.
  private static let canaries = [
    "canary-letter.jpg", "2026/canary-beach.jpg", "canary-folder/x.jpg",
  ]

  private func library(selection: [String]) throws -> Scene {
    let scene = Scene()
    try scene.declare("library", "limited", ["selection": .array(selection.map { .string($0) })])
    for (index, name) in ["2026/a.jpg", "2026/b.jpg", "c.jpg", "d [1].jpg"].enumerated() {
      try scene.put("sources/library/" + name, copyOf: Samples.photo(index + 1))
    }
    for (index, name) in Self.canaries.enumerated() {
      try scene.put("sources/library/" + name, copyOf: Samples.photo(index + 5))
    }
    return scene
  }

  @Test(
    "Names, patterns and escapes select, each file once",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: Amount.some(
      3,
      of: [
        (["c.jpg"], ["c.jpg"]),
        (["2026/?.jpg"], ["2026/a.jpg", "2026/b.jpg"]),
        (["2026/[!a].jpg"], ["2026/b.jpg"]),
        (["2026/[ab].jpg", "2026/b.jpg", "2026/b.*"], ["2026/a.jpg", "2026/b.jpg"]),
        (["**/[ab].jpg"], ["2026/a.jpg", "2026/b.jpg"]),
        (["[a-d]*"], ["c.jpg", "d [1].jpg"]),
        (["d %5B1%5D.jpg"], ["d [1].jpg"]),
      ]
    )
  )
  func selects(selection: [String], expected: [String]) throws {
    let scene = try library(selection: selection)
    // "[a-d]*" would take a canary of the same folder: that one is not there.
    try FileManager.default.removeItem(atPath: scene.at("sources/library/canary-letter.jpg"))
    let outcome = try scene.run()
    try outcome.expect(0)
    #expect(try scene.catalogue("SELECT CAST(sourcePath AS TEXT) FROM resources ORDER BY 1") == expected)
    try scene.expectVerified()
  }

  @Test(
    "A pattern that no file matches is warned of, also where the name of a missing file fits it"
  )
  func unmatched() throws {
    let scene = try library(
      selection: ["c.jpg", "2026/[ab].jpg", "missing.jpg", "miss*.jpg", "none/**"]
    )
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.unmatchedPatterns() == ["miss*.jpg", "none/**"])
  }

  @Test(
    "What is not selected appears in no log, catalogue, summary, plan or file, and is not opened",
    .enabled(if: Has.strace, "no strace")
  )
  func hidesTheRest() throws {
    let scene = try library(selection: ["2026/[ab].jpg", "c.jpg"])
    var texts: [String] = []
    texts.append(try scene.run("--dry-run").streams)
    try scene.writeManifest()
    texts.append(try scene.command("run", "manifest.json", "--dry-run").streams)
    let traced = try scene.tracedRun("open,openat,openat2,statx,newfstatat,readlink")
    try traced.outcome.expectCounts(["imported": 3])
    texts.append(traced.outcome.streams)
    texts.append(try scene.command("run", "manifest.json").streams)
    texts.append(try scene.command("check", "manifest.json").streams)
    texts.append(try scene.command("verify", scene.library).streams)
    for text in texts { #expect(!text.contains("canary"), "\(text)") }
    // The folder that a pattern leads into is listed; nothing in it but the selection is looked at.
    let looked = traced.lines.filter { $0.contains("canary") }
    #expect(looked == [])
    #expect(traced.lines.contains { $0.contains("\"2026/a.jpg\"") || $0.contains("\"a.jpg\"") })
    let grep = try Tool.run("grep", ["-rlai", "canary", scene.library])
    #expect(grep.status == 1, "\(grep.output)")
    // The search finds what is there.
    #expect(try Tool.run("grep", ["-rla", "2026/a.jpg", scene.library]).status == 0)
  }

  @Test("A name that is not there fails with identifierNotFound, and the rest is imported")
  func failsForMissingName() throws {
    let scene = try library(selection: ["c.jpg", "2026/gone.jpg", "2026"])
    let outcome = try scene.run()
    try outcome.expect(3)
    try outcome.expectCounts(["imported": 1, "failed": 2])
    #expect(try outcome.failures() == ["2026/gone.jpg: identifierNotFound", "2026: identifierNotFound"])
    for failure in try outcome.json()["failures"].array {
      #expect(failure["message"].string?.contains("selection") == true)
    }
    try scene.expectVerified()
  }

  @Test("A pattern without a match is a warning that names it, and no failure")
  func warnsOfPattern() throws {
    let scene = try library(selection: ["c.jpg", "1999/*.jpg"])
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1])
    let messages = try outcome.json()["problems"].array.compactMap { $0["message"].string }
    #expect(messages.count == 1 && messages[0].contains("1999/*.jpg"), "\(messages)")
    let text = try scene.command("run", "manifest.json")
    #expect(text.code == 0 && text.streams.contains("1999/*.jpg"))
  }

  @Test("Limited without a selection shows nothing, and says so", arguments: [true, false])
  func reportsEmptySelection(isThere: Bool) throws {
    let scene = try library(selection: [])
    if !isThere { try scene.declare("library", "limited") }
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts([:])
    #expect(try outcome.problems() == ["selectionEmpty"])
    #expect(try scene.originals().isEmpty)
  }

  @Test(
    "The photo library gives only the media types that the manifest asks for",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: [["image"], ["video"], ["audio"], ["image", "audio"], ["image", "video", "audio"]]
  )
  func obeysMediaTypes(types: [String]) throws {
    let scene = Scene()
    try scene.declare("library", "authorized", ["fetch": ["mediaTypes": .array(types.map { .string($0) })]])
    try scene.put("sources/library/a.jpg", copyOf: Samples.harbour)
    try scene.put("sources/library/b.mp4", copyOf: Samples.video)
    try scene.put("sources/library/c.wav", copyOf: Samples.sound)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": types.count, "skipped": 3 - types.count])
    #expect(try Set(scene.catalogue("SELECT mediaType FROM assets")) == Set(types))
  }
}
