import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Rebuilding a catalogue", .enabled(if: Has.sqlite, "no sqlite3"))
struct RebuildTests {
  /// A library of two sources and three runs: photos that are stripped, a live photo of which the movie
  /// comes first, a video and a sound that are kept, a duplicate, a damaged, an unknown and a skipped
  /// file; thumbnails of another size in the second run, and of a third in the last.
  private func varied() throws -> Scene {
    let scene = Scene(policy: nil)
    scene.setThumbnails([("wide", 48, 32, "aspectFill"), ("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.declare("library", "authorized", ["metadata": ["policy": "keep"]])
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(6))
    try scene.put("sources/camera/b/a.jpg", copyOf: Samples.photo(2))
    try scene.put("sources/camera/again.jpg", copyOf: Samples.photo(6))
    try scene.put("sources/camera/cut.jpg", Array(try readBytes(Samples.photo(3)).prefix(900)))
    try scene.put("sources/camera/notes.txt", "These are notes.")
    mkfifo(scene.at("sources/camera/fifo"), 0o600)
    let (still, movie) = try Media.livePhoto("one")
    try scene.put("sources/library/IMG_1.jpg", still)
    try scene.put("sources/library/IMG_1.MOV", movie)
    try scene.put("sources/library/clip.mp4", copyOf: Samples.video)
    try scene.put("sources/library/memo.wav", copyOf: Samples.sound)
    try scene.put("sources/library/\u{00E9} 100%41.png", copyOf: Samples.png)
    try scene.run().expect(3)
    scene.setThumbnails([("wide", 40, 30, "aspectFill"), ("grid", 32, 32, "aspectFill")])
    try scene.put("sources/camera/new.jpg", copyOf: Samples.photo(4))
    try scene.run().expect(3)
    scene.setThumbnails([("wide", 40, 30, "aspectFill"), ("grid", 16, 16, "aspectFill")])
    try scene.run().expect(3)
    return scene
  }

  @Test("A catalogue that is gone is made again, row for row, and what cannot be known is said")
  func equalDump() throws {
    let scene = try varied()
    // The originals of `keep` are written anew under `strip`; their older files wait, superseded.
    try scene.declare("library")
    try scene.run("--reprocess").expect(0)
    try #require(
      scene.catalogue(
        "SELECT (SELECT sum(superseded) FROM resources), (SELECT sum(superseded) FROM thumbnails)"
      ) == ["5|8"]
    )
    let before = try CatalogueDump(scene.library)
    let hashes = try scene.catalogue("SELECT count(thumbHash) FROM thumbnails")
    try scene.removeCatalogue()
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    let after = try CatalogueDump(scene.library)
    #expect(after.lacking(in: before) == [])
    // The FIFO was never opened.
    #expect(before.lacking(in: after).map { $0.contains("'skipped','notRegularFile'") } == [true])
    #expect(try rebuild.unknownCounts() == ["unopenedItems": 1, "unknownThumbHashes": 22])
    #expect(hashes == ["22"])
    #expect(try rebuild.json()["kept"].isNull)
    try scene.run().expect(0)
    #expect(try CatalogueDump(scene.library).statements.count > 20)
    try scene.expectVerified()
  }

  @Test("The catalogue of before is compared, kept as it was, and the rebuild is in the log")
  func keepsTheOldOne() throws {
    let scene = try varied()
    let old = try readBytes(scene.library + "/library.sqlite")
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    #expect(try rebuild.rowDifferences() == ["gone items camera/fifo"])
    #expect(try rebuild.unknownCounts().keys.sorted() == ["finishedBatches", "unopenedItems"])
    let kept = try #require(try rebuild.json()["kept"].string)
    #expect(kept.hasPrefix("library.before-rebuild-"))
    #expect(try readBytes(scene.library + "/" + kept) == old)
    let records = try scene.lastLog()
    #expect(records.compactMap { $0["event"].string } == ["run", "key", "rebuilt", "end"])
    #expect(records[2]["kept"].string == kept)
    #expect(records[2]["assets"].int == 7)
    try scene.expectVerified()
    let run = try scene.run()
    try run.expect(0)
    #expect(try run.count("imported") == 0)
    #expect(try run.count("unchanged") == 9 && run.count("failedBefore") == 1)
    try scene.expectVerified()
  }

  /// A catalogue that no run can use.
  enum Damage: String, CaseIterable {
    case half = "truncate -s 40960 library.sqlite"
    case header = "dd if=/dev/zero of=library.sqlite bs=1 count=100 conv=notrunc 2>&1"
    case pages = "dd if=/dev/zero of=library.sqlite bs=4096 seek=2 count=6 conv=notrunc 2>&1"
    case empty = ": > library.sqlite"
  }

  @Test("A damaged catalogue is replaced, and no file of it is lost", arguments: Damage.allCases)
  func damaged(damage: Damage) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try scene.run().expect(0)
    let before = try CatalogueDump(scene.library)
    let shell = try Tool.run("sh", ["-c", damage.rawValue], in: scene.library)
    try #require(shell.status == 0)
    let old = try readBytes(scene.library + "/library.sqlite")
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    #expect(try CatalogueDump(scene.library) == before)
    let kept = try #require(try rebuild.json()["kept"].string)
    #expect(try readBytes(scene.library + "/" + kept) == old)
    try scene.run().expectCounts(["unchanged": 3])
    try scene.expectVerified()
  }

