import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Exports of Google Photos as `.tgz` files.
@Suite(
  "Google Takeout in archives of tar",
  .enabled(if: Has.sqlite && Has.python && Has.exiftool, "no sqlite3, python3 or exiftool")
)
struct TakeoutTGZTests {
  private static let year = "Takeout/Google Photos/Photos from 2018/"
  private let takeout = TakeoutTests()

  /// Makes archives by a script of Python, whose `root` is the source's folder.
  private func pack(_ scene: Scene, _ script: String) throws {
    let whole = "import gzip, io, os, sys, tarfile\nroot = sys.argv[1]\n" + script
    let result = try Tool.run("python3", ["-c", whole, scene.at("sources/library")])
    try #require(result.status == 0, "\(result.error)")
  }

  @Test(
    "They give the same library as the folders that were packed into them, also beside zip files",
    arguments: [["tgz", "tgz"], ["tgz", "zip"], ["zip", "tar.gz"]]
  )
  func packed(endings: [String]) throws {
    let unpacked = try takeout.scene()
    try takeout.family(unpacked)
    try unpacked.run().expect(0)
    let scene = try takeout.scene()
    try takeout.family(scene)
    try takeout.pack(scene, endings)
    let before = try scene.snapshot("sources")
    try takeout.expectFamily(scene, try scene.run())
    #expect(try Set(scene.originals().map(\.sha256)) == Set(unpacked.originals().map(\.sha256)))
    #expect(try scene.originals().count == unpacked.originals().count)
    #expect(try scene.albums() == unpacked.albums())
    #expect(try scene.snapshot("sources") == before)
    // Nothing but the archives is opened again, and what was not imported.
    let again = try scene.run()
    #expect(try again.count("imported") == 0 && again.code == 0)
    let opened = try scene.openedPaths()
    #expect(
      opened.allSatisfy { $0.hasSuffix(".json") || $0.hasSuffix("IMG_3.jpg") || !$0.contains("/") },
      "\(opened)"
    )
  }

  @Test("Each archive and each of its files has its record before it is opened or read")
  func records() throws {
    let scene = try takeout.scene()
    try takeout.family(scene)
    try takeout.pack(scene, ["tgz", "tgz"])
    try scene.run().expect(0)
    let opened = try scene.openedPaths()
    #expect(opened.prefix(2) == ["takeout-20260101-001.tgz", "takeout-20260101-002.tgz"])
    #expect(opened.filter { !$0.contains("/") }.count == 2)
    let paths = try scene.lastLog().filter { $0["event"].string == "outcome" }.compactMap {
      $0["path"].string
    }
    #expect(Set(paths).isSubset(of: Set(opened)))
  }

  @Test("Under strip neither titles nor facts are stored, and what is hidden or in the trash is left out")
  func stripped() throws {
    let scene = try takeout.scene("strip")
    try takeout.family(scene)
    try takeout.pack(scene, ["tgz", "tgz"])
    try scene.run().expect(0)
    let results = try takeout.outcomes(scene)
    #expect(results["IMG_2.jpg"] == "skipped notFetched" && results["IMG_3.jpg"] == "skipped trashed")
    #expect(results["IMG_4-edited.jpg"] == "imported")
    let database = try readBytes(scene.library + "/library.sqlite")
    for secret in ["Brest", "2018-06-26T08:00:00", "488583736"] {
      #expect(!database.contains(Array(secret.utf8)), "\(secret)")
    }
    try scene.expectVerified()
  }

  @Test("A dry run lists what they hold, and writes nothing")
  func dryRun() throws {
    let scene = try takeout.scene()
    try takeout.family(scene)
    try takeout.pack(scene, ["tgz", "zip"])
    let dry = try scene.run("--dry-run")
    try dry.expect(0)
    #expect(!FileManager.default.fileExists(atPath: scene.library))
    #expect(dry.output.contains("IMG_4-edited.jpg"), "\(dry.output)")
    try takeout.expectFamily(scene, try scene.run())
  }

  @Test(
    "Under limited access the selected files of two archives are there, and nothing else is told"
  )
  func limited() throws {
    let names = ["2.jpg", "[2].jpg", "77.jpg"].map { "takeout-20260101-001.tgz/\(Self.year)IMG_" + $0 }
    let selection = names + ["takeout-20260101-002.tgz/\(Self.year)IMG_2.jpg.supplemental-metadata.json"]
    let scene = try takeout.scene(
      "keep",
      ["authorizationStatus": "limited", "selection": .array(selection.map { .string($0) })]
    )
    try takeout.family(scene)
    try takeout.pack(scene, ["tgz", "tgz"])
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.count("imported") == 1, "\(outcome.output)")
    #expect(try scene.catalogue("SELECT label, isHidden FROM assets") == ["IMG_2|1"])
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(log.contains("IMG_2.jpg") && !log.contains("IMG_1.jpg") && !log.contains("Trip"))
    #expect(log.contains("identifierNotFound"))
    try scene.expectVerified()
  }

  @Test("None of a denied source is opened", .enabled(if: Has.strace, "no strace"))
  func denied() throws {
    let denied = try takeout.scene("keep", ["authorizationStatus": "denied"])
    try takeout.family(denied)
    try takeout.pack(denied, ["tgz", "tgz"])
    let (outcome, lines) = try denied.tracedRun("open,openat,openat2")
    try outcome.expect(0)
    #expect(!lines.contains { $0.contains("takeout-2026") || $0.contains("sources/library/") })
  }

  /// Takes seconds: it kills runs at several moments.
  @Test(
    "A run that is killed at any moment leaves what the next one makes whole",
    .enabled(if: Has.strace, "no strace")
  )
  func killed() throws {
    let scene = try takeout.scene()
    try takeout.family(scene)
    try takeout.pack(scene, ["tgz", "tgz"])
    let undisturbed = try scene.choose(library: "Undisturbed")
    try scene.start().wait().expect(0)
    let wanted = try LibraryState(undisturbed).assets
    _ = try scene.choose(library: "Measured")
    let run = ["run", "manifest.json", "--format", "json"]
    for (index, moment) in try RunMoment.spread(over: run, in: scene.path, count: Amount.of(3, all: 20))
      .enumerated()
    {
      let library = try scene.choose(library: "Killed-\(index)")
      let first = try moment.kill(run, in: scene.path)
      try first.wait()
      #expect(first.wasKilled, "\(moment)")
      try scene.start().wait().expect(0)
      try LibraryState.expectWhole(library)
      #expect(try LibraryState(library).assets == wanted, "\(moment)")
    }
  }

  @Test("One that is cut or changed costs its own files; when it is whole, the next run goes on")
  func damaged() throws {
    let scene = try takeout.scene()
    try takeout.family(scene)
    try takeout.pack(scene, ["tgz", "zip"])
    let third = URL(fileURLWithPath: scene.at("sources/library/takeout-20260101-003.tgz"))
    let good = try readBytes(scene.at("sources/library/takeout-20260101-001.tgz"))
    var flipped = good
    flipped[good.count / 2] ^= 1
    for bad in [Array(good.prefix(good.count / 2)), Array(good.dropLast()), flipped] {
      try Data(bad).write(to: third)
      let outcome = try scene.run()
      try outcome.expect(3)
      #expect(try outcome.failures() == ["takeout-20260101-003.tgz: damaged"])
      #expect(outcome.output.contains("Download it again"))
    }
    #expect(try scene.originals().count == 6)
    try Data(good).write(to: third)
    let again = try scene.run()
    try again.expect(0)
    #expect(try again.count("duplicate") == 7)
    try scene.expectVerified()
  }

  @Test("One that lies, explodes, leads out of itself or holds what is no file does no harm")
  func hostile() throws {
    let scene = try takeout.scene()
    scene.manifest["limits"] = ["bytes": 1_000_000]
    try scene.put("sources/library/good.jpg", try Media.photo("good"))
    try pack(
      scene,
      """
      good = open(root + "/good.jpg", "rb").read()
      def add(tar, name, content=b"x", **fields):
          info = tarfile.TarInfo(name)
          info.size = len(content)
          for key, value in fields.items(): setattr(info, key, value)
          tar.addfile(info, io.BytesIO(content))
      with tarfile.open(root + "/a.tgz", "w:gz", format=tarfile.PAX_FORMAT) as tar:
          for name in ["../out.jpg", "/etc/out.jpg", "a/../../out.jpg", "a//b.jpg", "nul\\0é.jpg"]: add(tar, name)
          add(tar, "twice.jpg", good + b"1")
          add(tar, "twice.jpg", good + b"2")
          for name, kind in [("s.jpg", tarfile.SYMTYPE), ("h.jpg", tarfile.LNKTYPE), ("d.jpg", tarfile.CHRTYPE),
                             ("f.jpg", tarfile.FIFOTYPE)]:
              add(tar, name, b"", type=kind, linkname="/etc/passwd")
          add(tar, "p.jpg", good, pax_headers={"GNU.sparse.major": "1", "GNU.sparse.name": "q.jpg"})
          add(tar, "zeros.jpg", bytes(50_000_000))
          add(tar, "deep/" * 20 + "ok.jpg", good + b"!")
      whole = open(root + "/a.tgz", "rb").read()
      tar = gzip.decompress(whole)
      def write(name, content): open(root + "/" + name, "wb").write(content)
      # A header whose checksum is wrong, a size that no file has, no end.
      bad = bytearray(tar)
      bad[0] ^= 1
      write("b.tgz", gzip.compress(bytes(bad)))
      with tarfile.open(root + "/c.tgz", "w:gz", format=tarfile.PAX_FORMAT) as tar2:
          add(tar2, "large.jpg", good, pax_headers={"size": "999999999999999999"})
      write("d.tgz", gzip.compress(tar[:tar.rindex(good) // 512 * 512]))
      # Several members and what stands behind them; and no gzip.
      half = len(tar) // 2
      with tarfile.open(root + "/e.tar.gz", "w:gz") as tar2: add(tar2, "members.jpg", good + b"?")
      plain = gzip.decompress(open(root + "/e.tar.gz", "rb").read())
      write("e.tar.gz", gzip.compress(plain[:700]) + gzip.compress(plain[700:]) + b"junk")
      write("f.tgz", plain)
      """
    )
    let before = try scene.snapshot("sources")
    let outcome = try scene.run()
    try outcome.expect(3)
    // good, the first of two, ok, members.
    #expect(try outcome.count("imported") == 4, "\(outcome.streams)")
    #expect(
      try Set(outcome.failures()) == [
        "a.tgz/zeros.jpg: overLimit", "b.tgz: damaged", "c.tgz: damaged", "d.tgz: damaged", "f.tgz: damaged",
      ]
    )
    for words in [
      "6 files of the archive", "have paths that lead out of it", "5 files of the archive",
      "are links, devices or sparse files",
    ] { #expect(outcome.output.contains(words), "\(words)") }
    #expect(try scene.snapshot("sources") == before)
    #expect(!FileManager.default.fileExists(atPath: scene.at("sources/out.jpg")))
    try scene.expectVerified()
  }
}
