import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Fetch options of a source", .enabled(if: Has.sqlite, "no sqlite3"))
struct FetchOptionsTests {
  private func scene(_ fetch: [String: JSONValue]) throws -> Scene {
    let scene = Scene()
    try scene.declare("library", "authorized", ["fetch": .object(fetch)])
    return scene
  }

  private func setFetch(_ fetch: [String: JSONValue]?, _ scene: Scene) throws {
    try scene.declare("library", "authorized", fetch.map { ["fetch": .object($0)] } ?? [:])
  }

  /// The paths that the last run's log says were opened.
  private func opened(_ scene: Scene) throws -> [String] {
    try scene.openedPaths().sorted()
  }

  private func imported(_ scene: Scene) throws -> [String] {
    try scene.catalogue("SELECT CAST(sourcePath AS TEXT) FROM resources ORDER BY 1")
  }

  @Test("What the listing decides is not opened", .enabled(if: Tool.exists("strace"), "no strace"))
  func listed() throws {
    let scene = try scene([
      "predicate": "name ENDSWITH[c] '.jpg' AND NOT path BEGINSWITH 'no/' AND size > 0"
    ])
    try scene.put("sources/library/a.JPG", try Media.photo("a"))
    try scene.put("sources/library/b.png", copyOf: Samples.png)
    try scene.put("sources/library/no/c.jpg", try Media.photo("c"))
    try scene.put("sources/library/empty.jpg", "")
    let (outcome, trace) = try scene.tracedRun("openat,openat2")
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1, "skipped": 3])
    #expect(trace.contains { $0.contains("a.JPG") })
    #expect(!trace.contains { $0.contains("b.png") || $0.contains("c.jpg") })
    #expect(try opened(scene) == ["a.JPG"])
    let record = try #require(try scene.lastLog().first { $0["outcome"].string == "skipped" })
    #expect(record["event"].string == "unchanged" && record["count"].int == 3)
    #expect(record["reason"].string == "notFetched")
    let names = ["b.png", "empty.jpg", "no/c.jpg"].joined(separator: "\0") + "\0"
    let list = try Tool.run(
      "sh",
      ["-c", "printf '%s' \"$0\" | tr '@' '\\0' | sha256sum", names.replacing("\0", with: "@")]
    )
    #expect(record["listSHA256"].string == String(list.output.prefix(64)))
    let text = try scene.command("run", "manifest.json")
    #expect(
      text.streams.contains("Left out again, as by an earlier run: 3 files of the photo library."),
      "\(text.streams)"
    )
    let plan = try scene.run("--dry-run")
    #expect(try plan.json()["items"].array.filter { $0["reason"].string == "notFetched" }.count == 3)
    try scene.run().expectCounts(["unchanged": 1, "skipped": 3])
    try scene.expectVerified()
    let report = try scene.command("report", "Library", "--format", "json", "--run", "last")
    #expect(report.code == 0 && report.output.contains("\"skipped\""), "\(report.streams)")

    // Assets that fall out of the limit stay.
    try setFetch(["predicate": "name == 'b.png'"], scene)
    try scene.run().expectCounts(["imported": 1, "skipped": 3])
    #expect(try imported(scene) == ["a.JPG", "b.png"])
    try setFetch(nil, scene)
    try scene.run().expectCounts(["imported": 1, "unchanged": 2, "failed": 1])
    try scene.expectVerified()
  }

  @Test("A limit takes the newest, counts a live photo as one, and removes nothing")
  func limit() throws {
    let scene = try scene([
      "fetchLimit": 2, "sortDescriptors": ["modificationDate:descending"],
    ])
    let pair = try Media.livePhoto("pair")
    for (name, bytes, time) in [
      ("old.jpg", try Media.photo("old"), "2020-01-01"), ("pair.jpg", pair.still, "2021-01-01"),
      ("pair.mov", pair.movie, "2019-01-01"), ("new.jpg", try Media.photo("new"), "2022-01-01"),
    ] {
      try Independent.make("touch", ["-d", time, try scene.put("sources/library/" + name, bytes)])
    }
    try scene.run().expectCounts(["imported": 3, "skipped": 1])
    #expect(try imported(scene) == ["new.jpg", "pair.jpg", "pair.mov"])
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["2"])
    let newest = try scene.put("sources/library/newest.jpg", try Media.photo("newest"))
    try Independent.make("touch", ["-d", "2023-01-01", newest])
    try scene.run().expectCounts(["imported": 1, "unchanged": 1, "skipped": 3])
    #expect(try imported(scene) == ["new.jpg", "newest.jpg", "pair.jpg", "pair.mov"])
    try setFetch(["fetchLimit": 1, "sortDescriptors": ["size", "name:descending"]], scene)
    try scene.run("--dry-run").expect(0)
    try setFetch(["fetchLimit": 0], scene)
    try scene.run().expectCounts(["imported": 1, "unchanged": 4])
    try scene.expectVerified()
  }

  @Test("What only the open file decides is decided once, as long as nothing changes")
  func content() throws {
    let scene = try scene([
      "predicate": "mediaType == image AND pixelWidth > pixelHeight AND name != 'other.jpg'"
    ])
    // Stored upright and tall; its orientation makes it wide.
    let size = try Independent.size(Samples.photo(6))
    #expect(size[0] < size[1])
    try scene.put("sources/library/wide.jpg", copyOf: Samples.photo(6))
    try scene.put("sources/library/other.jpg", try Media.photo("other"))
    try scene.put("sources/library/video.mp4", copyOf: Samples.video)
    let check = try scene.command("check", try scene.writeManifest())
    #expect(check.output.contains("Only reading tells what to fetch"), "\(check.streams)")
    let first = try scene.run()
    try first.expect(0)
    #expect(try opened(scene).count == 3)
    #expect(try first.count("imported") == 1 && first.count("skipped") == 2, "\(first.streams)")
    let outcomes = try scene.lastLog().filter { $0["reason"].string == "notFetched" }
    #expect(outcomes.count == 2 && outcomes.allSatisfy { $0["event"].string == "outcome" })

    func expectKnown() throws {
      try scene.run().expectCounts(["unchanged": 1, "skipped": 2])
      #expect(try opened(scene) == [])
    }
    try expectKnown()
    try scene.expectVerified()
    // Its row comes back.
    let before = try CatalogueDump(scene.library)
    try scene.rebuild().expect(0)
    #expect(try CatalogueDump(scene.library).lacking(in: before) == [])
    #expect(before.lacking(in: try CatalogueDump(scene.library)) == [])
    try expectKnown()
    try scene.removeCatalogue()
    _ = try scene.rebuild()
    try expectKnown()

    // A changed file, and other options, are decided anew.
    try scene.put("sources/library/video.mp4", try readBytes(Samples.video))
    try scene.run().expectCounts(["unchanged": 1, "skipped": 2])
    #expect(try opened(scene) == ["video.mp4"])
    try setFetch(["predicate": "mediaType == video"], scene)
    try scene.run().expectCounts(["imported": 1, "unchanged": 1, "skipped": 1])
    #expect(try opened(scene).count == 2)
    // A listed predicate is no reason to open again what another one left out.
    try setFetch(["predicate": "size > 0"], scene)
    try scene.run().expectCounts(["imported": 1, "unchanged": 2])
    try scene.expectVerified()
  }

  @Test(
    "Descriptions decide what is fetched, under strip too, which stores nothing of them",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func described() throws {
    for policy in ["keep", "strip"] {
      let scene = Scene(policy: policy)
      let tagged: [(name: String, tags: [String])] = [
        ("good.jpg", ["-XMP-xmp:Rating=5", "-XMP-dc:Subject=PlantedSea"]),
        ("bad.jpg", ["-XMP-xmp:Rating=2", "-XMP-dc:Subject=PlantedSea"]),
        ("land.jpg", ["-XMP-xmp:Rating=5", "-XMP-dc:Subject=PlantedLand"]),
        ("IMG_20190704_101530_BURST001.jpg", []),
        ("IMG_20190704_101530_BURST002_COVER.jpg", []),
        (
          "north.jpg",
          ["-GPSLatitude=60.5", "-GPSLatitudeRef=N", "-GPSLongitude=5", "-GPSLongitudeRef=E"]
        ),
      ]
      for (number, (name, tags)) in tagged.enumerated() {
        let path = try scene.put("sources/library/" + name, copyOf: Samples.photo(number + 1))
        let clear = ["-q", "-overwrite_original", "-all="]
        try Independent.make("exiftool", clear + [path])
        if !tags.isEmpty {
          try Independent.make("exiftool", ["-q", "-overwrite_original"] + tags + [path])
        }
      }
      var number = 0
      func expect(_ fetch: [String: JSONValue], _ names: [String]) throws {
        number += 1
        // Without all, each policy has every other one, and strip the first.
        guard Amount.isAll || number.isMultiple(of: 2) == (policy == "keep") else { return }
        try setFetch(fetch, scene)
        try? FileManager.default.removeItem(atPath: scene.library)
        try scene.run().expectCounts(["imported": names.count, "skipped": 6 - names.count])
        #expect(try imported(scene) == names.sorted(), "\(fetch)")
        #expect(try opened(scene).count == 6)
        try scene.run().expectCounts(["unchanged": names.count, "skipped": 6 - names.count])
        #expect(try opened(scene) == [])
      }
      try expect(["predicate": "rating >= 4 AND 'PlantedSea' IN keywords"], ["good.jpg"])
      if policy == "strip" {
        // The manifest itself is kept for auditors.
        let result = try Tool.run("grep", ["-rlc", "--exclude-dir=manifests", "Planted", scene.library])
        #expect(result.output.isEmpty, "\(result.output)")
      }
      try expect(["predicate": "latitude > 60"], ["north.jpg"])
      try expect(
        ["predicate": "burstIdentifier != NULL"],
        tagged.map(\.name).filter { $0.contains("BURST") }
      )
      try expect(["includeAllBurstAssets": false], tagged.map(\.name).filter { !$0.contains("BURST001") })
      try expect(["includeHiddenAssets": false], tagged.map(\.name))
      try scene.expectVerified()
    }
  }

  @Test("A live photo is fetched with its still, whichever came first")
  func livePhoto() throws {
    let scene = try scene(["predicate": "mediaType == image"])
    let pair = try Media.livePhoto("pair")
    try scene.put("sources/library/a.jpg", pair.still)
    try scene.put("sources/library/a.mov", pair.movie)
    try scene.run().expectCounts(["imported": 2])
    let later = try Media.livePhoto("later")
    try scene.put("sources/library/b.mov", later.movie)
    try scene.run().expectCounts(["unchanged": 2, "skipped": 1])
    try scene.put("sources/library/b.jpg", later.still)
    try scene.run().expectCounts(["unchanged": 2, "imported": 2])
    #expect(try scene.catalogue("SELECT count(*), sum(degraded) FROM assets") == ["2|0"])
    // Wherever the halves lie.
    let apart = try Media.livePhoto("apart")
    try scene.put("sources/library/x/d.jpg", apart.still)
    try scene.put("sources/library/y/e.mov", apart.movie)
    try scene.run().expectCounts(["unchanged": 4, "imported": 2])
    try setFetch(["predicate": "mediaType == video"], scene)
    let other = try Media.livePhoto("other")
    try scene.put("sources/library/c.jpg", other.still)
    try scene.put("sources/library/c.mov", other.movie)
    try scene.run().expectCounts(["unchanged": 6, "skipped": 2])
    try scene.expectVerified()
  }

  /// Puts photos with these dates of capture and ratings into the library's source.
  private func putDated(_ photos: [(name: String, date: String?, rating: Int?)], _ scene: Scene)
    throws
  {
    for (number, photo) in photos.enumerated() {
      let path = try scene.put("sources/library/" + photo.name, copyOf: Samples.photo(number % 8 + 1))
      var tags = ["-q", "-overwrite_original", "-all=", "-XMP-dc:Title=\(photo.name)"]
      if let date = photo.date { tags.append("-DateTimeOriginal=\(date)") }
      if let rating = photo.rating { tags.append("-XMP-xmp:Rating=\(rating)") }
      try Independent.make("exiftool", tags + [path])
    }
  }

  @Test(
    "A limit takes the newest by the date that the files tell, and opens none again while nothing changes",
    .enabled(if: Has.exiftool, "no exiftool"),
    arguments: Amount.isAll ? ["keep", "strip"] : ["strip"]
  )
  func newest(policy: String) throws {
    let scene = Scene(policy: policy)
    try setFetch(["fetchLimit": 2, "sortDescriptors": ["creationDate:descending"]], scene)
    try putDated(
      [
        ("a.jpg", "2019:01:01 10:00:00", nil), ("b.jpg", "2022:01:01 10:00:00", nil),
        ("c.jpg", nil, nil), ("d.jpg", "2021:01:01 10:00:00", nil),
        ("x/e.jpg", "2020:01:01 10:00:00", nil),
      ],
      scene
    )
    try scene.put("sources/library/notes.txt", "no photo")
    try scene.put("sources/library/cut.jpg", Array(try readBytes(Samples.photo(1)).prefix(3000)))
    let check = try scene.command("check", try scene.writeManifest())
    #expect(
      check.output.contains("file of the photo library is opened again and recorded"),
      "\(check.streams)"
    )
    let order = try Tool.run(
      "exiftool",
      [
        "-q", "-r", "-p", "$DateTimeOriginal $Directory/$FileName", "-ext", "jpg",
        scene.at("sources/library"),
      ]
    )
    let byExiftool = order.output.split(separator: "\n").filter {
      $0.hasPrefix("20") && !$0.hasSuffix("/cut.jpg")
    }.sorted()
      .suffix(2)
    let first = try scene.run()
    #expect(try first.count("imported") == 2 && first.count("skipped") == 3, "\(first.streams)")
    #expect(try imported(scene) == ["b.jpg", "d.jpg"])
    #expect(byExiftool.map { $0.suffix(5) } == ["d.jpg", "b.jpg"], "\(order.output)")
    // Each access has its record, also that of a file which is only compared.
    #expect(Set(try opened(scene)).isSuperset(of: ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "x/e.jpg"]))
    try scene.expectVerified()
    let second = try scene.run()
    #expect(try second.count("unchanged") == 2 && second.count("skipped") == 3, "\(second.streams)")
    #expect(try opened(scene).allSatisfy { !$0.hasSuffix("jpg") })

    // A newer one is imported, and what falls out of the limit stays; an older one is not imported.
    try putDated([("new.jpg", "2023:01:01 10:00:00", nil)], scene)
    try putDated([("older.jpg", "2018:01:01 10:00:00", nil)], scene)
    let third = try scene.run()
    #expect(try third.count("imported") == 1 && third.count("unchanged") == 2, "\(third.streams)")
    #expect(try imported(scene) == ["b.jpg", "d.jpg", "new.jpg"])
    #expect(Set(try opened(scene)).isSuperset(of: ["a.jpg", "b.jpg", "new.jpg", "older.jpg"]))
    _ = try scene.run()
    #expect(try opened(scene).allSatisfy { !$0.hasSuffix("jpg") })
    let plan = try scene.run("--dry-run").json()["items"].array
    #expect(plan.filter { $0["reason"].string == "notFetched" }.count == 4)
    // The log has all that the catalogue knows, and a catalogue made of it opens nothing again.
    let rebuilt = try scene.command("rebuild", scene.library)
    #expect(!rebuilt.streams.contains("differs"), "\(rebuilt.streams)")
    _ = try scene.run()
    #expect(try opened(scene).allSatisfy { !$0.hasSuffix("jpg") })
    try scene.expectVerified()
  }

  @Test(
    "With private facts only new and changed files are opened for a limit",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func knownCandidates() throws {
    let scene = Scene(policy: "strip")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try setFetch(["fetchLimit": 1, "sortDescriptors": ["creationDate:descending"]], scene)
    try putDated((0..<5).map { ("\($0).jpg", "201\($0):01:01 10:00:00", nil) }, scene)
    try scene.run().expectCounts(["imported": 1, "skipped": 4])
    #expect(try Set(opened(scene)).count == 5)
    try putDated([("new.jpg", "2009:01:01 10:00:00", nil)], scene)
    try putDated([("2.jpg", "2020:01:01 10:00:00", nil)], scene)
    try scene.run().expectCounts(["imported": 1, "unchanged": 1, "skipped": 4])
    #expect(try Set(opened(scene)) == ["2.jpg", "new.jpg"])
    #expect(try imported(scene) == ["2.jpg", "4.jpg"])
    // Another order is another question.
    try setFetch(["fetchLimit": 1, "sortDescriptors": ["creationDate"]], scene)
    try scene.run().expectCounts(["imported": 1, "unchanged": 2, "skipped": 3])
    #expect(try Set(opened(scene)).count == 6)
    #expect(try imported(scene) == ["2.jpg", "4.jpg", "new.jpg"])
    // The catalogue and the log have nothing of it.
    let result = try Tool.run("grep", ["-rlaE", "20(09|1[0-4])[-:]01[-:]01", scene.library])
    #expect(
      result.output.split(separator: "\n").allSatisfy { $0.contains("private.sqlite") },
      "\(result.output)"
    )
    try scene.expectVerified()
  }

  @Test(
    "A rating that a sidecar gives or takes counts for a limit, also with private facts",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func ratedBySidecar() throws {
    let scene = try scene(["fetchLimit": 1, "sortDescriptors": ["rating:descending"]])
    scene.manifest["catalogue"] = ["privateFacts": true]
    try putDated([("a.jpg", nil, nil), ("b.jpg", nil, 3), ("c.jpg", nil, nil)], scene)
    func rate(_ name: String, _ rating: Int) throws {
      let path = scene.at("sources/library/" + name)
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
      try Independent.make("exiftool", ["-q", "-o", path, "-XMP-xmp:Rating=\(rating)"])
    }
    try rate("a.xmp", 1)
    _ = try scene.run()
    #expect(try imported(scene) == ["b.jpg"])
    try rate("a.xmp", 5)
    _ = try scene.run()
    #expect(try imported(scene).filter { $0.hasSuffix("jpg") } == ["a.jpg", "b.jpg"])
    // A sidecar comes to a file that was opened without one.
    try rate("c.xmp", 4)
    try FileManager.default.removeItem(atPath: scene.at("sources/library/a.xmp"))
    try FileManager.default.removeItem(atPath: scene.at("sources/library/a.jpg"))
    try FileManager.default.removeItem(atPath: scene.at("sources/library/b.jpg"))
    try putDated([("d.jpg", nil, 2)], scene)
    _ = try scene.run()
    #expect(try imported(scene).contains("c.jpg"))
    #expect(try !imported(scene).contains("d.jpg"))
    try scene.expectVerified()
  }

  @Test(
    "A limit counts what meets the predicate, by any key, and a live photo once",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func limitedContent() throws {
    let scene = try scene([
      "predicate": "rating >= 3 OR mediaType == video", "fetchLimit": 2,
      "sortDescriptors": ["rating:descending", "path:descending"],
    ])
    try putDated(
      [
        ("a.jpg", nil, 5), ("b.jpg", nil, 2), ("c.jpg", nil, 4), ("d.jpg", nil, 4),
        ("e.jpg", nil, nil),
      ],
      scene
    )
    try scene.run().expectCounts(["imported": 2, "skipped": 3])
    #expect(try imported(scene) == ["a.jpg", "d.jpg"])
    // Without an order it is that of the paths.
    try setFetch(["predicate": "mediaType == image", "fetchLimit": 1], scene)
    let pair = try Media.livePhoto("pair")
    try scene.put("sources/library/0.jpg", pair.still)
    try scene.put("sources/library/0.mov", pair.movie)
    try scene.run().expectCounts(["imported": 2, "unchanged": 2, "skipped": 3])
    #expect(try scene.catalogue("SELECT sum(degraded) FROM assets") == ["0"])
    // A changed file is no longer among the first.
    try putDated([("a.jpg", nil, 1)], scene)
    try scene.run().expectCounts(["unchanged": 3, "skipped": 4])
    try scene.expectVerified()
  }

  @Test(
    "A run that is killed while it compares files goes on to the same library",
    .enabled(if: Has.exiftool && Has.strace, "no exiftool or strace")
  )
  func killedComparing() throws {
    let scene = try scene(["fetchLimit": 3, "sortDescriptors": ["creationDate"]])
    try putDated((0..<8).map { ("\($0).jpg", "20\(29 - $0):01:01 10:00:00", nil) }, scene)
    let command = ["run", try scene.writeManifest()]
    for moment in try RunMoment.spread(over: command, in: scene.path, count: Amount.of(3, all: 40)) {
      try? FileManager.default.removeItem(atPath: scene.library)
      let killed = try moment.kill(command, in: scene.path)
      try killed.wait()
      let again = try scene.run()
      try again.expect(0)
      #expect(try imported(scene) == ["5.jpg", "6.jpg", "7.jpg"], "\(moment)")
      try LibraryState.expectWhole(scene.library)
      try scene.run().expectCounts(["unchanged": 3, "skipped": 5])
      #expect(try opened(scene) == [])
    }
  }

  @Test("A mistake in a predicate has its column and the nearest key")
  func mistake() throws {
    let scene = try scene(["predicate": "mediaTyp == image"])
    let check = try scene.command("check", try scene.writeManifest())
    try check.expect(78)
    #expect(check.error.contains("column 1 of the predicate"), "\(check.error)")
    #expect(check.error.contains("Did you mean \"mediaType\"?"), "\(check.error)")
    try setFetch(["predicate": "label == 'a'"], scene)
    let label = try scene.command("check", try scene.writeManifest())
    try label.expect(78)
    #expect(label.error.contains("the files of a source do not say label"), "\(label.error)")
  }
}
