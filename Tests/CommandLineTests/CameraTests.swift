import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Cameras", .enabled(if: Tool.exists("python3"), "no python3"), .timeLimit(.minutes(3)))
struct CameraTests {
  /// A manifest with a camera, and the tree that a camera has.
  private func makeScene(
    _ extra: [String: JSONValue] = [:],
    policy: String = "keep",
    source: String = "camera"
  ) throws -> Scene {
    let scene = Scene(policy: policy)
    var options: [String: JSONValue] = ["path": "usb:", "kind": "ptp"]
    options.merge(extra) { $1 }
    try scene.declare(source, "authorized", options, makesFolder: false)
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    for number in 1...6 {
      try scene.put("tree/1/DCIM/100CANON/IMG_000\(number).JPG", try Media.photo("first \(number)"))
    }
    try scene.put("tree/2/DCIM/100CANON/IMG_0001.JPG", try Media.photo("second"))
    return scene
  }

  private func run(
    _ scene: Scene,
    _ camera: PTPResponder?,
    _ arguments: [String] = []
  ) throws -> Outcome {
    try scene.writeManifest()
    return try command(scene, camera, ["run", "manifest.json", "--format", "json"] + arguments)
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

  private func digests(_ scene: Scene) throws -> Set<String> {
    Set(try scene.digests("tree").values)
  }

  @Test("A camera is imported byte for byte, and what is unchanged is not fetched again")
  func imports() throws {
    let scene = try makeScene()
    let camera = try PTPResponder(scene.at("tree"))
    let first = try run(scene, camera)
    try first.expect(0)
    try first.expectCounts(["imported": 7])
    #expect(try Set(scene.originals().map(\.sha256)) == digests(scene))
    #expect(try scene.thumbnails("grid").count == 7)
    let fetched = camera.operations.count { $0.hasPrefix("1009 ") }
    #expect(fetched == 7)
    let second = try run(scene, camera)
    try second.expectCounts(["unchanged": 7])
    #expect(camera.operations.count { $0.hasPrefix("1009 ") } == fetched)
    // The time of a kept file is the camera's.
    let dates = try scene.originals().map { original in
      let path = scene.library + "/Originals/" + original.path
      return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
    let source = try FileManager.default.attributesOfItem(
      atPath: scene.at("tree/2/DCIM/100CANON/IMG_0001.JPG")
    )
    let seconds = try #require(source[.modificationDate] as? Date).timeIntervalSince1970
    #expect(dates.contains { abs(($0?.timeIntervalSince1970 ?? 0) - seconds) < 5 })
    let reading: Set<String> = [
      "1001", "1002", "1003", "1004", "1005", "1006", "1007", "1008", "1009", "101b",
    ]
    #expect(camera.codes.isSubset(of: reading), "\(camera.codes)")
    try scene.expectVerified()
  }

  @Test("The log has the source before the camera is opened, and each file before it is fetched")
  func recorded() throws {
    let scene = try makeScene()
    let camera = try PTPResponder(scene.at("tree"))
    try run(scene, camera).expect(0)
    let log = try scene.lastLog()
    let source = try #require(log.first { $0["event"].string == "source" })
    #expect(source["path"].string == "usb:")
    #expect(source["resolvedPath"].string == "usb:0000:0000:0001")
    let accessed = log.filter { $0["event"].string == "access" }.compactMap { $0["path"].string }
    #expect(accessed.count == 7)
    #expect(accessed.contains("store_00020001/DCIM/100CANON/IMG_0001.JPG"))
    // A run that is refused asks the camera nothing.
    let other = try makeScene()
    try other.declare("camera", "denied", ["path": "usb:", "kind": "ptp"], makesFolder: false)
    let silent = try PTPResponder(other.at("tree"))
    try run(other, silent).expect(0)
    #expect(silent.operations.isEmpty)
  }

  @Test("Unplugged in the middle of a file, it fails the rest, and the next run goes on")
  func unplugged() throws {
    let scene = try makeScene()
    let broken = try PTPResponder(scene.at("tree"), ["--unplug", "IMG_0003.JPG:4000"])
    let first = try run(scene, broken)
    try first.expect(3)
    try first.expectCounts(["imported": 2, "failed": 5])
    #expect(try first.failures().allSatisfy { $0.hasSuffix(": cannotRead") }, "\(first.streams)")
    let text = try first.json()["failures"].array.compactMap { $0["detail"].string }.joined()
    #expect(text.isEmpty || text.contains("disconnected"), "\(text)")
    try scene.expectVerified()
    // Nothing of a half-copied file is left.
    #expect(try scene.digests("Library/.staging").isEmpty)
    let whole = try PTPResponder(scene.at("tree"))
    let second = try run(scene, whole)
    try second.expect(0)
    try second.expectCounts(["imported": 5, "unchanged": 2])
    #expect(try Set(scene.originals().map(\.sha256)) == digests(scene))
  }

  @Test("A file of another size than the camera had listed fails alone")
  func lies() throws {
    let scene = try makeScene()
    let camera = try PTPResponder(
      scene.at("tree"),
      ["--size", "IMG_0002.JPG:50", "--longer", "IMG_0004.JPG:5000", "--gone", "IMG_0005.JPG"]
    )
    let outcome = try run(scene, camera)
    try outcome.expect(3)
    try outcome.expectCounts(["imported": 4, "failed": 3])
    let folder = "store_00010001/DCIM/100CANON/"
    #expect(
      try outcome.failures() == [
        folder + "IMG_0002.JPG: changedDuringRun", folder + "IMG_0004.JPG: changedDuringRun",
        folder + "IMG_0005.JPG: cannotRead",
      ]
    )
    try scene.expectVerified()
  }

  @Test("Without a camera it is unavailable: 66 if it is required, and nothing is imported if not")
  func missing() throws {
    let scene = try makeScene()
    let required = try run(scene, nil)
    try required.expect(66)
    #expect(required.streams.contains("no such camera is connected"), "\(required.streams)")
    let check = try command(scene, nil, ["check", "manifest.json"])
    try check.expect(66)
    #expect(check.streams.contains("allowed, but nothing is there"))
    let optional = try makeScene(["required": false])
    let outcome = try run(optional, nil)
    try outcome.expect(0)
    #expect(try outcome.json()["sources"].array.first?["availability"].string == "unavailable")
    // Nothing listens on the port of a camera that was there a moment ago.
    let camera = try PTPResponder(scene.at("tree"))
    camera.stop()
    try run(scene, camera).expect(66)
  }

  @Test("A limited photo library is fetched as selected, and stripped as any source")
  func limited() throws {
    let scene = try makeScene(policy: "strip", source: "library")
    let selection: [JSONValue] = [
      "store_00010001/DCIM/100CANON/IMG_000[12].JPG", "store_00020001/DCIM/100CANON/IMG_0001.JPG",
      "store_00010001/DCIM/100CANON/IMG_9999.JPG", "store_00010001/DCIM/100CANON/IMG_9*.JPG",
    ]
    try scene.declare(
      "library",
      "limited",
      ["path": "usb:", "kind": "ptp", "selection": .array(selection)],
      makesFolder: false
    )
    let camera = try PTPResponder(scene.at("tree"))
    let outcome = try run(scene, camera)
    try outcome.expect(3)
    try outcome.expectCounts(["imported": 3, "failed": 1])
    #expect(camera.operations.count { $0.hasPrefix("1009 ") } == 3)
    #expect(try outcome.unmatchedPatterns() == ["store_00010001/DCIM/100CANON/IMG_9*.JPG"])
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(!log.contains("IMG_0003") && !log.contains("IMG_0006"))
    try scene.expectVerified()
  }

  @Test("What cameras keep beside media, and what is ignored, is neither fetched nor recorded")
  func companions() throws {
    let scene = try makeScene(["ignore": ["store_00020001/**"]], source: "library")
    try scene.put("tree/1/DCIM/100CANON/MVI_0007.MP4", copyOf: Samples.video)
    try scene.put("tree/1/DCIM/100CANON/MVI_0007.THM", try Media.photo("small"))
    try scene.put("tree/1/DCIM/CANONMSC/M0100.CTG", "catalogue")
    try scene.put("tree/1/MISC/AUTPRINT.MRK", "print")
    let camera = try PTPResponder(scene.at("tree"))
    let outcome = try run(scene, camera)
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 7])
    #expect(try outcome.json()["sources"].array.first?["ignored"].int == 4)
    #expect(camera.operations.count { $0.hasPrefix("1009 ") } == 7)
  }

  @Test("A dry run lists a camera and fetches nothing")
  func dryRun() throws {
    let scene = try makeScene()
    let camera = try PTPResponder(scene.at("tree"))
    try scene.writeManifest()
    let outcome = try command(scene, camera, ["run", "manifest.json", "--dry-run"])
    try outcome.expect(0)
    #expect(outcome.output.contains("store_00020001/DCIM/100CANON/IMG_0001.JPG"))
    #expect(!camera.codes.contains("1009") && !camera.codes.contains("101b"))
    #expect(!FileManager.default.fileExists(atPath: scene.library))
  }

  @Test("A manifest says which camera it means, and asks nothing of one that a folder can")
  func mistakes() throws {
    for (extra, word) in [
      (["path": "DCIM"] as [String: JSONValue], "usb:"), (["path": "usb:a/b"], "usb:"),
    ] {
      let scene = try makeScene(extra)
      try scene.writeManifest()
      let check = try command(scene, nil, ["check", "manifest.json"])
      try check.expect(78)
      #expect(check.streams.contains(word))
    }
    let added = try makeScene(source: "library")
    try added.declare("camera", "authorized", ["capture": ["savesCapturedPhotosToPhotoLibrary": true]])
    try added.writeManifest()
    let check = try command(added, nil, ["check", "manifest.json"])
    try check.expect(78)
    #expect(check.streams.contains("nothing is written to a camera"), "\(check.streams)")
  }

  @Test(
    "doctor says that libgphoto2 is missing where it is, and what to install",
    .enabled(if: Namespace.isAvailable, "this user may not mount a tmpfs")
  )
  func withoutLibrary() throws {
    let folder = TemporaryFolder()
    let script = """
      for file in $(find /lib/ /usr/lib/ -name 'libgphoto2*.so.*' -type f); do
        mount --bind /dev/null "$file" || exit 1
      done
      "$mediabatch" doctor | grep '^cameras'
      """
    let outcome = try Namespace.run(script, in: folder.path)
    #expect(outcome.output.contains("cameras cannot be read: libgphoto2 cannot be loaded"))
    #expect(outcome.output.contains("Install libgphoto2-6"), "\(outcome.streams)")
  }

  @Test("The coordinator opens no device and no socket, and the process no file for writing")
  func confined() throws {
    let scene = try makeScene()
    let camera = try PTPResponder(scene.at("tree"))
    try scene.writeManifest()
    let trace = scene.at("trace")
    let result = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-y", "-e", "trace=openat,open,connect,execve,socket", "-e", "signal=none",
        "-o", trace, try Scene.executable(), "run", "manifest.json",
      ],
      environment: Scene.environment(in: scene.path).merging(camera.environment) { $1 },
      in: scene.path
    )
    #expect(result.status == 0, "\(result.output)\(result.error)")
    let lines = String(decoding: try readBytes(trace), as: UTF8.self).split(separator: "\n")
      .map(String.init)
    let start = try #require(lines.first { $0.contains("execve(") && $0.contains("\"camera\"") })
    let process = try #require(start.split(separator: " ").first)
    let own = lines.filter { $0.hasPrefix("\(process) ") }
    #expect(own.contains { $0.contains("connect(") })
    #expect(!lines.contains { !$0.hasPrefix("\(process) ") && $0.contains("connect(") })
    let written = own.filter { line in
      ["O_WRONLY", "O_RDWR"].contains { line.contains($0) } && !line.contains(" = -1 ")
    }
    #expect(written.isEmpty, "\(written)")
  }
}
