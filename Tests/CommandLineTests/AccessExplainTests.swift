import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// A way to a decision, and the row that it ends in.
struct ExplainedCase: CustomTestStringConvertible {
  var testDescription: String
  /// What the manifest says of the camera.
  var status: String?
  var members: [String: JSONValue] = [:]
  /// Words behind `access`, then the source.
  var answers: [[String]] = []
  var isThere = true
  var row: Int
}

@Suite("mediabatch access explain")
struct AccessExplainTests {
  static let cases: [ExplainedCase] = [
    ExplainedCase(testDescription: "a restriction", status: "restricted", row: 3),
    ExplainedCase(testDescription: "a denial of the manifest", status: "denied", row: 5),
    ExplainedCase(
      testDescription: "a stored denial beside the manifest's grant",
      status: "authorized",
      answers: [["deny"]],
      row: 5
    ),
    ExplainedCase(testDescription: "a grant that has expired", answers: [["grant", "--for", "1d"]], row: 6),
    ExplainedCase(testDescription: "nobody has decided", row: 8),
    ExplainedCase(
      testDescription: "nobody has decided, and nobody is asked",
      members: ["onNotDetermined": "deny"],
      row: 8
    ),
    ExplainedCase(testDescription: "no folder", status: "authorized", isThere: false, row: 9),
    ExplainedCase(testDescription: "a grant of the manifest", status: "authorized", row: 12),
    ExplainedCase(testDescription: "a stored grant", answers: [["grant"]], row: 12),
    ExplainedCase(testDescription: "a grant for one run", answers: [["grant", "--once"]], row: 12),
  ]

  @Test("It says row, reason and status as the run's own log does", arguments: cases)
  func agreesWithLog(explained: ExplainedCase) throws {
    let scene = Scene()
    scene.manifest["onNotDetermined"] = "ask"
    scene.manifest.merge(explained.members) { $1 }
    try scene.declare("camera", explained.status, makesFolder: explained.isThere)
    // Another source, whose own way the first does not change.
    try scene.declare("library", "limited", ["selection": ["two.jpg"]])
    try scene.put("sources/library/two.jpg", try Media.photo("two"))
    if explained.isThere { try scene.put("sources/camera/one.jpg", try Media.photo("one")) }
    try scene.writeManifest()
    for words in explained.answers {
      let arguments = ["access", words[0], "manifest.json", "camera"] + words.dropFirst()
      try Scene.program(arguments, in: scene.path).expect(0)
      if words.contains("1d") { try scene.expireAnswer(.camera) }
    }
    let sources = try scene.accessJSON("explain", "manifest.json")["sources"].array
    #expect(sources.map { $0["source"].string } == ["camera", "library"])
    #expect(sources.map { $0["row"].int } == [explained.row, 11])
    _ = try scene.run()
    let records = try scene.lastLog().filter { $0["event"].string == "decision" }
    #expect(records.count == sources.count)
    for (record, source) in zip(records, sources) {
      for key in ["source", "row", "reason", "accessLevel", "decidedBy", "required"] {
        let (logged, shown) = (record[key], source[key])
        #expect(logged.string == shown.string, "\(key)")
        #expect(logged.int == shown.int && logged.bool == shown.bool, "\(key)")
      }
      #expect(record["decision"].string == source["decision"].string)
      #expect(record["authorizationStatus"].string == source["authorizationStatus"].string)
    }
  }

