import Foundation
import MediaTestSupport
import Testing

/// What `check` says of a manifest is what `run` does, whatever the manifest says.
@Suite("check and run agree")
struct CheckAgreesWithRunTests {
  private static let kinds = ["camera", "library", "microphone"]

  /// The sources as both commands list them, without their order of keys.
  private static func decisions(_ outcome: Outcome) throws -> [String] {
    try outcome.json()["sources"].array.map { source in
      [
        "source", "availability", "authorizationStatus", "accessLevel", "decision", "reason",
      ].map { source[$0].string ?? "?" }.joined(separator: " ")
        + " \(source["required"].bool.map { "\($0)" } ?? "?")"
    }
  }

  /// A folder with one file of each source, which says whose it is.
  private static func scene() throws -> Scene {
    let scene = Scene()
    for kind in kinds {
      try scene.put("sources/\(kind)/1.jpg", try Media.photo("content of \(kind)"))
    }
    let sound = try readBytes(Samples.sound)
    try scene.put("sources/microphone/1.wav", sound + Array("content of microphone".utf8))
    return scene
  }

  @Test("A manifest that denies all its sources has no mistake, and check says that a run reads nothing")
  func deniesAll() throws {
    let scene = try Self.scene()
    try scene.declare("library", "denied").writeManifest()
    let denied = try scene.command("check", "manifest.json")
    try denied.expect(0)
    #expect(
      denied.output.hasSuffix("\nThe manifest has no mistake, but a run reads nothing.\n"),
      "\(denied.streams)"
    )
    try scene.declare("camera").writeManifest()
    #expect(try scene.command("check", "manifest.json").output.hasSuffix("\nThe manifest is good.\n"))
  }

  /// Takes seconds: each manifest is checked and run.
  @Test(
    "Drawn manifests end alike in both, and what is refused stays closed",
    .enabled(if: Has.strace, "no strace")
  )
  func agree() throws {
    var random = SeededGenerator(seed: 1_000)
    var ends: [Int32: Int] = [:]
    var imported = 0
    let scene = try Self.scene()
    for number in 0..<Amount.of(24, all: 1_000) {
      let drawn = GeneratedManifest(using: &random)
      try Data(drawn.json.utf8).write(to: URL(fileURLWithPath: scene.manifestPath))
      let shown = "manifest \(number):\n\(drawn.json)"
      let check = try scene.command("check", "manifest.json", "--format", "json")
      #expect(!FileManager.default.fileExists(atPath: scene.library), "check wrote: \(shown)")
      let arguments = ["run", "manifest.json", "--format", "json", "--no-input"]
      let isTraced = number % 10 == 0
      let run =
        try isTraced ? traced(arguments, scene, shown) : Scene.program(arguments, in: scene.path)
      ends[check.code, default: 0] += 1
      let wanted: [Int32] = check.code == 0 ? [0, 3] : [check.code]
      #expect(wanted.contains(run.code), "\(shown)\n\(check.streams)\n\(run.streams)")
      // A mistake in the text: nothing was decided.
      let hasSources = try check.json()["sources"].exists && run.json()["sources"].exists
      #expect(hasSources || check.code == 78, "\(shown)")
      if hasSources {
        #expect(try Self.decisions(check) == Self.decisions(run), "\(shown)")
      }
      imported += try expectClosed(scene, check, shown)
      try? FileManager.default.removeItem(atPath: scene.library)
    }
    let fewest = Amount.of(2, all: 3)
    for end: Int32 in [0, 75, 77, 78] { #expect(ends[end, default: 0] >= fewest, "\(ends)") }
    #expect(imported > 5)
  }

  @Test(
    "What is in the way of the library ends both alike, with the same code",
    arguments: [
      ("touch Library", 74), ("ln -s nowhere Library", 74), ("ln -s /dev/null Library", 74),
      ("touch above; ln -s above Library", 74), ("mkdir Library; touch Library/other", 78),
      ("run; rm -r Library/.state", 70), ("run; echo x > Library/.state/digest.key", 70),
      ("run; sed -i 's/^key ./key x/' Library/.state/digest.key", 70),
      ("run; rm -r Library/Thumbnails; touch Library/Thumbnails", 74),
      ("run; rm Library/library.sqlite*", 78),
      ("run; rm Library/library.sqlite*; mkfifo Library/library.sqlite", 78),
      ("run; mv Library/library.sqlite c; ln -s ../c Library/library.sqlite", 78),
      ("run", 0), ("mkdir Library", 0), ("mkdir real; ln -s real Library", 0),
    ] as [(String, Int32)]
  )
  func obstacles(making: String, code: Int32) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.writeManifest()
    let run = "\"$mediabatch\" run manifest.json --no-input >/dev/null"
    try scene.shell(making.replacing(/^run/, with: run)).expect(0)
    for command in [["check", "manifest.json"], ["run", "manifest.json", "--no-input"]] {
      let outcome = try scene.command(command)
      #expect(outcome.code == code, "\(making), \(command[0]): \(outcome.streams)")
    }
  }

  /// Expects that the library holds nothing of a source that `check` refused, nor of any after a stop.
  ///
  /// Gives how many sources have something in it.
  private func expectClosed(_ scene: Scene, _ check: Outcome, _ shown: String) throws -> Int {
    var open: Set<String> = []
    if check.code == 0 {
      for source in try check.json()["sources"].array where source["decision"].string == "allow" {
        open.insert(source["source"].string ?? "")
      }
    }
    let words = Self.kinds.flatMap { ["-e", "content of " + $0] }
    // Each word that is found is a line.
    let grep = try Tool.run("grep", ["-rohaF"] + words + [scene.library])
    let lines = Set(grep.output.split(separator: "\n").map(String.init))
    let readKinds = Self.kinds.filter { lines.contains("content of " + $0) }
    for kind in readKinds { #expect(open.contains(kind), "\(kind) was read: \(shown)") }
    return readKinds.count
  }

  /// Runs under strace, and expects that no call names anything in a source that is not allowed.
  private func traced(_ arguments: [String], _ scene: Scene, _ shown: String) throws -> Outcome {
    let file = scene.at("trace")
    let result = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-y", "-s", "400", "-e", "trace=%file,getdents64", "-e", "signal=none", "-o",
        file, try Scene.executable(),
      ] + arguments,
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    let outcome = Outcome(result)
    var open: Set<String> = []
    for source in (try? outcome.json()["sources"].array) ?? []
    where source["decision"].string == "allow" {
      open.insert(source["source"].string ?? "")
    }
    let lines = String(decoding: try readBytes(file), as: UTF8.self).split(separator: "\n")
    try FileManager.default.removeItem(atPath: file)
    #expect(lines.contains { $0.contains("manifest.json") })
    for kind in Self.kinds where !open.contains(kind) {
      // Its folder may be asked for its device, to know second names of its files; never opened.
      let met = lines.filter { line in
        line.contains("sources/\(kind)/")
          || (line.contains("sources/\(kind)") && !line.contains("stat")
            && !line.contains("readlink"))
      }
      #expect(met == [], "\(shown)")
    }
    return outcome
  }
}
