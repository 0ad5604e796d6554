import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Adding to the photo library: files that are imported from the camera.
@Suite("Saving to the photo library", .serialized)
struct SavingTests {
  /// A camera with a dated photo, an undated one, and a live photo, that saves into a photo library.
  private func scene(
    policy: String = "keep",
    status: JSONValue = ["addOnly": "authorized"],
    mode: String = "photoAndLivePhoto"
  ) throws -> Scene {
    let scene = Scene(policy: policy)
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "The test takes pictures.",
      "NSPhotoLibraryAddUsageDescription": "The test keeps its pictures.",
      "NSMicrophoneUsageDescription": "The test hears.",
    ]
    scene.manifest["dates"] = ["fromName": true]
    try scene.declare(
      "camera",
      "authorized",
      ["capture": ["mode": .string(mode), "savesCapturedPhotosToPhotoLibrary": true]]
    )
    try scene.declare("library", nil, ["authorizationStatus": status])
    try scene.declare("microphone", "authorized")
    // Without a date of its own.
    try scene.put("sources/camera/IMG_20190704_101530.jpg", try undatedPhoto("dated"))
    try scene.put("sources/camera/plain.jpg", try Media.photo("plain"))
    try scene.put("sources/camera/IMG_0041.JPG", copyOf: Samples.still)
    try scene.put("sources/camera/IMG_0041.MOV", copyOf: Samples.movie)
    return scene
  }

  /// A photo of its own content without Exif: its APP1 segments are left out.
  private func undatedPhoto(_ text: String) throws -> [UInt8] {
    let bytes = try Media.photo(text)
    var kept = Array(bytes[..<2])
    var offset = 2
    // Source: ITU-T T.81, B.1.1.4; the scan begins behind marker DA.
    while bytes[offset + 1] != 0xDA {
      let end = offset + 2 + (Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
      if bytes[offset + 1] != 0xE1 { kept += bytes[offset..<end] }
      offset = end
    }
    return kept + bytes[offset...]
  }

  /// The files of the photo library, by path, but for what is incoming.
  private func saved(_ scene: Scene) throws -> [String: String] {
    try scene.digests("sources/library").filter { !$0.key.contains(".mediabatch-incoming") }
  }

  private func incoming(_ scene: Scene) throws -> [String] {
    try scene.digests("sources/library/.mediabatch-incoming").keys.sorted()
  }

  private func added(_ scene: Scene) throws -> [JSON] {
    try scene.logFiles().flatMap(\.lines).map { try JSON(text: $0) }
      .filter { $0["event"].string == "added" }
  }

  /// Expects each captured file in the photo library once, with one record, which names it.
  private func expectSaved(
    _ scene: Scene,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    // Also those that are still incoming, of which there may be none.
    let saved = try scene.digests("sources/library")
    let captured = try scene.digests("sources/camera")
    #expect(saved.values.sorted() == captured.values.sorted(), sourceLocation: location)
    let isIncoming = saved.keys.contains { $0.contains(".mediabatch-incoming") }
    #expect(!isIncoming, sourceLocation: location)
    let records = try added(scene)
    #expect(Set(records.compactMap { $0["addedPath"].string }) == Set(saved.keys), sourceLocation: location)
    #expect(
      records.compactMap { $0["path"].string }.sorted() == captured.keys.sorted(),
      sourceLocation: location
    )
    for record in records {
      guard let from = record["path"].string, let to = record["addedPath"].string else { continue }
      let isSame =
        try readBytes(scene.at("sources/camera/" + from))
        == readBytes(scene.at("sources/library/" + to))
      #expect(isSame, "\(from), \(to)", sourceLocation: location)
    }
    try scene.expectVerified(location)
  }

  @Test(
    "Captured files are filed byte for byte under their day, and nothing of the photo library is read",
    arguments: ["keep", "strip"]
  )
  func saves(policy: String) throws {
    let scene = try scene(policy: policy)
    try scene.put("sources/library/own.jpg", try Media.photo("own"))
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 4])
    #expect(try outcome.json()["addedToPhotoLibrary"].int == 4)
    try FileManager.default.removeItem(atPath: scene.at("sources/library/own.jpg"))
    let places = try saved(scene)
    #expect(places["2019/2019-07-04/IMG_20190704_101530.jpg"] != nil)
    #expect(places["2026/2026-06-03/plain.jpg"] != nil)
    let live = try #require(places.keys.first { $0.hasSuffix("IMG_0041.JPG") })
    #expect(places[(live as NSString).deletingPathExtension + ".MOV"] != nil)
    // The records: keyed digests under strip.
    for record in try added(scene) {
      let from = try #require(record["path"].string)
      let digest = try Independent.sha256(scene.at("sources/camera/" + from))
      #expect(record["sourceSHA256"].string == (policy == "keep" ? digest : nil))
      #expect((record["sourceHMAC"].string == nil) == (policy == "keep"))
      #expect(record["salt"].string != nil)
    }
    try expectSaved(scene)
    // What is there is not saved again.
    try scene.run().expectCounts(["unchanged": 4])
    #expect(try saved(scene) == places)
    try scene.run("--reprocess").expect(0)
    #expect(try saved(scene) == places)
    #expect(try added(scene).count == 4)
  }

  @Test(
    "A library written anew under a stricter policy, or with a lost original, saves nothing again"
  )
  func savesOnce() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let places = try saved(scene)
    let lost = try #require(try scene.originals().first)
    try FileManager.default.removeItem(atPath: scene.library + "/Originals/" + lost.path)
    try scene.run().expect(0)
    #expect(try saved(scene) == places)
    scene.setPolicy("strip")
    try scene.run("--reprocess").expectCounts(["imported": 4])
    #expect(try saved(scene) == places)
  }

  @Test("An existing name is never replaced: the next number is taken, the same for both halves")
  func numbers() throws {
    let scene = try scene()
    try scene.put("sources/library/2019/2019-07-04/IMG_20190704_101530.jpg", "mine")
    let outcome = try scene.run()
    try outcome.expect(0)
    #expect(try scene.digests("sources/library")["2019/2019-07-04/IMG_20190704_101530 (2).jpg"] != nil)
    let bytes = try readBytes(scene.at("sources/library/2019/2019-07-04/IMG_20190704_101530.jpg"))
    #expect(bytes == Array("mine".utf8))

    let second = try self.scene()
    try second.run().expect(0)
    let still = try #require(try saved(second).keys.first { $0.hasSuffix("IMG_0041.JPG") })
    let third = try self.scene()
    try third.put("sources/library/" + still, "mine")
    try third.run().expect(0)
    let stem = (still as NSString).deletingPathExtension
    let places = try saved(third)
    #expect(places[stem + " (2).JPG"] != nil)
    #expect(places[stem + " (2).MOV"] != nil)
    #expect(places[stem + ".MOV"] == nil)
    #expect(try added(third).count == 4)
  }

  @Test("Files of one stem in a folder get one number, and those of another folder not their stem")
  func stems() throws {
    let scene = try scene()
    let place = "2019/2019-07-05/IMG_20190705_101530"
    try scene.put("sources/library/\(place).jpg", "mine")
    try scene.put("sources/camera/IMG_20190705_101530.jpg", try undatedPhoto("pair"))
    try scene.put("sources/camera/IMG_20190705_101530.jpeg", try undatedPhoto("other half"))
    try scene.put("sources/camera/x/IMG_20190706_101530.jpg", try undatedPhoto("x"))
    try scene.put("sources/camera/y/IMG_20190706_101530.jpeg", try undatedPhoto("y"))
    try scene.run().expectCounts(["imported": 8])
    let places = try saved(scene).keys.filter { $0.hasPrefix("2019/2019-07-0") }
    #expect(places.contains(place + " (2).jpg") && places.contains(place + " (2).jpeg"), "\(places)")
    #expect(!places.contains(place + ".jpeg"))
    let stems = places.filter { $0.contains("20190706") }.map { ($0 as NSString).deletingPathExtension }
    let other = "2019/2019-07-06/IMG_20190706_101530"
    #expect(Set(stems) == [other, other + " (2)"])
  }

  @Test("A half of a live photo that comes later is saved, and the other one is not saved again")
  func lateHalf() throws {
    let scene = try scene()
    let movie = scene.at("sources/camera/IMG_0041.MOV")
    try FileManager.default.moveItem(atPath: movie, toPath: scene.at("late"))
    try scene.run().expectCounts(["imported": 3])
    try FileManager.default.moveItem(atPath: scene.at("late"), toPath: movie)
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT count(*) FROM resources WHERE role = 'pairedVideo'") == ["1"])
    try expectSaved(scene)
  }

  @Test("Without any date the day of saving counts")
  func undated() throws {
    let scene = try scene()
    try scene.put("sources/camera/x.jpg", try undatedPhoto("undated"))
    try scene.run().expect(0)
    let path = try #require(try saved(scene).keys.first { $0.hasSuffix("/x.jpg") })
    let day = try #require(
      try scene.catalogue("SELECT substr(saved, 1, 10) FROM photos WHERE sourcePath = 'x.jpg'")
        .first
    )
    #expect(path == "\(day.prefix(4))/\(day)/x.jpg")
  }

  @Test("A camera that takes videos saves them")
  func videos() throws {
    let scene = try scene(mode: "photoAndVideo")
    try scene.put("sources/camera/video.mp4", copyOf: Samples.video)
    try scene.run().expectCounts(["imported": 5])
    let names = Set(try saved(scene).keys.map { ($0 as NSString).lastPathComponent })
    #expect(names.isSuperset(of: ["video.mp4", "plain.jpg", "IMG_0041.MOV"]))
  }

  // MARK: Permission

  @Test("Without its usage description the run stops, and names every text that is missing")
  func usageDescription() throws {
    let scene = try scene()
    scene.manifest["usageDescriptions"] = ["NSMicrophoneUsageDescription": "The test hears."]
    let outcome = try scene.run()
    try outcome.expect(78)
    #expect(outcome.streams.contains("NSPhotoLibraryAddUsageDescription"))
    #expect(outcome.streams.contains("NSCameraUsageDescription"))
    #expect(!outcome.streams.contains("NSPhotoLibraryUsageDescription"))
    #expect(try scene.digests("sources/library").isEmpty)
  }

  @Test("The key without a photo library is a mistake")
  func withoutLibrary() throws {
    let scene = try scene()
    if case .object(var sources)? = scene.manifest["sources"] {
      sources["library"] = nil
      scene.manifest["sources"] = .object(sources)
    }
    let outcome = try scene.run()
    try outcome.expect(78)
    #expect(outcome.streams.contains("savesCapturedPhotosToPhotoLibrary"))
  }

  @Test("A photo library that is not there is said to be that, and not to be refused")
  func absent() throws {
    let scene = try scene(status: ["addOnly": "authorized"])
    try FileManager.default.removeItem(atPath: scene.at("sources/library"))
    let outcome = try scene.run()
    try outcome.expectCounts(["imported": 4])
    #expect(outcome.streams.contains("not added to the photo library: it is not there."))
  }

  @Test(
    "A refusal to add stops nothing: the items are imported and not saved, and the run says why",
    arguments: ["denied", "restricted", "notDetermined"]
  )
  func refused(status: String) throws {
    let scene = try scene(status: ["addOnly": .string(status)])
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 4])
    #expect(try outcome.problems() == ["notAddedToPhotoLibrary"])
    #expect(outcome.streams.contains("4 captured files were imported and not added"))
    #expect(try scene.digests("sources/library").isEmpty)
    #expect(!FileManager.default.fileExists(atPath: scene.at("sources/library/.mediabatch-incoming")))
    let decision = try #require(
      try scene.lastLog().first {
        $0["event"].string == "decision" && $0["accessLevel"].string == "addOnly"
      }
    )
    #expect(decision["decision"].string == "refuse")
    #expect(decision["usageKey"].string == "NSPhotoLibraryAddUsageDescription")
    try scene.expectVerified()
  }

  @Test(
    "Who may read the photo library, or a part of it, may add to it",
    arguments: ["authorized", "limited"]
  )
  func readers(status: String) throws {
    let scene = try scene(status: .string(status))
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "The test takes pictures.",
      "NSPhotoLibraryUsageDescription": "The test chooses pictures.",
      "NSPhotoLibraryAddUsageDescription": "The test keeps its pictures.",
      "NSMicrophoneUsageDescription": "The test hears.",
    ]
    try scene.run().expectCounts(["imported": 4])
    #expect(try saved(scene).count == 4)
    // What was saved is met as what it is, and the folder of incoming files is never listed.
    try scene.put("sources/library/.mediabatch-incoming/mine.jpg", try Media.photo("hidden"))
    let again = try scene.run()
    try again.expect(0)
    try again.expectCounts(status == "authorized" ? ["unchanged": 4, "duplicate": 4] : ["unchanged": 4])
    try scene.run().expect(0)
    #expect(try saved(scene).count == 4)
  }

  @Test("An answer that was stored counts, once if it is for one run")
  func storedAnswer() throws {
    let scene = try scene(status: ["addOnly": "notDetermined"])
    scene.manifest["onNotDetermined"] = "ask"
    let undecided = try scene.run()
    try undecided.expect(75)
    #expect(undecided.streams.contains("access grant manifest.json library --level addOnly"))
    let grant = try scene.command(
      "access",
      "grant",
      "manifest.json",
      "library",
      "--level",
      "addOnly",
      "--once"
    )
    try grant.expect(0)
    #expect(grant.streams.contains("saves what it imports from the camera"))
    try scene.run().expect(0)
    try expectSaved(scene)
    try scene.run().expect(75)
  }

  @Test("Who has just been allowed to read is not asked about adding; who has not, is")
  func asked() throws {
    let runs = try ["a", "d"].map { answer in
      let scene = try self.scene(status: "notDetermined")
      scene.manifest["onNotDetermined"] = "ask"
      scene.manifest["usageDescriptions"] = [
        "NSCameraUsageDescription": "The test takes pictures.",
        "NSPhotoLibraryUsageDescription": "The test chooses pictures.",
        "NSPhotoLibraryAddUsageDescription": "The test keeps its pictures.",
        "NSMicrophoneUsageDescription": "The test hears.",
      ]
      return (answer: answer, scene: scene, terminal: try scene.runAtTerminal())
    }
    for run in runs {
      #expect(run.terminal.shows("May \"A test\" use your photos?"))
    }
    // The answers are then from a later second than the runs' begins.
    let begin = time(nil)
    #expect(waits { time(nil) > begin })
    for (answer, scene, terminal) in runs {
      terminal.answer(answer, at: "not now): ")
      let question = "May \"A test\" add to your photos?"
      if answer == "d" {
        #expect(terminal.shows(question))
        terminal.answer("a", at: "not now): ")
      }
      let outcome = terminal.outcome()
      try outcome.expect(0)
      try outcome.expectCounts(["imported": 4])
      #expect(terminal.text.contains(question) == (answer == "d"))
      try expectSaved(scene)
    }
  }

  @Test(
    "An answer that is taken back during the run counts before the next files get their names",
    .enabled(if: Has.strace, "no strace")
  )
  func revoked() throws {
    let scene = try scene(status: ["addOnly": "notDetermined"])
    scene.manifest["onNotDetermined"] = "ask"
    try scene.writeManifest()
    try scene.command("access", "grant", "manifest.json", "library", "--level", "addOnly").expect(0)
    let run = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "renameat2"
    )
    let isPublished = try run.next { $0.line.contains(scene.library + "/Originals") } != nil
    try #require(isPublished)
    try scene.command(
      "access",
      "deny",
      "manifest.json",
      "library",
      "--level",
      "addOnly",
      "--no-wait"
    ).expect(0)
    let outcome = try run.wait()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 4])
    #expect(try outcome.problems() == ["notAddedToPhotoLibrary"])
    #expect(try saved(scene).isEmpty)
    #expect(try incoming(scene).isEmpty)
    let transition = try #require(try scene.lastLog().last { $0["event"].string == "transition" })
    #expect(transition["to"].string == "denied")
    try scene.expectVerified()
  }

  @Test(
    "A video whose sound is refused is not saved with it",
    .enabled(if: Has.ffmpeg, "no ffmpeg"),
    arguments: ["keep", "strip"]
  )
  func muted(policy: String) throws {
    let scene = try scene(policy: policy, mode: "photoAndVideo")
    try scene.declare("microphone", "denied")
    scene.manifest["onMicrophoneRefused"] = "mute"
    try Independent.make(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=1", "-f",
        "lavfi",
        "-i", "sine=frequency=440:duration=1", "-c:v", "mpeg4", "-c:a", "aac",
        scene.at("sources/camera/loud.mp4"),
      ]
    )
    let outcome = try scene.run()
    try outcome.expect(0)
    let names = Set(try saved(scene).keys.map { ($0 as NSString).lastPathComponent })
    #expect(names == ["IMG_20190704_101530.jpg", "plain.jpg", "IMG_0041.JPG"])
    #expect(
      outcome.streams.contains(
        "not added to the photo library: there is sound in the file, and the microphone is refused"
      )
    )
  }

  @Test(
    "A file that changes before it is copied is read again, and what is saved is what is imported",
    .enabled(if: Has.strace, "no strace")
  )
  func changed() throws {
    let scene = try scene()
    for name in ["IMG_20190704_101530.jpg", "IMG_0041.JPG", "IMG_0041.MOV"] {
      try FileManager.default.removeItem(atPath: scene.at("sources/camera/" + name))
    }
    try scene.writeManifest()
    let run = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "openat,openat2"
    )
    let copying = try run.next {
      $0.line.contains(".mediabatch-incoming") && $0.line.contains("\"1-0\"")
    }
    _ = try #require(copying)
    try Data(try Media.photo("another one")).write(
      to: URL(fileURLWithPath: scene.at("sources/camera/plain.jpg")),
      options: []
    )
    let outcome = try run.wait()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1])
    let changed = try Independent.sha256(scene.at("sources/camera/plain.jpg"))
    #expect(try scene.originals().map(\.sha256) == [changed])
    try expectSaved(scene)
  }

  // MARK: Interruptions

  @Test(
    "A run that is killed at any moment, and again, saves each file once behind one record",
    .enabled(if: Has.strace && Has.sqlite, "no strace or sqlite3")
  )
  func killed() throws {
    let measured = try scene()
    try measured.writeManifest()
    let run = ["run", "manifest.json", "--format", "json"]
    let moments = try RunMoment.spread(over: run, in: measured.path, count: Amount.of(8, all: 120))
    for (index, moment) in Amount.some(3, of: moments).enumerated() {
      let scene = try scene(policy: index % 2 == 0 ? "keep" : "strip")
      try scene.writeManifest()
      for _ in 0...(index % 3) { try moment.kill(run, in: scene.path).wait() }
      let last = try scene.run()
      #expect(last.code == 0, "\(moment): \(last.streams)")
      try expectSaved(scene)
    }
  }

  /// Every call that concerns the photo library or the journal of its files, and which of them are
  /// killed without all.
  ///
  /// They rename one of the originals and one half of a live photo in the photo library, flush the
  /// copies, make a folder in the photo library, commit the originals, and precede a copy.
  static let steps: [(call: String, few: [Int])] = [
    ("renameat2", [7, 10]), ("syncfs", [5]), ("mkdirat", [19]), ("fdatasync", [20]),
    ("unlinkat", [10]),
  ]

  /// Takes seconds: it kills a run at six of its steps, and each time the next one goes on.
  @Test(
    "A run that is killed at each step of the journal that concerns the photo library leaves nothing undone",
    .enabled(if: Has.strace && Has.sqlite, "no strace or sqlite3"),
    arguments: steps
  )
  func killedAtEachStep(call: String, few: [Int]) throws {
    let run = ["run", "manifest.json", "--format", "json"]
    var killed = 0
    for number in Amount.isAll ? Array(1...10_000) : few {
      let scene = try scene()
      try scene.writeManifest()
      let first = try RunMoment(call: call, number: number).kill(run, in: scene.path)
      try first.wait()
      if !first.wasKilled { break }
      killed += 1
      let last = try scene.run()
      #expect(last.code == 0, "\(call) \(number): \(last.streams)")
      try expectSaved(scene)
    }
    #expect(killed >= (Amount.isAll ? 3 : few.count), "\(call)")
  }

  @Test(
    "What an interrupted run has left in the folder of incoming files is removed at the next start"
  )
  func leftovers() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let folder = try #require(
      try FileManager.default.contentsOfDirectory(
        atPath: scene.at("sources/library/.mediabatch-incoming")
      ).first
    )
    let mine = "sources/library/.mediabatch-incoming/" + folder
    try scene.put(mine + "/99-0", "left")
    let other = "sources/library/.mediabatch-incoming/another-library"
    try scene.put(other + "/1-0", "not ours")
    try scene.run().expect(0)
    #expect(try scene.digests(mine).isEmpty)
    #expect(try scene.digests(other).count == 1)
  }

  @Test(
    "A command, and a run that may not add, leave what waits for the run that may",
    .enabled(if: Has.strace && Has.sqlite, "no strace or sqlite3")
  )
  func leavesWaiting() throws {
    let scene = try scene()
    try scene.writeManifest()
    let run = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "renameat2"
    )
    let isAdding = try run.next { $0.line.contains("2019-07-04") } != nil
    try #require(isAdding)
    run.kill(SIGKILL)
    let asset = try #require(try scene.catalogue("SELECT localIdentifier FROM assets").first)
    let label = try scene.command("label", scene.library, asset, "Other")
    try label.expect(0)
    #expect(label.streams.contains("to be added to the photo library"))
    #expect(try !incoming(scene).isEmpty)
    // A manifest of the same library that adds nothing.
    let sources = scene.manifest["sources"]
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndLivePhoto"]])
    try scene.declare("library", "denied")
    let other = try scene.run()
    try other.expect(78)
    scene.manifest["usageDescriptions"] = [
      "NSCameraUsageDescription": "The test takes pictures.",
      "NSPhotoLibraryUsageDescription": "The test chooses pictures.",
      "NSPhotoLibraryAddUsageDescription": "The test keeps its pictures.",
      "NSMicrophoneUsageDescription": "The test hears.",
    ]
    let quiet = try scene.run()
    try quiet.expect(0)
    #expect(try quiet.problems() == ["notAddedToPhotoLibrary"])
    #expect(try !incoming(scene).isEmpty)
    if let sources { scene.manifest["sources"] = sources }
    try scene.run().expect(0)
    try expectSaved(scene)
  }

  // MARK: What is said before

  @Test("check says what is written where, and that the key widens")
  func check() throws {
    let scene = try scene()
    try scene.writeManifest()
    let check = try scene.command("check", "manifest.json")
    try check.expect(0)
    #expect(check.streams.contains("sources/library"))
    #expect(check.streams.contains("also added to the photo library, with all of its metadata"))
    try FileManager.default.copyItem(atPath: scene.manifestPath, toPath: scene.at("new.json"))
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndLivePhoto"]])
    try scene.writeManifest()
    let against = try scene.command("check", "new.json", "--against", "manifest.json")
    try against.expect(4)
    #expect(against.streams.contains("is added to the photo library"))
  }
}
