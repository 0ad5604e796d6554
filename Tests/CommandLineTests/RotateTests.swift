import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Turns published assets, and follows them through all that reads and writes a library.
@Suite("Published assets are turned", .enabled(if: Has.sqlite, "no sqlite3"))
struct RotateTests {
  private func scene() throws -> Scene {
    let scene = Scene()
    scene.setThumbnails([("grid", 32, 32, "aspectFill"), ("whole", 32, 32, "aspectFit")])
    try scene.declare("camera")
    try scene.putSmall(1...2)
    try scene.run().expect(0)
    return scene
  }

  private func asset(_ label: String, of scene: Scene) throws -> String {
    try #require(scene.catalogue("SELECT localIdentifier FROM assets WHERE label = '\(label)'").first)
  }

  private func rotation(_ asset: String, of scene: Scene) throws -> String? {
    try scene.catalogue("SELECT ifnull(rotation, 0) FROM assets WHERE localIdentifier = '\(asset)'").first
  }

  private struct Thumbnail: Equatable {
    var width: String
    var height: String
    var sha256: String
  }

  /// A current thumbnail of an asset.
  private func thumbnail(
    _ name: String,
    of asset: String,
    _ scene: Scene
  ) throws -> Thumbnail {
    let rows = try scene.catalogue(
      """
      SELECT thumbnails.width || ' ' || thumbnails.height || ' ' || sha256 FROM thumbnails
      JOIN assets ON assets.id = asset
      WHERE localIdentifier = '\(asset)' AND name = '\(name)' AND thumbnails.superseded = 0
      """
    )
    try #require(rows.count == 1, "\(rows)")
    let words = rows[0].split(separator: " ").map(String.init)
    try #require(words.count == 3)
    return Thumbnail(width: words[0], height: words[1], sha256: words[2])
  }

  private func listed(_ asset: String, _ scene: Scene) throws -> JSON {
    let list = try scene.command("list", scene.library, "--format", "json")
    try list.expect(0)
    return try #require(list.json()["assets"].array.first { $0["localIdentifier"].string == asset })
  }

  @Test("Thumbnails are turned, originals are not, and four quarter turns are none")
  func turns() throws {
    let scene = try scene()
    let identifier = try asset("1", of: scene)
    let originals = try scene.digests("Library/Originals")
    let before = try thumbnail("whole", of: identifier, scene)
    let other = try thumbnail("whole", of: asset("2", of: scene), scene)
    let size = try listed(identifier, scene)
    let token = try scene.changes().token
    let turned = try scene.command(
      "rotate",
      scene.library,
      String(identifier.prefix(12)),
      "--by",
      "90",
      "--format",
      "json"
    )
    try turned.expect(0)
    #expect(try turned.json()["rotated"].array.map { $0["rotation"].int } == [90])
    let after = try thumbnail("whole", of: identifier, scene)
    #expect(before.width == after.height && before.height == after.width)
    #expect(before.sha256 != after.sha256)
    #expect(try thumbnail("whole", of: asset("2", of: scene), scene) == other)
    #expect(try scene.digests("Library/Originals") == originals)
    let list = try listed(identifier, scene)
    #expect(list["rotation"].int == 90 && !size["rotation"].exists)
    #expect(list["pixelWidth"].int == size["pixelHeight"].int)
    #expect(list["pixelHeight"].int == size["pixelWidth"].int)
    #expect(try scene.changes(since: token).updated == [identifier])
    let events = try scene.lastLog().compactMap { $0["event"].string }
    #expect(events.filter { $0 == "rotated" }.count == 1)
    #expect(events.filter { $0 == "restored" }.count == 2)
    try scene.expectVerified()
    try scene.run().expectCounts(["unchanged": 2])
    try LibraryState.expectWhole(scene.library)
    let report = try scene.command("report", scene.library, "--asset", identifier, "--format", "json")
    try report.expect(0)
    #expect(report.output.contains("\"event\":\"rotated\""), "\(report.output)")
    try scene.command("rotate", scene.library, identifier, "--by", "270").expect(0)
    #expect(try thumbnail("whole", of: identifier, scene) == before)
    #expect(try rotation(identifier, of: scene) == "0")
    try scene.run().expectCounts(["unchanged": 2])
    try LibraryState.expectWhole(scene.library)
  }

