import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// A dry run beside the run that follows it, for each kind of source.
@Suite("A dry run and the run that follows", .enabled(if: Has.sqlite, "no sqlite3"))
struct DryRunTests {
  /// What the plan says of an item: as decided already, or else as expected of what its name promises.
  private struct Planned {
    var outcome: String?
    var reason: String?
    var label: String?
    var destination: String?
    var isMedia: Bool
  }

  private func command(
    _ scene: Scene,
    _ camera: PTPResponder?,
    _ arguments: [String]
  ) throws -> Outcome {
    let environment = Scene.environment(in: scene.path)
      .merging(camera?.environment ?? [:]) { $1 }
    return Outcome(
      try Tool.run(try Scene.executable(), arguments, environment: environment, in: scene.path)
    )
  }

  private func plan(_ scene: Scene, _ camera: PTPResponder?) throws -> [String: Planned] {
    let before = try scene.snapshot()
    let dry = try command(scene, camera, ["run", "manifest.json", "--dry-run", "--format", "json"])
    try dry.expect(0)
    #expect(try scene.snapshot() == before, "a dry run writes nothing")
    var planned: [String: Planned] = [:]
    for item in try dry.json()["items"].array {
      let isOpen = item["plan"].string == "onReading"
      let expected = item["expected"]
      let key = "\(item["source"].string ?? "?") \(item["path"].string ?? "?")"
      #expect(!planned.keys.contains(key), "\(key) is there twice")
      planned[key] = Planned(
        outcome: isOpen ? expected["outcome"].string : item["plan"].string,
        reason: isOpen ? expected["reason"].string : item["reason"].string,
        label: expected["label"].string,
        destination: expected["destination"].string,
        isMedia: expected["mediaType"].string != nil
      )
    }
    return planned
  }

  /// Plans, runs, and compares what both say of each item.
  ///
  /// - Returns: The number of items of each outcome.
  @discardableResult
  private func expectSame(_ scene: Scene, _ camera: PTPResponder? = nil) throws -> [String: Int] {
    try scene.writeManifest()
    let planned = try plan(scene, camera)
    let run = try command(scene, camera, ["run", "manifest.json", "--events", "--format", "json"])
    try run.expect(0)
    var lines = try run.output.split(separator: "\n").map { try JSON(text: String($0)) }
    let last = lines.popLast()
    let summary = try #require(last)
    for event in lines {
      let key = "\(event["source"].string ?? "?") \(event["sourcePath"].string ?? "?")"
      let item = try #require(planned[key], "the plan has no \(key)")
      #expect(item.outcome == event["outcome"].string, "\(key)")
      if let reason = item.reason { #expect(reason == event["reason"].string, "\(key)") }
      guard event["outcome"].string == "imported", item.isMedia else { continue }
      // The movie of a live photo gets the number of its still.
      if item.label == nil, key.hasSuffix(".mov") || key.hasSuffix(".MP") { continue }
      #expect(item.label == event["label"].string, "\(key)")
      let parts = (event["path"].string ?? "").split(separator: "/")
      // This raw file is a NEF by its content, which a plan does not read.
      let name = key.hasSuffix("_4.dng") ? parts[3].dropLast(3) + "dng" : parts[3]
      #expect(item.destination == "\(parts[0])/*/\(name)", "\(key)")
    }
    // What has no event, since nothing about it changed, is counted.
    let counts = planned.values.reduce(into: [String: Int]()) {
      $0[$1.outcome ?? "unknown", default: 0] += 1
    }
    for (outcome, count) in summary["counts"].object where outcome != "discovered" {
      #expect(counts[outcome] ?? 0 == count.int, "\(outcome): \(counts) \(run.error)")
    }
    #expect(summary["counts"]["discovered"].int == planned.count)
    return counts
  }

  @Test("A folder", arguments: ["keep", "strip"])
  func folder(_ policy: String) throws {
    let scene = Scene(policy: policy)
    try scene.declare("library", "authorized", ["fetch": ["predicate": "name != 'no.jpg'"]])
    try scene.declare("camera", "authorized", ["capture": ["mode": "photo"]])
    scene.manifest["labels"] = ["template": "{source} {number:3} {originalName}"]
    let pair = try Media.livePhoto("pair")
    try scene.put("sources/library/2026/pair.jpg", pair.still)
    try scene.put("sources/library/2026/pair.mov", pair.movie)
    try scene.put("sources/library/no.jpg", try Media.photo("no"))
    try scene.put("sources/library/yes 100%.JPEG", try Media.photo("yes"))
    try scene.put("sources/library/sound.wav", copyOf: Samples.sound)
    try scene.put("sources/camera/a.jpg", try Media.photo("a"))
    try scene.put("sources/camera/film.mp4", copyOf: Samples.video)
    for owner in ["library/yes 100%", "camera/film"] {
      try scene.put("sources/\(owner).xmp", Self.packet)
    }
    let isPublished = policy == "keep"
    #expect(try expectSame(scene) == ["imported": isPublished ? 6 : 5, "skipped": isPublished ? 3 : 4])
    try scene.put("sources/library/new.jpg", try Media.photo("new"))
    try scene.put("sources/camera/a.jpg", try Media.photo("a, but later"))
    #expect(try expectSame(scene)["imported"] == 2)
  }

  @Test("A motion photo whose movie is a file of its own")
  func motionPhoto() throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.put("sources/library/PXL_1.MP.jpg", try Media.photo("motion"))
    try scene.put("sources/library/PXL_1.MP", copyOf: Samples.video)
    #expect(try expectSame(scene) == ["imported": 2])
  }

