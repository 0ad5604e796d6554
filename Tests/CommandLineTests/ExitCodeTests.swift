import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// A manifest, and what `run` and `check` have to say about it.
struct ManifestCase: CustomTestStringConvertible {
  /// One status of one source, with what else the manifest says about it.
  struct Source {
    var name: String
    var status: String?
    var extra: [String: JSONValue] = [:]
    var isThere = true
  }

  var testDescription: String
  var sources: [Source]
  var members: [String: JSONValue] = [:]
  var code: Int32
  /// What the message has to hold: the source, the file, what to do.
  var words: [String] = []
  /// The reason of each source, in the order camera, photo library, microphone.
  var reasons: [String] = []
  /// Whether the run writes a log, though it stops.
  var writesLog = true

  init(
    _ description: String,
    _ sources: [Source],
    _ members: [String: JSONValue] = [:],
    code: Int32,
    words: [String] = [],
    reasons: [String] = [],
    writesLog: Bool = true
  ) {
    testDescription = description
    self.sources = sources
    self.members = members
    self.code = code
    self.words = words
    self.reasons = reasons
    self.writesLog = writesLog
  }

  static func camera(
    _ status: String?,
    _ extra: [String: JSONValue] = [:],
    isThere: Bool = true
  ) -> Source { Source(name: "camera", status: status, extra: extra, isThere: isThere) }

  static func library(
    _ status: String?,
    _ extra: [String: JSONValue] = [:],
    isThere: Bool = true
  ) -> Source { Source(name: "library", status: status, extra: extra, isThere: isThere) }

  static func microphone(
    _ status: String?,
    _ extra: [String: JSONValue] = [:],
    isThere: Bool = true
  ) -> Source { Source(name: "microphone", status: status, extra: extra, isThere: isThere) }

  func scene() throws -> Scene {
    let scene = Scene()
    for source in sources {
      try scene.declare(source.name, source.status, source.extra, makesFolder: source.isThere)
      if source.isThere {
        try scene.put("sources/\(source.name)/secret.jpg", copyOf: Samples.harbour)
      }
    }
    scene.manifest.merge(members) { $1 }
    try scene.writeManifest()
    return scene
  }

  /// Every third of ``all``, from one of the first three on: some of each exit code; all of them in
  /// `make test-all`.
  static func third(from first: Int) -> [ManifestCase] {
    all.enumerated().filter { Amount.isAll || $0.offset % 3 == first }.map(\.element)
  }

  private static let onlyPhotos: JSONValue = ["NSPhotoLibraryUsageDescription": "Photos."]

