import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Exports of Google Photos, unpacked and as zip files.
@Suite(
  "Google Takeout as a source",
  .enabled(if: Has.sqlite && Has.python && Has.exiftool, "no sqlite3, python3 or exiftool")
)
struct TakeoutTests {
  private static let root = "sources/library/Takeout/Google Photos/"

  func scene(_ policy: String = "keep", _ extra: [String: JSONValue] = [:]) throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("library", "authorized", ["kind": "takeout"].merging(extra) { $1 })
    return scene
  }

  /// The JSON of a picture, with members of its own.
  private func describe(
    _ scene: Scene,
    _ path: String,
    title: String,
    taken: Int = 1_530_000_000,
    _ more: String = ""
  ) throws {
    try scene.put(
      Self.root + path,
      """
      { "title": "\(title)", "description": "", "imageViews": "3",
        "photoTakenTime": { "timestamp": "\(taken)", "formatted": "…" },
        "geoData": { "latitude": 0.0, "longitude": 0.0, "altitude": 0.0 }\(more) }
      """
    )
  }

  private func album(_ scene: Scene, _ path: String, title: String) throws {
    try scene.put(
      Self.root + path,
      #"{ "title": "\#(title)", "access": "protected", "date": { "timestamp": "1697872351" } }"#
    )
  }

  func outcomes(_ scene: Scene) throws -> [String: String] {
    try scene.lastLog().filter { $0["event"].string == "outcome" }.reduce(into: [:]) {
      let words = [$1["outcome"].string, $1["reason"].string].compactMap { $0 }
      let name = ($1["path"].string ?? "").split(separator: "/").last.map(String.init) ?? ""
      $0[name] = words.joined(separator: " ")
    }
  }

  /// Puts a picture of its own content without metadata.
  private func photo(_ scene: Scene, _ path: String, _ content: String) throws {
    let file = try scene.put(Self.root + path, try Media.photo(content))
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all=", "-Comment=\(content)", file])
  }

  /// A small export with all that one may have.
  func family(_ scene: Scene) throws {
    let year = "Photos from 2018/"
    for name in ["IMG_1", "IMG_2", "IMG_3", "IMG_4", "IMG_5"] {
      try photo(scene, year + name + ".jpg", "family \(name)")
    }
    try describe(
      scene,
      year + "IMG_1.jpg.json",
      title: "IMG_1.jpg",
      #", "favorited": true, "people": [{ "name": "Ann" }]"#
    )
    try describe(
      scene,
      year + "IMG_2.jpg.supplemental-metadata.json",
      title: "IMG_2.jpg",
      taken: 1_531_000_000,
      #", "archived": true"#
    )
    try describe(scene, year + "IMG_3.jpg.json", title: "IMG_3.jpg", #", "trashed": true"#)
    try describe(
      scene,
      year + "IMG_4.jpg.json",
      title: "IMG_4.jpg",
      #", "geoDataExif": { "latitude": 48.8583736, "longitude": -2.291901 }"#
    )
    try photo(scene, year + "IMG_4-edited.jpg", "family IMG_4 edited")
    // Another picture of the same title.
    try photo(scene, year + "IMG_1(1).jpg", "family other")
    try describe(scene, year + "IMG_1.jpg(1).json", title: "IMG_1.jpg", taken: 1_532_000_000)
    // The album has one picture, and of another one the JSON alone.
    try album(scene, "Trip/metadata.json", title: "Trip to “Brest” & back/2")
    try photo(scene, "Trip/IMG_1.jpg", "family IMG_1")
    try describe(scene, "Trip/IMG_1.jpg.json", title: "IMG_1.jpg")
    try describe(scene, "Trip/IMG_1.jpg(1).json", title: "IMG_1.jpg", taken: 1_532_000_000)
    try describe(scene, "Trip/IMG_9.jpg.json", title: "IMG_9.jpg", taken: 1_539_000_000)
    try album(scene, "Untitled(3)/métadonnées.json", title: "")
    try describe(scene, "Untitled(3)/IMG_2.jpg.json", title: "IMG_2.jpg", taken: 1_531_000_000)
    try scene.put(Self.root + "print-subscriptions.json", "{ }")
    try scene.put(Self.root + "user-generated-memory-titles.json", #"{ "title": ["Trip"] }"#)
  }

  @Test("A time before 1970 is a date, and one before the first photograph is reported")
  func early() throws {
    let scene = try scene()
    for (name, taken) in [("scan", -631_152_000), ("old", -4_600_000_000)] {
      try photo(scene, "Photos from 2024/\(name).jpg", "early \(name)")
      let json = "Photos from 2024/\(name).jpg.supplemental-metadata.json"
      try describe(scene, json, title: "\(name).jpg", taken: taken)
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    #expect(try outcome.problems() == ["datesNotUsed"])
    let rows = "SELECT label, creationDate, creationDateTag FROM assets ORDER BY label"
    #expect(try scene.catalogue(rows) == ["old||", "scan|1950-01-01T00:00:00|sidecar:photoTakenTime"])
  }

  func expectFamily(_ scene: Scene, _ outcome: Outcome) throws {
    try outcome.expect(0)
    let results = try outcomes(scene)
    #expect(results["IMG_3.jpg"] == "skipped trashed")
    #expect(results["IMG_4-edited.jpg"] == "imported")
    #expect(results["IMG_9.jpg.json"] == "skipped sidecarOrphaned")
    #expect(results["print-subscriptions.json"] == "skipped sidecarRead")
    let rows = try scene.catalogue(
      """
      SELECT label, isFavorite, isHidden, latitude, longitude, creationDate, creationDateOffsetMinutes,
        creationDateTag FROM assets ORDER BY label, creationDate
      """
    )
    #expect(
      rows.filter { $0.contains("sidecar:") } == [
        "IMG_1|1||||2018-06-26T08:00:00|0|sidecar:photoTakenTime",
        "IMG_1(1)|||||2018-07-19T11:33:20|0|sidecar:photoTakenTime",
        "IMG_2||1|||2018-07-07T21:46:40|0|sidecar:photoTakenTime",
        "IMG_4|||48.8583736|-2.291901|2018-06-26T08:00:00|0|sidecar:photoTakenTime",
        "IMG_4-edited|||48.8583736|-2.291901|2018-06-26T08:00:00|0|sidecar:photoTakenTime",
      ],
      "\(rows)"
    )
    // IMG_1 is one asset, of the year and of the album; the album's JSON of the other leads to its asset.
    #expect(try scene.albums() == ["Trip to “Brest” & back/2": 2])
    #expect(try scene.catalogue("SELECT title FROM albums ORDER BY title").count == 2)
    let stacks = try scene.command("stack", "list", scene.library, "--format", "json").json()
    #expect(stacks["stacks"].array.map { $0["kind"].string } == ["edited"])
    try scene.expectVerified()
  }

  @Test("Dates, places, favorites, trash, edited renditions and albums are what the JSON files say")
  func unpacked() throws {
    let scene = try scene()
    try family(scene)
    try expectFamily(scene, try scene.run())
    // The second run has nothing to do, and opens only what may belong to new files.
    let again = try scene.run()
    try again.expect(0)
    #expect(try again.count("imported") == 0)
    let opened = try scene.openedPaths()
    #expect(opened.allSatisfy { $0.hasSuffix(".json") || $0.hasSuffix("IMG_3.jpg") }, "\(opened)")
    #expect(try scene.albums() == ["Trip to “Brest” & back/2": 2])
    // A rebuilt catalogue has what the JSON files say again after the next run.
    let facts = "SELECT label, isFavorite, isHidden, latitude FROM assets ORDER BY label"
    let before = try scene.catalogue(facts)
    try scene.command("rebuild", scene.library).expect(0)
    #expect(try scene.catalogue(facts) != before)
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT title FROM albums").count == 2)
    #expect(try scene.catalogue(facts) == before)
    try scene.expectVerified()
  }

  @Test(
    "A picture of the Locked Folder is hidden under keep, and left out under strip, as an archived one"
  )
  func lockedFolder() throws {
    for (policy, extra, published) in [
      ("keep", [:], ["archived.jpg", "locked.jpg", "plain.jpg"]), ("strip", [:], ["plain.jpg"]),
      (
        "strip", ["fetch": ["includeHiddenAssets": true]],
        ["archived.jpg", "locked.jpg", "plain.jpg"]
      ),
    ] as [(String, [String: JSONValue], [String])] {
      let scene = try scene(policy, extra)
      for (name, mark) in [
        ("archived", #", "archived": true"#), ("locked", #", "inLockedFolder": true"#),
        ("plain", #", "inLockedFolder": false"#),
      ] {
        let path = "Photos from 2018/\(name).jpg"
        try photo(scene, path, "locked \(name)")
        try describe(scene, path + ".supplemental-metadata.json", title: "\(name).jpg", mark)
      }
      try scene.run().expect(0)
      #expect(try scene.originalNames().sorted() == published)
      let outcomes = try outcomes(scene)
      #expect(outcomes["locked.jpg"] == outcomes["archived.jpg"])
      if published.count == 1 { #expect(outcomes["locked.jpg"] == "skipped notFetched") }
      // Under strip the catalogue does not have the mark.
      if policy == "strip" { continue }
      try scene.command(["export", scene.library, "out", "--layout", "{label}"]).expect(0)
      #expect(try scene.madePaths("out") == ["plain.jpg"])
    }
  }

  @Test("After a rebuild archived pictures are hidden, and favorites are favorites, as before")
  func marksAfterRebuild() throws {
    let scene = try scene()
    let marked = [
      ("a", #", "archived": true"#), ("b", #", "favorited": true"#), ("c", ""), ("d", ""),
    ]
    for (name, mark) in marked {
      let path = "Photos from 2018/\(name).jpg"
      try photo(scene, path, "marks \(name)")
      try describe(scene, path + ".json", title: "\(name).jpg", mark)
    }
    try scene.run().expect(0)
    let marks = "SELECT label, isHidden, isFavorite FROM assets ORDER BY label"
    let before = ["a|1|", "b||1", "c||", "d||"]
    #expect(try scene.catalogue(marks) == before)
    // What another program wrote into a row is not believed.
    _ = try scene.catalogue("UPDATE assets SET isFavorite = 1 WHERE label = 'd'")
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue(marks) == before)
    try scene.command(["export", scene.library, "out", "--layout", "{label}"]).expect(0)
    #expect(try scene.madePaths("out") == ["b.jpg", "c.jpg", "d.jpg"])
    try scene.expectVerified()
  }

  /// Packs the export into two archives, by Python's zipfile and by tar: pictures into the first, JSON files into the
  /// second, whose endings are given.
  func pack(_ scene: Scene, _ endings: [String] = ["zip", "zip"]) throws {
    let script = """
      import os, subprocess, sys, zipfile
      root = sys.argv[1]
      parts = [[], []]
      for folder, _, names in os.walk(os.path.join(root, "Takeout")):
          for name in sorted(names):
              parts[name.endswith(".json")].append(os.path.relpath(os.path.join(folder, name), root))
      for n, (paths, ending) in enumerate(zip(parts, sys.argv[2:])):
          archive = os.path.join(root, f"takeout-20260101-00{n + 1}.{ending}")
          if ending == "zip":
              with zipfile.ZipFile(archive, "w", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED][n]) as part:
                  for path in paths: part.write(os.path.join(root, path), path)
          else:
              names = "\\0".join(paths).encode()
              subprocess.run(["tar", "-czf", archive, "-C", root, "--null", "-T", "-"], input=names, check=True)
      """
    let result = try Tool.run("python3", ["-c", script, scene.at("sources/library")] + endings)
    try #require(result.status == 0, "\(result.error)")
    try FileManager.default.removeItem(atPath: scene.at("sources/library/Takeout"))
  }

  @Test("Zip files give the same library as the folders that were packed into them")
  func zipped() throws {
    let unpacked = try scene()
    try family(unpacked)
    try unpacked.run().expect(0)
    let scene = try scene()
    try family(scene)
    try pack(scene)
    try expectFamily(scene, try scene.run())
    #expect(try Set(scene.originals().map(\.sha256)) == Set(unpacked.originals().map(\.sha256)))
    #expect(try scene.originals().count == unpacked.originals().count)
    #expect(try scene.albums() == unpacked.albums())
    let again = try scene.run()
    #expect(try again.count("imported") == 0 && again.code == 0)
  }

  @Test(
    "It is not divided among machines, which would import what is in the trash",
    arguments: [false, true]
  )
  func plans(isZipped: Bool) throws {
    let scene = try scene()
    try family(scene)
    if isZipped { try pack(scene) }
    try scene.writeManifest()
    try scene.expectUndivided()
  }

  @Test("An export that is copied with its times is not imported anew", arguments: [false, true])
  func copied(isZipped: Bool) throws {
    let scene = try scene()
    try family(scene)
    if isZipped { try pack(scene) }
    try scene.run().expect(0)
    let originals = Set(try scene.originals().map(\.path))
    try Independent.make("cp", ["-a", scene.at("sources"), scene.at("copied")])
    try FileManager.default.removeItem(atPath: scene.at("sources"))
    try FileManager.default.moveItem(atPath: scene.at("copied"), toPath: scene.at("sources"))
    let again = try scene.run()
    #expect(try again.count("imported") == 0 && again.code == 0, "\(again.streams)")
    #expect(try Set(scene.originals().map(\.path)) == originals)
    try scene.expectVerified()
  }

  @Test("Each archive and each of its files has its record before it is opened or read")
  func records() throws {
    let scene = try scene()
    try family(scene)
    try pack(scene)
    try scene.run().expect(0)
    let opened = try scene.openedPaths()
    #expect(opened.prefix(2) == ["takeout-20260101-001.zip", "takeout-20260101-002.zip"])
    let paths = try scene.lastLog().filter { $0["event"].string == "outcome" }.compactMap {
      $0["path"].string
    }
    #expect(Set(paths).isSubset(of: Set(opened)))
    // A spreadsheet of what was opened when has the archives too, and no item twice.
    let script = """
      import csv, sys
      rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
      opened = [r for r in rows if r["kind"] == "access" and int(r["bytes"]) > 0 and r["time"]]
      print("\\n".join(r["path"] for r in opened))
      """
    let rows = try Tool.run("python3", ["-c", script, try scene.report("csv")])
    let others = rows.output.split(separator: "\n").map(String.init)
    #expect(others.prefix(2) == ["takeout-20260101-001.zip", "takeout-20260101-002.zip"])
    #expect(Set(others).isDisjoint(with: paths), "\(rows)")
  }

  @Test("No archive of a denied source is opened", .enabled(if: Has.strace, "no strace"))
  func deniedArchives() throws {
    let denied = try scene("keep", ["authorizationStatus": "denied"])
    try family(denied)
    try pack(denied)
    let (outcome, lines) = try denied.tracedRun("open,openat,openat2")
    try outcome.expect(0)
    #expect(!lines.contains { $0.contains("takeout-2026") || $0.contains("sources/library/") })
  }

  @Test("Under limited access the selected files of an archive are there, and nothing else is told")
  func limited() throws {
    let inner = "Takeout/Google Photos/Photos from 2018/IMG_"
    let scene = try scene(
      "keep",
      [
        "authorizationStatus": "limited",
        "selection": [
          .string("takeout-20260101-001.zip/\(inner)2.jpg"),
          .string("takeout-20260101-001.zip/\(inner)77.jpg"),
          .string("takeout-20260101-001.zip/\(inner)[2].jpg"),
          .string("takeout-20260101-001.zip/\(inner)7*.jpg"),
        ],
      ]
    )
    try family(scene)
    try pack(scene)
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.count("imported") == 1, "\(outcome.output)")
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(log.contains("IMG_2.jpg") && !log.contains("IMG_1.jpg") && !log.contains("Trip"))
    #expect(!log.contains("takeout-20260101-002.zip"))
    #expect(log.contains("identifierNotFound"))
    #expect(try outcome.unmatchedPatterns() == ["takeout-20260101-001.zip/\(inner)7*.jpg"])
  }

  @Test(
    "Under limited access a selected picture brings its JSON file, and nothing else of the export",
    arguments: [false, true]
  )
  func limitedDescriptions(isPacked: Bool) throws {
    let folder = "Takeout/Google Photos/Photos from 2018/"
    let prefix = isPacked ? "all.zip/" : ""
    let selection = ["IMG_1.jpg", "IMG_4-edited.jpg"].map { JSONValue.string(prefix + folder + $0) }
    let scene = try scene("keep", ["authorizationStatus": "limited", "selection": .array(selection)])
    try family(scene)
    if isPacked {
      let script = """
        import os, sys, zipfile
        root = sys.argv[1]
        with zipfile.ZipFile(os.path.join(root, "all.zip"), "w") as archive:
            for base, _, names in os.walk(os.path.join(root, "Takeout")):
                for name in names:
                    path = os.path.join(base, name)
                    archive.write(path, os.path.relpath(path, root))
        """
      let result = try Tool.run("python3", ["-c", script, scene.at("sources/library")])
      try #require(result.status == 0, "\(result.error)")
      try FileManager.default.removeItem(atPath: scene.at("sources/library/Takeout"))
    }
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 2, "skipped": 2])
    #expect(!run.output.contains("no JSON file"), "\(run.output)")
    // What describes the selected pictures is not what somebody selected.
    #expect(run.streams.contains(": 2 items of its selection found."), "\(run.streams)")
    #expect(
      try outcomes(scene) == [
        "IMG_1.jpg": "imported", "IMG_4-edited.jpg": "imported",
        "IMG_1.jpg.json": "skipped sidecarRead", "IMG_4.jpg.json": "skipped sidecarRead",
      ]
    )
    let opened = try scene.openedPaths()
    for name in ["IMG_1.jpg.json", "IMG_4.jpg.json"] {
      #expect(opened.contains(prefix + folder + name))
    }
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(!log.contains("IMG_2") && !log.contains("Trip") && !log.contains("IMG_4.jpg\""))
    #expect(
      try scene.catalogue(
        "SELECT label, isFavorite, creationDateTag FROM assets ORDER BY label"
      ) == ["IMG_1|1|sidecar:photoTakenTime", "IMG_4-edited||sidecar:photoTakenTime"]
    )
    try scene.run().expectCounts(["unchanged": 4])
    try scene.expectVerified()
  }

  @Test("Under limited access an archive that has a second name is not opened")
  func linkedArchive() throws {
    let path = "takeout-20260101-001.zip/Takeout/Google Photos/Photos from 2018/IMG_2.jpg"
    let scene = try scene("keep", ["authorizationStatus": "limited", "selection": [.string(path)]])
    try family(scene)
    try pack(scene)
    try FileManager.default.linkItem(
      atPath: scene.at("sources/library/takeout-20260101-001.zip"),
      toPath: scene.at("second.zip")
    )
    try scene.run().expectCounts(["refused": 1])
    let log = try scene.lastLog()
    #expect(!log.contains { $0["event"].string == "access" })
    let outcome = try #require(log.first { $0["event"].string == "outcome" })
    #expect(outcome["path"].string == path && outcome["reason"].string == "hardLinked")
    // With that name gone it is imported.
    try FileManager.default.removeItem(atPath: scene.at("second.zip"))
    try scene.run().expectCounts(["imported": 1])
    try scene.expectVerified()
  }

  @Test("Under strip neither titles nor facts are stored, unless the manifest asks for albums")
  func stripped() throws {
    let scene = try scene("strip")
    try family(scene)
    try scene.run().expect(0)
    #expect(try scene.albums() == [:])
    let database = try readBytes(scene.library + "/library.sqlite")
    for secret in ["Brest", "2018-06-26T08:00:00", "488583736"] {
      #expect(!database.contains(Array(secret.utf8)), "\(secret)")
    }
    #expect(try outcomes(scene)["IMG_3.jpg"] == "skipped trashed")
    // Nothing would tell later that it is hidden.
    #expect(try outcomes(scene)["IMG_2.jpg"] == "skipped notFetched")
    scene.manifest["albums"] = ["fromSource": true]
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT title FROM albums").count == 2)
    #expect(try scene.albums().filter { $0.value > 0 } == ["Trip to “Brest” & back/2": 2])
    let fetch: [String: JSONValue] = ["kind": "takeout", "fetch": ["includeHiddenAssets": true]]
    try scene.declare("library", "authorized", fetch, makesFolder: false)
    try scene.run().expectCounts(["imported": 1, "unchanged": 11, "skipped": 9])
    #expect(try scene.albums() == ["Trip to “Brest” & back/2": 2, "Untitled(3)": 1])
    scene.manifest["albums"] = ["fromSource": false]
    try scene.run().expect(0)
    #expect(try scene.albums() == [:])
  }

  @Test("A damaged archive costs its own files; when it is whole, the next run goes on")
  func damaged() throws {
    let scene = try scene()
    try family(scene)
    try pack(scene)
    let second = scene.at("sources/library/takeout-20260101-003.zip")
    let good = try readBytes(scene.at("sources/library/takeout-20260101-001.zip"))
    try Data(good.prefix(good.count / 2)).write(to: URL(fileURLWithPath: second))
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == ["takeout-20260101-003.zip: damaged"])
    #expect(outcome.output.contains("Download it again"))
    #expect(try outcome.count("imported") == 6)
    try Data(good).write(to: URL(fileURLWithPath: second))
    let again = try scene.run()
    try again.expect(0)
    #expect(try again.count("duplicate") == 7)
    // A bit of one file's data is another: its checksum tells.
    var bad = good
    let offset = try #require(Data(good).range(of: Data("Photos from 2018/IMG_5.jpg".utf8))?.upperBound)
    bad[offset + 2000] ^= 1
    try Data(bad).write(to: URL(fileURLWithPath: second))
    let changed = try scene.run()
    try changed.expect(3)
    #expect(
      try changed.failures() == [
        "takeout-20260101-003.zip/Takeout/Google Photos/Photos from 2018/IMG_5.jpg: damaged"
      ]
    )
    try scene.expectVerified()
  }

  @Test("An archive that lies, explodes or leads out of itself does no harm")
  func hostile() throws {
    let scene = try scene("keep", [:])
    scene.manifest["limits"] = ["bytes": 1_000_000]
    try scene.put("sources/library/good.jpg", try Media.photo("good"))
    let script = """
      import sys, zipfile, struct
      root = sys.argv[1]
      with zipfile.ZipFile(root + "/a.zip", "w", zipfile.ZIP_DEFLATED) as z:
          for name in ["../out.jpg", "/etc/out.jpg", "a/../../out.jpg", "./x.jpg", "a//b.jpg", "nul\\0.jpg"]:
              z.writestr(zipfile.ZipInfo(name), b"x")
          z.writestr("zeros.jpg", bytes(50_000_000))
          z.writestr("deep/" * 20 + "ok.jpg", open(root + "/good.jpg", "rb").read() + b"!")
      data = bytearray(open(root + "/a.zip", "rb").read())
      # Says that it has ten bytes, and has more.
      with zipfile.ZipFile(root + "/b.zip", "w", zipfile.ZIP_DEFLATED) as z:
          z.writestr("short.jpg", bytes(900_000))
      b = bytearray(open(root + "/b.zip", "rb").read())
      place = b.rfind(b"PK\\x01\\x02")
      b[place + 24:place + 28] = struct.pack("<I", 10)
      open(root + "/b.zip", "wb").write(b)
      # An entry whose header is beyond the end, and one that is encrypted.
      b[place + 42:place + 46] = struct.pack("<I", 0x7FFFFFFF)
      open(root + "/c.zip", "wb").write(b)
      b[place + 8] |= 1
      open(root + "/d.zip", "wb").write(b)
      open(root + "/e.zip", "wb").write(b"PK\\x05\\x06" + bytes(18))
      # Two entries that share their data, and one of a size that no file has.
      with zipfile.ZipFile(root + "/g.zip", "w") as z:
          z.writestr("one.jpg", bytes(5000))
          z.writestr("two.jpg", bytes(5000))
      g = bytearray(open(root + "/g.zip", "rb").read())
      second = g.rfind(b"PK\\x01\\x02")
      g[second + 42:second + 46] = bytes(4)
      open(root + "/g.zip", "wb").write(g)
      h = bytearray(open(root + "/b.zip", "rb").read())
      central = h.rfind(b"PK\\x01\\x02")
      h[central + 24:central + 28] = b"\\xff" * 4
      h[central + 30:central + 32] = struct.pack("<H", 12)
      name = central + 46 + 9
      h[name:name] = struct.pack("<HHQ", 1, 8, 1 << 63)
      end = h.rfind(b"PK\\x05\\x06")
      h[end + 12:end + 16] = struct.pack("<I", 46 + 9 + 12)
      open(root + "/h.zip", "wb").write(h)
      open(root + "/i.tgz", "wb").write(b"x")
      open(root + "/j.TAR.GZ", "wb").write(b"")
      open(root + "/f.zip", "wb").write(b"")
      """
    let result = try Tool.run("python3", ["-c", script, scene.at("sources/library")])
    try #require(result.status == 0, "\(result.error)")
    let before = try scene.snapshot("sources")
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.count("imported") == 2)
    let failed = try Set(outcome.failures())
    #expect(
      failed.isSuperset(of: [
        "a.zip/zeros.jpg: overLimit", "b.zip/short.jpg: damaged", "c.zip/short.jpg: damaged",
        "d.zip/short.jpg: damaged", "f.zip: damaged", "g.zip: damaged", "h.zip: damaged",
        "i.tgz: damaged", "j.TAR.GZ: damaged",
      ]),
      "\(failed)"
    )
    #expect(outcome.output.contains("have paths that lead out of it"))
    #expect(try scene.snapshot("sources") == before)
    #expect(!FileManager.default.fileExists(atPath: scene.at("sources/out.jpg")))
    try scene.expectVerified()
  }

  @Test("JSON that is damaged, deep or no object fails alone")
  func damagedJSON() throws {
    let scene = try scene()
    let texts = ["a.jpg": "{", "b.jpg": "[]", "c.jpg": "nul", "d.jpg": "{\"a\":"]
    for (name, text) in texts {
      try photo(scene, "Photos from 2020/" + name, name)
      try scene.put(Self.root + "Photos from 2020/\(name).json", text)
    }
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.count("imported") == texts.count)
    for (name, text) in texts {
      #expect(try outcomes(scene)[name + ".json"] == "failed damaged", "\(text)")
    }
    // Their JSON comes later, whole: the assets get what it says.
    for name in texts.keys {
      try describe(scene, "Photos from 2020/\(name).json", title: name)
    }
    try scene.run().expect(0)
    #expect(
      try scene.catalogue("SELECT creationDate FROM assets WHERE superseded = 0")
        == texts.map { _ in "2018-06-26T08:00:00" }
    )
  }

  @Test(
    "Real exports: each picture once, with the date of its JSON, in the albums that have it",
    .enabled(if: Corpus.file("second/takeout") != nil, "no corpus")
  )
  func real() throws {
    // One of the pictures is a partner's.
    let scene = try scene("keep", ["fetch": ["includePartnerSharing": true]])
    let corpus = try #require(Corpus.file("second/takeout"))
    for name in ["Takeout1", "Takeout2", "osxphotos"] {
      try FileManager.default.copyItem(
        atPath: corpus + "/" + name,
        toPath: scene.at("sources/library/" + name)
      )
    }
    try scene.run().expect(0)
    let pictures = Set(
      try Corpus.files(beneath: "second/takeout").filter { path in
        ["Takeout1", "Takeout2", "osxphotos"].contains { path.contains("/takeout/\($0)/") }
          && ["jpg", "mov", "mp4"].contains { path.hasSuffix("." + $0) }
      }.map { try Independent.sha256($0) }
    )
    #expect(Set(try scene.originals().map(\.sha256)) == pictures)
    #expect(try scene.originals().count == pictures.count)
    #expect(try scene.albums() == ["Album test 6/10/23": 7, "Pumpkin Farm": 3, "Sans titre(9)": 1])
    // What Python reads in the JSON files is in the catalogue.
    let script = """
      import json, pathlib, sys
      for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.json")):
          words = json.loads(path.read_text())
          if words.get("favorited") and path.with_suffix("").exists(): print(path.with_suffix("").stem)
      """
    let favorites = try Tool.run("python3", ["-c", script, scene.at("sources/library")])
    #expect(
      try Set(scene.catalogue("SELECT label FROM assets WHERE isFavorite = 1"))
        == Set(favorites.output.split(separator: "\n").map(String.init))
    )
    try scene.expectVerified()
  }
}