  private static let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/>
    </rdf:RDF></x:xmpmeta>
    """

  /// An export with an archive, and a picture and its JSON beside it.
  private func putTakeout(in scene: Scene, packedAs ending: String) throws {
    let folder = "Takeout/Google Photos/"
    for name in ["IMG_1.jpg", "IMG_2.jpg"] {
      for root in ["sources/library/", "packed/"] {
        let path = root + folder + (root == "packed/" ? "Photos from 2019/" : "Photos from 2018/")
        try scene.put(path + name, try Media.photo(root + name))
        try scene.put(
          path + name + ".json",
          """
          { "title": "\(name)", "description": "",
            "photoTakenTime": { "timestamp": "15300000\(root.count + 10)" },
            "geoData": { "latitude": 0.0, "longitude": 0.0, "altitude": 0.0 } }
          """
        )
      }
    }
    try scene.put(
      "sources/library/" + folder + "Photos from 2018/metadata.json",
      #"{ "title": "2018", "access": "protected", "date": { "timestamp": "1697872351" } }"#
    )
    let archive = scene.at("sources/library/takeout-1.\(ending)")
    if ending == "tgz" {
      return try Independent.make("tar", ["-czf", archive, "-C", scene.at("packed"), "Takeout"])
    }
    let script = """
      import os, sys, zipfile
      with zipfile.ZipFile(sys.argv[2], "w") as archive:
          for folder, _, names in os.walk(os.path.join(sys.argv[1], "Takeout")):
              for name in sorted(names):
                  path = os.path.join(folder, name)
                  archive.write(path, os.path.relpath(path, sys.argv[1]))
      """
    try Independent.make("python3", ["-c", script, scene.at("packed"), archive])
  }

  @Test(
    "A Takeout, unpacked and in an archive",
    .enabled(if: Has.python, "no python3"),
    arguments: ["zip", "tgz"]
  )
  func takeout(ending: String) throws {
    let scene = Scene()
    try scene.declare("library", "authorized", ["kind": "takeout"])
    try putTakeout(in: scene, packedAs: ending)
    #expect(try expectSame(scene) == ["imported": 4, "skipped": 5])
    let new = "sources/library/Takeout/Google Photos/Photos from 2018/IMG_3.jpg"
    try scene.put(new, try Media.photo("new"))
    #expect(try expectSame(scene)["imported"] == 1)
  }

  @Test("A Photos library, whose database says what is hidden and how files are called")
  func photosLibrary() throws {
    let photos = try PhotosScene()
    let scene = photos.scene
    #expect(try expectSame(scene) == PhotosScene.counts)
    try photos.bundle.sql("UPDATE ZASSETDESCRIPTION SET ZLONGDESCRIPTION = 'Boats, late';")
    #expect(try expectSame(scene) == ["imported": 1, "unchanged": 8, "skipped": 6])
  }

  @Test("An export of iCloud Photos, whose CSV files say what is hidden and deleted")
  func iCloudExport() throws {
    let scene = Scene()
    try scene.declare(
      "library",
      "authorized",
      ["kind": "iCloudExport", "fetch": ["includeHiddenAssets": false]]
    )
    let photos = "sources/library/iCloud Photos Part 1 of 1/Photos/"
    for name in ["a", "b", "c"] { try scene.put(photos + name + ".jpg", try Media.photo(name)) }
    try scene.put(
      photos + "Photo Details.csv",
      "imgName,hidden,deleted\na.jpg,no,no\nb.jpg,yes,no\nc.jpg,no,yes\n"
    )
    #expect(try expectSame(scene) == ["imported": 1, "skipped": 2])
    #expect(try expectSame(scene) == ["unchanged": 1, "skipped": 2])
  }

  @Test("A selection of a Photos library")
  func selectedAlbum() throws {
    let photos = try PhotosScene(status: "limited", ["selection": ["album:Summer / sea"]])
    try expectSame(photos.scene)
  }

  @Test("A camera", .enabled(if: Has.python, "no python3"))
  func camera() throws {
    let scene = Scene()
    try scene.declare(
      "camera",
      "authorized",
      ["path": "usb:", "kind": "ptp", "ignore": ["store_00020001/**"]],
      makesFolder: false
    )
    for number in 1...3 {
      try scene.put("tree/1/DCIM/100CANON/IMG_000\(number).JPG", try Media.photo("\(number)"))
    }
    try scene.put("tree/2/DCIM/100CANON/IMG_0001.JPG", try Media.photo("second"))
    let camera = try PTPResponder(scene.at("tree"))
    #expect(try expectSame(scene, camera) == ["imported": 3])
    #expect(try expectSame(scene, camera) == ["unchanged": 3])
  }

  @Test(
    "A predicate, or a limit, by what files say leaves open which of them are imported",
    arguments: [
      ["predicate": "pixelWidth > pixelHeight"],
      ["fetchLimit": 1, "sortDescriptors": ["creationDate:descending"]],
    ] as [[String: JSONValue]]
  )
  func byContent(fetch: [String: JSONValue]) throws {
    let scene = Scene()
    try scene.declare("library", "authorized", ["fetch": .object(fetch)])
    try scene.put("sources/library/a.jpg", try Media.photo("a"))
    try scene.writeManifest()
    let item = try #require(try plan(scene, nil)["library a.jpg"])
    #expect(item.outcome == nil && item.destination == nil && item.label == "a")
  }

  @Test("A file of which the catalogue's rows are damaged stays as it is in the plan, too")
  func damagedRows() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    try scene.put("sources/library/a.jpg", try Media.photo("a"))
    try scene.put("sources/library/b.jpg", try Media.photo("b"))
    try scene.run().expect(0)
    _ = try scene.catalogue("UPDATE assets SET label = 'other' WHERE label = 'a'")
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    try scene.writeManifest()
    let plan = try plan(scene, nil)
    #expect(plan["library a.jpg"]?.outcome == "unchanged")
    #expect(plan["library a.jpg"]?.isMedia == false && plan["library b.jpg"]?.isMedia == true)
    #expect(plan["library b.jpg"]?.outcome == "unchanged")
    let run = try scene.run()
    #expect(try run.problems().contains("catalogueDiffers"))
    #expect(try run.count("unchanged") == 2)
  }

  @Test(
    "A source that is denied while a dry run lists it is not listed to its end, and not shown",
    .enabled(if: Has.strace, "no strace"),
    arguments: [true, false]
  )
  func denied(hasStore: Bool) throws {
    let scene = Scene()
    try scene.declare("camera").declare("library")
    for folder in 0..<40 {
      try scene.put("sources/camera/\(folder)/canary.jpg", "a picture")
    }
    try scene.put("sources/library/last.jpg", try Media.photo("library"))
    scene.manifest["onNotDetermined"] = "ask"
    try scene.writeManifest()
    if hasStore {
      try scene.command("access", "deny", "manifest.json", "library", "--no-wait").expect(0)
      try scene.command("access", "reset", "manifest.json", "library").expect(0)
    }
    let run = try HeldProgram(
      ["run", "manifest.json", "--dry-run", "--format", "json"],
      in: scene.path,
      calls: "getdents64"
    )
    func isOfCamera(_ call: HeldProgram.Call) -> Bool { call.path.contains("/sources/camera/") }
    try #require(try run.next(where: isOfCamera) != nil)
    try scene.command("access", "deny", "manifest.json", "camera", "--no-wait").expect(0)
    // The program looks fifty times a second, and a denial may take less: the next look is due when it goes on.
    usleep(100_000)
    var later = 0
    while try run.next(where: isOfCamera) != nil { later += 1 }
    #expect(later <= 6)
    let outcome = try run.wait()
    #expect(!outcome.output.contains("canary"), "\(outcome.streams)")
    guard hasStore else {
      // The first answer makes the store, which a confined process cannot open.
      #expect(try outcome.problems() == ["answers"], "\(outcome.streams)")
      return
    }
    try outcome.expect(77)
    #expect(try outcome.problems() == ["accessRevoked"])
    #expect(try outcome.json()["items"].array.map { $0["path"].string } == ["last.jpg"])
  }
}