  /// Every way in which deciding ends a run, and the ways in which it does not.
  static let all: [ManifestCase] = [
    // 0: what is refused is no error unless it is required.
    .init("authorized", [camera("authorized")], code: 0, reasons: ["authorized"]),
    .init("denied", [camera("denied")], code: 0, words: ["camera", "denied"], reasons: ["denied"]),
    .init(
      "restricted",
      [library("restricted")],
      code: 0,
      words: ["photo library", "restricted"],
      reasons: ["restricted"]
    ),
    .init("limited", [library("limited", ["selection": ["secret.jpg"]])], code: 0, reasons: ["limited"]),
    .init(
      "undecided, deny",
      [camera("notDetermined")],
      ["onNotDetermined": "deny"],
      code: 0,
      reasons: ["notDetermined"]
    ),
    .init(
      "absent status, deny",
      [microphone(nil)],
      ["onNotDetermined": "deny"],
      code: 0,
      reasons: ["notDetermined"]
    ),
    .init(
      "all three",
      [camera("authorized"), library("denied"), microphone("restricted")],
      code: 0,
      reasons: ["authorized", "denied", "restricted"]
    ),
    .init(
      "folder missing, not required",
      [camera("authorized", ["required": false], isThere: false)],
      code: 0,
      reasons: ["unavailable"]
    ),
    // 66
    .init(
      "folder missing",
      [camera("authorized", isThere: false)],
      code: 66,
      words: ["camera", "sources.camera.path"],
      reasons: ["unavailable"]
    ),
    .init(
      "limited, folder missing",
      [library("limited", ["selection": ["a"]], isThere: false)],
      code: 66,
      words: ["photo library", "\"required\": false"],
      reasons: ["unavailable"]
    ),
    // 77
    .init(
      "denied and required",
      [camera("denied", ["required": true])],
      code: 77,
      words: ["camera", "required", "authorizationStatus"],
      reasons: ["denied"]
    ),
    .init(
      "restricted and required",
      [microphone("restricted", ["required": true])],
      code: 77,
      words: ["microphone", "\"required\": false"],
      reasons: ["restricted"]
    ),
    .init(
      "undecided, deny, required",
      [library("notDetermined", ["required": true])],
      ["onNotDetermined": "deny"],
      code: 77,
      words: ["photo library"],
      reasons: ["notDetermined"]
    ),
    .init(
      "refused before missing",
      [camera("authorized", isThere: false), library("denied", ["required": true])],
      code: 77,
      words: ["photo library"],
      reasons: ["unavailable", "denied"]
    ),
    // 75
    .init(
      "undecided, ask, no terminal",
      [camera("notDetermined")],
      ["onNotDetermined": "ask"],
      code: 75,
      words: ["camera", "decide", "mediabatch "],
      reasons: ["notDetermined"]
    ),
    .init(
      "undecided, fail",
      [library("notDetermined")],
      ["onNotDetermined": "fail"],
      code: 75,
      words: ["photo library", "mediabatch "],
      reasons: ["notDetermined"]
    ),
    .init(
      "absent status, ask",
      [microphone(nil)],
      ["onNotDetermined": "ask"],
      code: 75,
      words: ["microphone"],
      reasons: ["notDetermined"]
    ),
    .init(
      "undecided before refused",
      [camera("notDetermined"), library("denied", ["required": true])],
      ["onNotDetermined": "ask"],
      code: 75,
      words: ["camera"],
      reasons: ["notDetermined", "denied"]
    ),
    .init(
      "live photos need the microphone",
      [camera("authorized", ["capture": ["mode": "photoAndVideo"]])],
      ["onNotDetermined": "ask"],
      code: 75,
      words: ["microphone"],
      reasons: ["authorized", "notDetermined"]
    ),
    // 78
    .init(
      "usage description missing",
      [camera("authorized")],
      ["usageDescriptions": onlyPhotos],
      code: 78,
      words: ["NSCameraUsageDescription", "camera"],
      reasons: ["usageDescriptionMissing"]
    ),
    .init(
      "two usage descriptions missing",
      [camera("denied"), microphone("denied")],
      ["usageDescriptions": onlyPhotos],
      code: 78,
      words: ["NSCameraUsageDescription", "NSMicrophoneUsageDescription"],
      reasons: ["usageDescriptionMissing", "usageDescriptionMissing"]
    ),
    .init(
      "blank usage description",
      [camera("authorized")],
      ["usageDescriptions": ["NSCameraUsageDescription": "  "]],
      code: 78,
      words: ["NSCameraUsageDescription"],
      reasons: ["usageDescriptionMissing"]
    ),
    .init(
      "missing text before undecided",
      [camera("notDetermined")],
      ["usageDescriptions": onlyPhotos, "onNotDetermined": "ask"],
      code: 78,
      words: ["NSCameraUsageDescription"],
      reasons: ["usageDescriptionMissing"]
    ),
    .init(
      "limited camera",
      [camera("limited")],
      code: 78,
      words: ["manifest.json:1:", "limited", "camera"],
      writesLog: false
    ),
    .init(
      "unknown status",
      [camera("autorized")],
      code: 78,
      words: ["manifest.json:1:", "autorized", "authorized"],
      writesLog: false
    ),
    .init(
      "unknown key",
      [camera("authorized")],
      ["metdata": ["policy": "keep"]],
      code: 78,
      words: ["metdata", "metadata"],
      writesLog: false
    ),
    .init(
      "library inside a source",
      [camera("authorized")],
      ["output": ["path": "sources/camera/L"]],
      code: 78,
      words: ["manifest.json:1:", "camera"],
      writesLog: false
    ),
    .init(
      "a source inside a source",
      [camera("denied"), library("authorized", ["path": "sources/camera"])],
      code: 78,
      words: ["camera", "library"],
      writesLog: false
    ),
  ]
}

