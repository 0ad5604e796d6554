import Foundation
import Glibc
import MediaTestSupport
import Testing

@Suite("The history of a library", .enabled(if: Has.sqlite, "no sqlite3"))
struct HistoryTests {
  /// A scene with so many photos of the camera, each of its own content.
  private func photos(_ numbers: ClosedRange<Int>, policy: String = "strip") throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.putSmall(numbers)
    return scene
  }

  @Test(
    "Replaying the changes gives the catalogue's assets, whatever the runs did and where they were killed",
    .enabled(if: Has.strace, "no strace")
  )
  func replay() throws {
    var random = SeededGenerator()
    for _ in 0..<Amount.of(1, all: 10) {
      let scene = try photos(1...3, policy: "keep")
      var (number, size) = (3, 32)
      try scene.run().expect(0)
      var previousStates = try scene.assetStates()
      var token = try scene.changes().token
      #expect(try Set(scene.changes().inserted) == Set(previousStates.keys))
      let once = Array(0..<7).shuffled(using: &random)
      for step in 0..<Amount.of(once.count, all: 12) {
        let action = Amount.isAll ? Int.random(in: 0..<7, using: &random) : once[step]
        switch action {
        case 0:
          try scene.putSmall(number + 1...number + 4)
          number += 4
          try scene.run().expect(0)
        case 1:
          size += 1
          scene.setThumbnails([("grid", size, size, "aspectFill")])
          try scene.run().expect(0)
        case 2:
          let photo = Int.random(in: 1...number, using: &random)
          try scene.put("sources/camera/\(photo).jpg", try Media.photo("version \(step)"))
          try scene.run().expect(0)
        case 3:
          let lost = try #require(scene.originals().randomElement(using: &random))
          try FileManager.default.removeItem(atPath: scene.library + "/Originals/" + lost.path)
          _ = try scene.run()
        case 4:
          scene.setPolicy("strip")
          // An original that was lost, and whose source has changed since, cannot be written anew.
          let stripped = try scene.run("--reprocess")
          let left = try #require(try stripped.json()["unstripped"].int)
          try stripped.expect(left == 0 ? 0 : 3)
        case 5: try scene.command("repair", scene.library, "--superseded").expect(0)
        default:
          try scene.putSmall(number + 1...number + 4)
          number += 4
          try scene.writeManifest()
          let moment = RunMoment(call: "renameat2", number: Int.random(in: 3...9, using: &random))
          try moment.kill(["run", "manifest.json"], in: scene.path).wait()
        }
        let changes = try scene.changes(since: token)
        let states = try scene.assetStates()
        let set = Set(previousStates.keys).union(changes.inserted)
        #expect(set == Set(states.keys), "action \(action), \(changes)")
        #expect(Set(previousStates.keys).isDisjoint(with: changes.inserted), "action \(action)")
        let changed = Set(
          states.keys.filter { previousStates[$0] != nil && previousStates[$0] != states[$0] }
        )
        #expect(changed.isSubset(of: changes.updated), "action \(action), \(changes)")
        (previousStates, token) = (states, changes.token)
      }
      try scene.run().expect(0)
      let all = try scene.changes()
      #expect(try Set(all.inserted) == Set(scene.assetStates().keys))
      #expect(all.inserted.count == Set(all.inserted).count)
      // An original whose source has changed since stays lost; nothing else may differ.
      func expectWhole() throws {
        let report = try scene.command("verify", scene.library, "--format", "json").json()
        #expect(report["problems"].array.isEmpty && report["audit"]["difference"].isNull)
        let kinds = Set(report["findings"].array.compactMap { $0["kind"].string })
        #expect(kinds.isSubset(of: ["missing", "superseded"]), "\(kinds)")
      }
      try expectWhole()
      // A rebuild begins another history of the same assets.
      let end = all.token
      #expect(try [0, 65].contains(scene.rebuild().code))
      try scene.expectRefused(end, "foreign")
      #expect(try Set(scene.changes().inserted) == Set(scene.assetStates().keys))
      try expectWhole()
    }
  }

  @Test("A catalogue that is restored from a copy has a new epoch, and a killed run has not")
  func restored() throws {
    let scene = try photos(1...2)
    try scene.run().expect(0)
    let first = try scene.changes().token
    let copy = try readBytes(scene.library + "/library.sqlite")
    try scene.putSmall(3...4)
    try scene.run().expect(0)
    let second = try scene.changes(since: first)
    #expect(second.inserted.count == 2 && second.updated.isEmpty)
    try scene.removeCatalogue()
    try scene.put("Library/library.sqlite", copy)
    // Nothing has opened it for writing, but it does not have the change of the token.
    try scene.expectRefused(second.token, "outdated")
    #expect(try scene.changes(since: first).inserted.isEmpty)
    try scene.putSmall(5...8)
    // What the catalogue does not know would be imported twice.
    let run = try scene.run()
    try run.expect(70)
    #expect(run.streams.contains("mediabatch repair"), "\(run.streams)")
    #expect(try scene.originals().count == 4)
    try scene.command("repair", scene.library).expect(0)
    try scene.run().expect(0)
    #expect(try scene.originals().count == 8)
    try scene.expectVerified()
    try scene.expectRefused(first, "foreign")
    try scene.expectRefused(second.token, "foreign")
    // The epoch is that of the restored catalogue from now on.
    let third = try scene.changes().token
    try scene.putSmall(9...9)
    _ = try scene.run()
    #expect(try scene.changes(since: third).inserted.count == 1)
  }

  @Test(
    "A catalogue that was copied in the middle of a run has a new epoch when it comes back",
    .enabled(if: Has.strace, "no strace")
  )
  func copiedDuringRun() throws {
    let scene = try photos(1...100)
    try scene.writeManifest()
    let run = try HeldProgram(
      ["run", "manifest.json", "--workers", "1"],
      in: scene.path,
      calls: "renameat2",
      paths: []
    )
    // The first batch has 64 items, and each asset a thumbnail and a folder.
    var renames = 0
    let isInSecond = try run.next { call in
      if call.line.contains(scene.library + "/Originals") { renames += 1 }
      return renames == 66
    }
    _ = try #require(isInSecond)
    let names = ["library.sqlite", "library.sqlite-wal"]
    let copies = try names.map { try readBytes(scene.library + "/" + $0) }
    try run.wait().expect(0)
    let token = try scene.changes().token
    let early = try #require(try scene.changes().tokens.dropFirst(9).first)
    try scene.removeCatalogue()
    for (name, copy) in zip(names, copies) { try scene.put("Library/" + name, copy) }
    #expect(try scene.changes().inserted.count == 64)
    // Its journal has the batch of which the log tells.
    try scene.run().expect(0)
    #expect(try scene.originals().count == 100)
    try scene.expectRefused(token, "foreign")
    try scene.expectRefused(early, "foreign")
  }

  @Test("A token of another library, of a pruned part or of another history is refused with 6")
  func refusals() throws {
    let scene = try photos(1...5)
    try scene.run().expect(0)
    let other = try photos(1...5)
    try other.run().expect(0)
    let tokens = try scene.changes().tokens
    #expect(tokens.count == 5)
    #expect(try scene.changes(since: tokens[3]).inserted.count == 1)
    try other.expectRefused(tokens[3], "foreign")
    let parts = tokens[1].split(separator: "-")
    try scene.expectRefused("\(parts[0])-2-0000000000000000", "outdated")
    try scene.expectRefused("\(parts[0])-6-\(parts[2])", "outdated")
    try scene.command("changes", scene.library, "--since", tokens[1] + "0").expect(64)
    try scene.command("changes", scene.library, "--since", "0" + tokens[1]).expect(64)
    _ = try scene.catalogue("DELETE FROM changes WHERE sequence < 4")
    try scene.expectRefused(tokens[1], "pruned")
    try scene.expectRefused("\(parts[0])-0-0000000000000000", "pruned")
    #expect(try scene.changes(since: tokens[3]).inserted.count == 1)
    // The digests of rows cover the table.
    try scene.command("verify", scene.library).expect(65)
  }

  @Test("Table, json and ndjson tell the same changes")
  func formats() throws {
    let scene = try photos(1...3)
    try scene.run().expect(0)
    scene.setThumbnails([("grid", 40, 40, "aspectFill")])
    try scene.run().expect(0)
    let all = try scene.changes()
    #expect(all.inserted.count == 3 && all.updated.count == 3)
    let table = try scene.command("changes", scene.library)
    try table.expect(0)
    let lines = table.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 7 && lines[6] == "token: \(all.token)")
    #expect(lines[0].hasPrefix("inserted  asset       \(all.inserted[0])  "))
    #expect(lines[3].hasPrefix("updated   thumbnails  "))
    let ndjson = try scene.command("changes", scene.library, "--format", "ndjson")
    let objects = try ndjson.output.split(separator: "\n").map { try JSON(text: String($0)) }
    #expect(objects.compactMap { $0["token"].string } == all.tokens)
    #expect(objects.last?["token"].string == all.token)
    let remaining = try scene.command(
      "changes",
      scene.library,
      "--since",
      all.tokens[4],
      "--format",
      "ndjson"
    )
    #expect(remaining.output == ndjson.output.split(separator: "\n").suffix(1).joined() + "\n")
    let none = try scene.command("changes", scene.library, "--since", all.token, "--format", "ndjson")
    #expect(none.code == 0 && none.output.isEmpty)
  }
}