  @Test("Each step has a line, in the order in which it is asked")
  func steps() throws {
    let scene = try Scene.undecided()
    try scene.access("limit", "manifest.json", "two.jpg", "x/*").expect(0)
    let text = try scene.access("explain", "manifest.json", "library").output
    let lines = text.split(separator: "\n").map(String.init)
    let names = lines.dropFirst().map {
      $0.dropFirst(2).prefix(17).trimmingCharacters(in: .whitespaces)
    }
    #expect(lines.first == "photo library, readWrite")
    #expect(
      names == [
        "usage description", "policy", "manifest", "stored answer", "level", "selection",
        "decision",
      ]
    )
    #expect(text.contains("NSPhotoLibraryUsageDescription: \"The test chooses pictures.\""))
    #expect(text.contains("limited to 2 patterns, since 20"))
    #expect(text.contains("only 2 patterns of the stored answer"))
    #expect(text.contains("row 11 of docs/permissions.md, it is limited: allow (limited)"))
    let chain = try scene.accessJSON("explain", "manifest.json", "library")["sources"].array[0][
      "chain"
    ]
    #expect(
      chain.array.compactMap { $0["step"].string } == [
        "usageDescription", "policy", "manifest", "storedAnswer", "level", "selection", "decision",
      ]
    )
  }

  @Test("What is only added to the photo library is explained too")
  func addOnly() throws {
    let scene = try Scene.undecided()
    scene.manifest["usageDescriptions"] = [
      "NSPhotoLibraryUsageDescription": "read", "NSPhotoLibraryAddUsageDescription": "add",
    ]
    try scene.writeManifest()
    func explained(_ level: String) throws -> JSON {
      try scene.accessJSON("explain", "manifest.json", "library", "--level", level)["sources"]
        .array[0]
    }
    #expect(try explained("addOnly")["row"].int == 8)
    try scene.access("grant", "manifest.json", "library", "--level", "addOnly").expect(0)
    #expect(try explained("addOnly")["row"].int == 12)
    #expect(try explained("readWrite")["row"].int == 7)
    try scene.access("limit", "manifest.json", "two.jpg").expect(0)
    try scene.access("reset", "manifest.json", "library", "--level", "addOnly").expect(0)
    // Who may read a part may add.
    #expect(try explained("addOnly")["row"].int == 12)
    #expect(try explained("readWrite")["row"].int == 11)
  }

  @Test("Hostile text in a manifest and a policy is shown escaped, and cut")
  func hostileText() throws {
    let scene = try Scene.undecided()
    let hostile = "\u{1B}[2J\u{202E}" + String(repeating: "x", count: 600)
    scene.manifest["usageDescriptions"] = ["NSCameraUsageDescription": .string(hostile)]
    scene.manifest["sources"] = ["camera": ["path": "sources/camera"]]
    try scene.writeManifest()
    try scene.put(
      "policy.json",
      JSONValue.object([
        "version": 1, "organization": "Evil\u{1B}[0m",
        "deny": [["source": "camera", "reason": "\u{9B}31m\u{2066}no"]],
      ]).serialized
    )
    let outcome = try scene.access("explain", "manifest.json", "camera", "--policy", "policy.json")
    try outcome.expect(0)
    for scalar in ["\u{1B}", "\u{202E}", "\u{9B}", "\u{2066}"] {
      #expect(!outcome.output.contains(scalar))
    }
    #expect(outcome.output.contains("\\u{1B}[2J"))
    #expect(!outcome.output.contains(String(repeating: "x", count: 500)))
  }

  @Test("It opens nothing in a source, and changes nothing", .enabled(if: Has.strace, "no strace"))
  func changesNothing() throws {
    let scene = try Scene.undecided()
    try scene.access("grant", "manifest.json", "camera", "--once").expect(0)
    let before = try scene.snapshot()
    let elsewhere = TemporaryFolder()
    let trace = elsewhere.path + "/trace"
    let result = try Tool.run(
      "strace",
      ["-f", "-y", "-e", "trace=openat,openat2,open,getdents64", "-o", trace]
        + [try Scene.executable(), "access", "explain", "manifest.json"],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(result.status == 0, "\(result.error)")
    let opens = String(decoding: try readBytes(trace), as: UTF8.self)
    #expect(opens.contains("answers.sqlite"))
    #expect(!opens.contains("/sources/camera"), "\(opens.suffix(2000))")
    #expect(try scene.snapshot() == before)
  }
}