@Suite("Exit codes", .ownProcesses)
struct ExitCodeTests {
  @Test(
    "What deciding stops opens no source, says what to do, and is logged where it should be",
    .enabled(if: Has.strace, "no strace"),
    arguments: ManifestCase.third(from: 0)
  )
  func stopsBeforeOpening(manifest: ManifestCase) throws {
    let scene = try manifest.scene()
    let (outcome, lines) = try scene.tracedRun("open,openat,openat2,getdents64")
    #expect(outcome.code == manifest.code, "\(outcome.streams)")
    let touched = lines.filter { $0.contains("/sources") || $0.contains("secret.jpg") }
    if manifest.code != 0 { #expect(touched == []) }
    let text = try scene.command("check", "manifest.json").streams + outcome.streams
    for word in manifest.words { #expect(text.contains(word), "\(word) in: \(text)") }
    #expect(try scene.logFiles().isEmpty == !manifest.writesLog, "\(outcome.streams)")
    if manifest.writesLog {
      let end = try #require(try scene.lastLog().last)
      #expect(end["event"].string == "end" && end["exitCode"].int == Int(manifest.code))
      try scene.expectVerified()
    } else {
      #expect(!FileManager.default.fileExists(atPath: scene.library))
    }
  }

  @Test("check ends as run does, for the same reasons", arguments: ManifestCase.third(from: 2))
  func checkAgrees(manifest: ManifestCase) throws {
    let scene = try manifest.scene()
    let before = try scene.snapshot()
    let check = try scene.command("check", "manifest.json", "--format", "json")
    let dry = try scene.command("run", "manifest.json", "--dry-run", "--format", "json")
    #expect(try scene.snapshot() == before, "check and --dry-run touch nothing")
    let run = try scene.run()
    #expect(run.code == manifest.code, "\(run.streams)")
    #expect(check.code == manifest.code, "\(check.streams)")
    #expect(dry.code == manifest.code, "\(dry.streams)")
    func decisions(_ outcome: Outcome) throws -> [String] {
      try outcome.json()["sources"].array.map { source in
        ["source", "authorizationStatus", "decision", "reason"]
          .map { source[$0].string ?? "?" }.joined(separator: " ")
          + " \(source["required"].bool.map(String.init) ?? "?")"
      }
    }
    #expect(try decisions(check) == decisions(run))
    #expect(try decisions(dry) == decisions(run))
    #expect(try run.json()["sources"].array.compactMap { $0["reason"].string } == manifest.reasons)
    if manifest.writesLog, manifest.code != 0 {
      // A check says further reasons too.
      #expect(try check.problems().starts(with: run.problems()))
    }
  }

  @Test(
    "A wrong command line is 64, and nothing is made",
    arguments: [
      ["run"], ["run", "manifest.json", "--nonsense"], ["nonsense"],
      ["run", "manifest.json", "--workers", "0"], ["run", "manifest.json", "--workers", "x"],
      ["run", "manifest.json", "--format", "yaml"],
      ["run", "manifest.json", "--enforcement", "none"],
      ["verify"], ["audit", "verify"], ["audit", "nonsense"], ["check"],
    ]
  )
  func refusesUsage(arguments: [String]) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.harbour)
    try scene.writeManifest()
    let before = try scene.snapshot()
    let outcome = try Scene.program(arguments, in: scene.path)
    #expect(outcome.code == 64, "\(outcome.streams)")
    #expect(outcome.output.isEmpty, "usage errors are for people: \(outcome.output)")
    #expect(outcome.error.contains("Usage:"))
    #expect(try scene.snapshot() == before)
  }

  @Test("A manifest that is not there or cannot be read is 78, named", arguments: ["", "folder"])
  func refusesMissingManifest(name: String) throws {
    let scene = Scene()
    try scene.makeFolder("folder")
    for command in ["run", "check"] {
      let path = name.isEmpty ? "nowhere.json" : name
      let outcome = try scene.command(command, path)
      #expect(outcome.code == 78, "\(outcome.streams)")
      #expect(outcome.error.contains(path), "\(outcome.error)")
    }
  }

  @Test(
    "A library that is not there is 78 to what makes a folder of it, and none is made",
    arguments: ["export", "gallery", "contact-sheet"],
    ["nowhere", "manifest.json"]
  )
  func refusesMissingLibrary(command: String, library: String) throws {
    let scene = Scene()
    try scene.writeManifest()
    let outcome = try scene.command(command, library, "out")
    #expect(outcome.code == 78, "\(outcome.streams)")
    #expect(outcome.error.contains("\"\(library)\" is not a library"), "\(outcome.streams)")
    #expect(!FileManager.default.fileExists(atPath: scene.at("out")))
  }