/// The object that `mediabatch changes --format json` prints.
struct ChangeList: CustomStringConvertible {
  var inserted: [String] = []
  var updated: Set<String> = []
  var tokens: [String] = []
  var token: String

  var description: String { "inserted \(inserted), updated \(updated)" }
}

extension Scene {
  /// Puts small photos into the camera's folder, each named by its number.
  func putSmall(_ numbers: ClosedRange<Int>) throws {
    for number in numbers { try put("sources/camera/\(number).jpg", try Media.photo("\(number)")) }
  }

  func changes(since token: String? = nil) throws -> ChangeList {
    let outcome = try command(
      ["changes", library, "--format", "json"] + (token.map { ["--since", $0] } ?? [])
    )
    try outcome.expect(0)
    let json = try outcome.json()
    var list = ChangeList(token: try #require(json["token"].string))
    for change in json["changes"].array {
      let asset = try #require(change["localIdentifier"].string)
      list.tokens.append(try #require(change["token"].string))
      switch change["kind"].string {
      case "inserted": list.inserted.append(asset)
      case "updated": list.updated.insert(asset)
      default: Issue.record("\(outcome.output)")
      }
    }
    return list
  }

  func expectRefused(
    _ token: String,
    _ reason: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try command("changes", library, "--since", token, "--format", "json")
    #expect(outcome.code == 6, "\(outcome.streams)", sourceLocation: location)
    #expect(try outcome.json()["reason"].string == reason, sourceLocation: location)
    #expect(outcome.error.contains("List everything"), sourceLocation: location)
  }

  /// All that the catalogue says of each asset, by its identifier, as `sqlite3` reads it.
  func assetStates() throws -> [String: String] {
    let rows = try catalogue(
      """
      SELECT localIdentifier || '|' || saved || '|' || label || '|' || policy || '|' || degraded, (
        SELECT group_concat(line) FROM (
          SELECT path || sha256 AS line FROM resources
          WHERE asset = assets.id AND superseded <> 1 ORDER BY path)
      ), (
        SELECT group_concat(line) FROM (
          SELECT path || sha256 || width AS line FROM thumbnails
          WHERE asset = assets.id AND superseded = 0 ORDER BY path)
      ) FROM assets
      """
    )
    return Dictionary(uniqueKeysWithValues: rows.map { (String($0.prefix(36)), $0) })
  }
}