  @Test("A catalogue of before the last run is brought up to date: nothing is imported twice")
  func olderCatalogue() throws {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    let older = try readBytes(scene.library + "/library.sqlite")
    try scene.putPhotos(2...4)
    try scene.run().expect(0)
    let before = try CatalogueDump(scene.library)
    try scene.removeCatalogue()
    try scene.put("Library/library.sqlite", older)
    try scene.command("verify", scene.library).expect(65)
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    #expect(try CatalogueDump(scene.library) == before)
    let new = try rebuild.rowDifferences().filter { $0.hasPrefix("new items ") }
    #expect(new == ["new items camera/2.jpg", "new items camera/3.jpg", "new items camera/4.jpg"])
    try scene.run().expectCounts(["unchanged": 4])
    try scene.expectVerified()
  }

  @Test("A file of the log that is lost costs no asset whose files are there", arguments: [0, 1])
  func lostLogFile(index: Int) throws {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try scene.run().expect(0)
    try scene.putPhotos(4...6)
    try scene.run().expect(0)
    // Of the lost run one original is gone too: nothing tells it any more.
    let gone = try #require(
      try scene.catalogue(
        "SELECT path FROM resources ORDER BY id \(index == 0 ? "ASC" : "DESC") LIMIT 1"
      ).first
    )
    let rows = """
      SELECT localIdentifier, assets.label, assets.run, resources.path, resources.sha256,
        thumbnails.path, thumbnails.sha256, items.path, items.changed
      FROM assets JOIN resources ON resources.asset = assets.id
        JOIN thumbnails ON thumbnails.asset = assets.id JOIN items ON items.asset = assets.id
      WHERE resources.path != '\(gone)' ORDER BY 1
      """
    let before = try scene.catalogue(rows)
    try #require(before.count == 5)
    let runs = try scene.catalogue("SELECT id FROM runs ORDER BY id")
    let log = try #require(try scene.logFiles().dropFirst(index).first?.name)
    try FileManager.default.removeItem(atPath: scene.library + "/Audit/" + log)
    try FileManager.default.removeItem(atPath: scene.library + "/" + gone)
    let rebuild = try scene.rebuild()
    try rebuild.expect(65)
    #expect(try rebuild.json()["keptAssets"].int == 2)
    #expect(try scene.catalogue(rows) == before)
    #expect(try rebuild.json()["unrecorded"].array.count == 1, "the thumbnail of the lost original")
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["5"])
    // The catalogue still says that the run was there: nobody loses its log unnoticed.
    #expect(
      try scene.catalogue("SELECT id FROM runs WHERE client <> 'mediabatch.rebuild' ORDER BY id") == runs
    )
    let verify = try scene.command("verify", scene.library)
    try verify.expect(65)
    #expect(verify.output.contains("audit: \(log): missing"), "\(verify.streams)")
    #expect(!verify.output.contains("library.sqlite: "), "\(verify.streams)")
    let run = try scene.run()
    try run.expect(70)
    #expect(try run.count("imported") == 1 && run.count("unchanged") == 5)
    #expect(try scene.originals().count == 6)
  }

  @Test(
    "A run that was killed is finished by the next one, as if nothing had been rebuilt",
    .enabled(if: Has.strace, "no strace"),
    arguments: [1, 7]
  )
  func interrupted(rename: Int) throws {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.putPhotos(1...4)
    let run = ["run", "manifest.json", "--format", "json"]
    let undisturbed = try scene.choose(library: "Undisturbed")
    try scene.start().wait().expect(0)
    _ = try scene.choose(library: "Library")
    // Four renames try the file system and the key; the next eight publish.
    let killed = try RunMoment(call: "renameat2", number: 3 + rename).kill(run, in: scene.path)
    try killed.wait()
    try #require(killed.wasKilled)
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    try scene.start().wait().expect(0)
    try LibraryState.expectWhole(scene.library)
    #expect(try LibraryState(scene.library) == LibraryState(undisturbed))
  }

  @Test("Published files of a killed run are named when the catalogue is gone too")
  func unrecorded() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    try scene.put("Library/Originals/2026-01-01/000000.000000/x.jpg", copyOf: Samples.photo(2))
    try scene.removeCatalogue()
    let rebuild = try scene.rebuild()
    try rebuild.expect(65)
    #expect(
      try rebuild.json()["unrecorded"].array.compactMap(\.string)
        == ["Originals/2026-01-01/000000.000000/x.jpg"]
    )
    #expect(try scene.originals().count == 2)
  }

  @Test(
    "A folder that cannot be read is named, and what is behind it is looked at",
    .enabled(if: Tool.exists("setpriv"), "no setpriv")
  )
  func unreadableFolder() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...2)
    try scene.run().expect(0)
    try scene.put("Library/Thumbnails/planted.jpg", "x")
    // Root may read every folder, unless it is without these capabilities.
    let rebuild = try scene.shell(
      """
      mkdir -m 0 Library/Originals/0; drop=
      [ "$(id -u)" != 0 ] || drop="setpriv --bounding-set=-dac_override,-dac_read_search"
      $drop "$mediabatch" rebuild Library
      """
    )
    try rebuild.expect(65)
    for line in [
      "damaged: Originals/0: open \"0\": Permission denied\n",
      "unrecorded: Thumbnails/planted.jpg: the log has no record of it\n",
      "2 assets with 2 files and 0 thumbnails",
    ] {
      #expect(rebuild.output.contains(line), "\(rebuild.streams)")
    }
  }

  @Test("A missing and a damaged original are named, and stay in the catalogue for verify")
  func damagedOriginals() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try scene.run().expect(0)
    let before = try CatalogueDump(scene.library)
    let originals = try scene.originals().map { scene.library + "/Originals/" + $0.path }
    try FileManager.default.removeItem(atPath: originals[0])
    try Data("no photo".utf8).write(to: URL(fileURLWithPath: originals[1]))
    // The catalogue of before still has their facts.
    let rebuild = try scene.rebuild()
    try rebuild.expect(65)
    #expect(try CatalogueDump(scene.library) == before)
    #expect(try rebuild.rowDifferences() == [])
    try scene.removeCatalogue()
    let without = try scene.rebuild()
    try without.expect(65)
    #expect(
      try without.json()["damaged"].array.compactMap { $0["path"].string }
        == originals[0...1].map { String($0.dropFirst(scene.library.count + 1)) }.sorted()
    )
    let verify = try scene.command("verify", scene.library)
    try verify.expect(65)
    #expect(verify.output.contains("missing: ") && verify.output.contains("changed: "))
  }

  @Test("A log of a version that wrote less is enough, with the catalogue and without")
  func earlierLog() throws {
    let scene = Scene()
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/2.png", copyOf: Samples.png)
    try scene.run().expect(0)
    let before = try CatalogueDump(scene.library)
    let log = scene.library + "/Audit/" + (try #require(try scene.logFiles().first?.name))
    var text = String(decoding: try readBytes(log), as: UTF8.self)
    for pattern in [
      #""changed":[0-9]+,"#, #""thumbnailSpecs":\[[^]]*\],"#, #","width":[0-9]+"#,
      #""height":[0-9]+,"#,
    ] {
      let shorter = text.replacingOccurrences(of: pattern, with: "", options: .regularExpression)
      try #require(shorter != text, "\(pattern)")
      text = shorter
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: log))
    // Its chain differs now, which is said; the rows are nonetheless those of before.
    func rows(_ dump: CatalogueDump) -> CatalogueDump {
      var dump = dump
      dump.statements = dump.statements.filter { !$0.hasPrefix("INSERT INTO runs") }
      return dump
    }
    let rebuild = try scene.rebuild()
    try rebuild.expect(65)
    #expect(try rebuild.json()["audit"]["difference"].string?.contains("changed") == true)
    #expect(rows(try CatalogueDump(scene.library)) == rows(before))
    try scene.removeCatalogue()
    let without = try scene.rebuild()
    #expect(
      try without.unknownCounts() == [
        "unknownChanges": 2, "unknownThumbnails": 2, "unknownThumbHashes": 2,
      ]
    )
    #expect(try scene.catalogue("SELECT width || 'x' || height FROM thumbnails") == ["32x32", "32x32"])
    let run = try scene.run()
    #expect(try run.count("unchanged") == 2)
    #expect(try run.count("imported") == 0)
  }

  @Test(
    "A rebuild that is killed at any rename leaves a library, and can be done again",
    .enabled(if: Has.strace, "no strace"),
    arguments: [3, 4, 5, 6]
  )
  func killedRebuild(rename: Int) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    let before = try CatalogueDump(scene.library)
    // Two renames try the file system; then the log of the catalogue and its index, the new catalogue to
    // the name that the old one is kept under, and the exchange.
    let killed = try RunMoment(call: "renameat2", number: rename)
      .kill(["rebuild", scene.library], in: scene.path)
    try killed.wait()
    #expect(killed.wasKilled)
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["1"])
    try scene.expectVerified()
    try scene.rebuild().expect(0)
    #expect(try CatalogueDump(scene.library).lacking(in: before) == [])
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  @Test(
    "A time zone that the system does not have is said, and no other date is another",
    .enabled(if: Namespace.isAvailable, "no mount namespaces")
  )
  func timeZones() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera", "authorized", ["dates": ["timeZone": "Europe/Paris"]])
    try scene.put("sources/camera/IMG_20190704_101530.jpg", copyOf: Samples.photo(1))
    try scene.run().expect(0)
    let script = """
      mount -t tmpfs tmpfs /usr/share/zoneinfo
      exec "$mediabatch" rebuild Library --format json
      """
    let rebuild = try Namespace.run(script, in: scene.path)
    try rebuild.expect(0)
    #expect(try rebuild.unknownCounts()["unknownTimeZones"] == 1, "\(rebuild.streams)")
    let again = try scene.rebuild()
    try again.expect(0)
    #expect(try again.unknownCounts()["unknownTimeZones"] == nil, "\(again.streams)")
  }

  @Test("A folder that is no library, another's database and a held library are left alone")
  func refused() throws {
    let scene = Scene()
    try scene.makeFolder("Library/Originals")
    try scene.put("Library/mine.txt", "mine")
    let before = try scene.snapshot("Library")
    try scene.rebuild().expect(78)
    #expect(try scene.snapshot("Library") == before)
    try scene.makeFolder("Library/Audit")
    let result = try Tool.run(
      "sqlite3",
      [scene.library + "/library.sqlite", "PRAGMA application_id = 7; CREATE TABLE t (x)"]
    )
    try #require(result.status == 0)
    try scene.rebuild().expect(78)
    try scene.command("rebuild", scene.at("nowhere")).expect(78)
  }
}