  @Test("A folder that holds something else is not taken for a library: 78, untouched")
  func refusesForeignFolder() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.harbour)
    try scene.put("Library/letter.txt", "mine")
    let before = try scene.snapshot("Library")
    let outcome = try scene.run()
    try outcome.expect(78)
    #expect(outcome.error.contains("Library"), "\(outcome.error)")
    #expect(try scene.snapshot("Library") == before)
    #expect(try scene.command("verify", scene.library).code == 78)
    #expect(try scene.command("audit", "verify", scene.library).code == 78)
  }

  @Test(
    "A library that another run holds is 73, with who and since when, and gets no log",
    .enabled(if: Has.python && Has.strace, "no python3 or strace")
  )
  func refusesHeldLibrary() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", copyOf: Samples.harbour)
    try scene.run().expect(0)
    let logs = try scene.logFiles().count
    let script = """
      import fcntl, subprocess, sys
      lock = open(sys.argv[1], "r+")
      fcntl.lockf(lock, fcntl.LOCK_EX)
      sys.exit(subprocess.run(sys.argv[2:]).returncode)
      """
    func held(_ command: [String]) throws -> Outcome {
      Outcome(
        try Tool.run(
          "python3",
          ["-c", script, scene.library + "/.lock"] + command,
          environment: Scene.environment(in: scene.path),
          in: scene.path
        )
      )
    }
    let program = try Scene.executable()
    let outcome = try held([program, "run", "manifest.json"])
    try outcome.expect(73)
    let text = outcome.streams.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("process "), "who: \(text)")
    #expect(text.contains("since 20"), "since when: \(text)")
    #expect(text.contains("--wait"), "what to do: \(text)")
    #expect(try scene.logFiles().count == logs)
    let trace = scene.at("trace")
    let traced = try held([
      "strace", "-f", "-qq", "-y", "-e", "trace=open,openat,openat2", "-o", trace, program, "run",
      "manifest.json", "--format", "json",
    ])
    try traced.expect(73)
    #expect(try traced.json()["audit"].isNull)
    let lines = String(decoding: try readBytes(trace), as: UTF8.self).split(separator: "\n")
    #expect(lines.contains { $0.contains("manifest.json") })
    #expect(lines.filter { $0.contains("/sources") } == [])
    // A holder that is gone blocks nobody.
    try scene.run().expect(0)
  }

  @Test("Items that failed are 3, and each is named with its source and what to do")
  func reportsFailedItems() throws {
    let scene = Scene()
    try scene.declare("camera").declare("library")
    try scene.put("sources/camera/good.jpg", copyOf: Samples.harbour)
    try scene.put("sources/library/cut.jpg", Array(try readBytes(Samples.photo(1)).prefix(400)))
    try scene.put("sources/library/note.txt", "no picture")
    let outcome = try scene.run()
    try outcome.expect(3)
    try outcome.expectCounts(["imported": 1, "failed": 1, "unsupported": 1])
    let text = try scene.command("run", "manifest.json", "--retry-failed")
    #expect(text.code == 3)
    for word in ["cut.jpg", "photo library", "damaged", "again"] {
      #expect(text.output.contains(word), "\(word) in: \(text.output)")
    }
  }

  @Test("A file of no known format is unsupported, and no failure")
  func allowsUnsupported() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/note.txt", "no picture")
    try scene.put("sources/camera/IMG_1.json", "")
    let outcome = try scene.run()
    try outcome.expect(0)
    #expect(try outcome.count("unsupported") == 2)
  }

  @Test("--version, --help and help exit-codes answer with 0, the last with every exit code")
  func answersHelp() throws {
    let scene = Scene()
    #expect(try scene.command("--version").code == 0)
    try scene.command("--help").expect(0)
    let help = try scene.command("help", "exit-codes")
    #expect(help.code == 0)
    // Lines are wrapped at the width of the terminal.
    let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for code in RunExitCode.allCases {
      #expect(words.contains("\(code.rawValue) \(code.sentence)"), "\(code)")
    }
  }
}