  @Test("Thumbnails of other sizes, of a rewritten asset and of a repair are turned too")
  func staysTurned() throws {
    let scene = try scene()
    let identifier = try asset("1", of: scene)
    try scene.command("rotate", scene.library, identifier, "--by", "90").expect(0)
    let turned = try thumbnail("whole", of: identifier, scene)
    scene.setThumbnails([("grid", 32, 32, "aspectFill"), ("whole", 24, 24, "aspectFit")])
    try scene.run().expect(0)
    scene.setThumbnails([("grid", 32, 32, "aspectFill"), ("whole", 32, 32, "aspectFit")])
    try scene.run().expect(0)
    #expect(try thumbnail("whole", of: identifier, scene) == turned)
    scene.setPolicy("strip")
    try scene.run("--reprocess").expect(0)
    try scene.run().expect(0)
    let rewritten = try thumbnail("whole", of: identifier, scene)
    #expect(rewritten.width == turned.width && rewritten.height == turned.height)
    #expect(try rotation(identifier, of: scene) == "90")
    let path = try #require(
      scene.catalogue(
        """
        SELECT path FROM thumbnails JOIN assets ON assets.id = asset
        WHERE localIdentifier = '\(identifier)' AND name = 'whole' AND thumbnails.superseded = 0
        """
      ).first
    )
    try FileManager.default.removeItem(atPath: scene.library + "/" + path)
    try scene.command("repair", scene.library).expect(0)
    let repaired = try thumbnail("whole", of: identifier, scene)
    #expect(repaired.width == turned.width && repaired.height == turned.height)
    try scene.run().expectCounts(["unchanged": 2])
    try LibraryState.expectWhole(scene.library)
    // A file that was read once more has rows of other numbers, which nothing depends on.
    let rows =
      """
      SELECT localIdentifier, rotation, name, fingerprint, path, sha256, width, height FROM thumbnails
      JOIN assets ON assets.id = asset WHERE thumbnails.superseded = 0 ORDER BY path
      """
    let before = try scene.catalogue(rows)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue(rows) == before && before.count == 4)
  }

  @Test("A turn whose log is lost is taken over from the catalogue of before")
  func lostLog() throws {
    let scene = try scene()
    let identifier = try asset("1", of: scene)
    try scene.command("rotate", scene.library, identifier, "--by", "180").expect(0)
    let logs = try FileManager.default.contentsOfDirectory(atPath: scene.library + "/Audit")
      .sorted()
    let last = try #require(logs.last { $0.hasSuffix(".ndjson") })
    let stem = last.dropLast(".ndjson".count)
    for name in logs where name.hasPrefix(stem) {
      try FileManager.default.removeItem(atPath: scene.library + "/Audit/" + name)
    }
    _ = try scene.rebuild()
    #expect(try rotation(identifier, of: scene) == "180")
  }

  @Test("What is no asset, no angle, or has lost its original is refused, and nothing is written")
  func refusals() throws {
    let scene = try scene()
    let identifier = try asset("1", of: scene)
    let before = try scene.snapshot("Library/Audit")
    try scene.command("rotate", scene.library, "zzz", "--by", "90").expect(64)
    for angle in ["0", "45", "360", "-90", "x"] {
      try scene.command("rotate", scene.library, identifier, "--by=\(angle)").expect(64)
    }
    try scene.command("rotate", scene.library, identifier).expect(64)
    let path = try #require(
      scene.catalogue(
        """
        SELECT path FROM resources JOIN assets ON assets.id = asset
        WHERE localIdentifier = '\(identifier)'
        """
      ).first
    )
    let bytes = try readBytes(scene.library + "/" + path)
    try FileManager.default.removeItem(atPath: scene.library + "/" + path)
    let other = try asset("2", of: scene)
    let missing = try scene.command("rotate", scene.library, other, identifier, "--by", "90")
    try missing.expect(65)
    #expect(missing.error.contains(path))
    #expect(try scene.snapshot("Library/Audit") == before)
    #expect(try rotation(other, of: scene) == "0")
    try scene.put("Library/" + path, bytes)
    // Other bytes than were published are not shown.
    try scene.put("Library/" + path, Array(bytes.dropLast()) + [0x00])
    try scene.command("rotate", scene.library, other, identifier, "--by", "90").expect(65)
    #expect(try rotation(other, of: scene) == "0")
    try scene.put("Library/" + path, bytes)
    try scene.command("rotate", scene.library, other, identifier, "--by", "90").expect(0)
    try scene.expectVerified()
  }

  @Test(
    "Killed at any moment, a turn is finished by the next run, or has changed nothing",
    .enabled(if: Has.strace, "no strace")
  )
  func isKilled() throws {
    let scene = try scene()
    let identifier = try asset("1", of: scene)
    let upright = try thumbnail("whole", of: identifier, scene).sha256
    let copied = try Tool.run("cp", ["-a", scene.library, scene.at("Whole")])
    try #require(copied.status == 0)
    let command = ["rotate", scene.library, identifier, "--by", "90"]
    let moments = try RunMoment.spread(over: command, in: scene.path, count: Amount.of(8, all: 60))
    for (index, moment) in moments.enumerated() {
      try FileManager.default.removeItem(atPath: scene.library)
      let copied = try Tool.run("cp", ["-a", scene.at("Whole"), scene.library])
      try #require(copied.status == 0)
      let killed = try moment.kill(command, in: scene.path)
      try killed.wait()
      #expect(killed.wasKilled, "\(moment)")
      let verify = try scene.command("verify", scene.library)
      #expect(verify.code == 0, "\(moment): \(verify.streams)")
      if index % 3 == 2 {
        let rebuild = try scene.rebuild()
        #expect(rebuild.code == 0, "\(moment): \(rebuild.streams)")
      }
      let run = try scene.run()
      #expect(run.code == 0, "\(moment): \(run.streams)")
      try run.expectCounts(["unchanged": 2])
      let isTurned = try rotation(identifier, of: scene) == "90"
      let sha256 = try thumbnail("whole", of: identifier, scene).sha256
      #expect((sha256 != upright) == isTurned, "\(moment)")
      try LibraryState.expectWhole(scene.library)
    }
  }

  @Test(
    "The process may change no published file, and the record is on the disk before a name is given",
    .enabled(if: Has.strace, "no strace")
  )
  func confinement() throws {
    let scene = try scene()
    let identifier = try asset("1", of: scene)
    let result = try Tool.run(
      "strace",
      [
        "-qq", "-y", "-s", "300", "-e",
        "trace=landlock_add_rule,landlock_restrict_self,renameat2,write,writev,pwrite64,fdatasync,fsync,syncfs",
        "-o", scene.at("trace"), try Scene.executable(), "rotate", scene.library, identifier,
        "--by", "90",
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    try #require(result.status == 0, "\(result)")
    let lines = String(decoding: try readBytes(scene.at("trace")), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let rules = lines.filter { $0.hasPrefix("landlock_add_rule") }
    // Only files in staging may be written, renamed away or removed.
    #expect(rules.count { $0.contains("REMOVE_FILE") } == 1, "\(rules)")
    let confined = try #require(lines.firstIndex { $0.hasPrefix("landlock_restrict_self") })
    let record = try #require(lines.firstIndex { $0.contains("\\\"event\\\":\\\"rotated\\\"") })
    let names = lines.indices.filter {
      lines[$0].hasPrefix("renameat2") && lines[$0].contains("/Thumbnails/")
    }
    #expect(names.count == 2)
    let flushed = lines[record...].firstIndex { $0.contains("sync") && $0.contains("/Audit/") }
    let first = try #require(names.first)
    #expect(confined < record && record < first)
    #expect(flushed.map { $0 < first } == true)
  }
}
