import Foundation
import MediaTestSupport
import Testing

/// A worker that was taken over: what it says is checked, whatever it says.
///
/// The worker is a program of the tests in the place of the real one; each source file names the lie
/// that is told about it. The other files are served honestly, by the same worker.
@Suite("A worker that lies", .ownProcesses, .enabled(if: Has.sqlite, "no sqlite3"))
struct LyingWorkerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var lie: String
    /// Why the item failed; nil when it is imported all the same, as the file itself is.
    var reason: String?
    var policy = "strip"

    var testDescription: String { "\(lie), \(policy)" }
  }

  static let breaches: [Case] = {
    let anyPolicy = [
      "otherFormat", "acceptedWrongly", "cutAndDone", "factsTwice", "shortDigest",
      "orientationNine",
      "sizeTooLarge", "dateOutOfRange", "dateHostile", "tagTooLong", "durationNegative",
      "cameraTooLong", "cameraNotUTF8", "contentIdentifierTooLong", "detailTooLong",
      "detailNotUTF8", "reasonNotItsOwn", "unknownReason", "doneAtOnce", "thumbnailOtherName",
      "thumbnailNameHostile", "thumbnailTwice", "thumbnailTooWide", "thumbnailWithoutSize",
      "thumbnailNotJPEG", "thumbnailTooLong", "thumbnailsMixed", "thumbnailMissing",
      "thumbnailUnfinished", "thumbnailEndless", "otherJob", "nextJob", "noJob", "frameEmpty",
      "frameOf4GiB", "unknownKind", "messageGoesOn", "messageEndsEarly", "helloTwice", "noise",
    ]
    let underStrip = [
      "rangeBeyondEnd", "rangeOverflow", "rangeOverlap", "rangeDescends", "rangeEmpty",
      "endlessLiterals", "endlessOperations", "unknownOperation", "otherMagic", "emptyOutput",
      "noEditList", "editBeforeFacts", "editAfterEnd", "twoEditEnds", "removedUnknown",
      "removedTooMany", "removedTwice",
    ]
    let underKeep = ["editListUnasked", "otherDigest", "digestOfTwin"]
    return (anyPolicy + underStrip).map { Case(lie: $0, reason: "workerProtocol") }
      + (Array(anyPolicy.prefix(3)) + underKeep).map {
        Case(lie: $0, reason: "workerProtocol", policy: "keep")
      }
  }()

  /// What harms nobody: a worker that ends, a hint that is wrong, text that is escaped.
  static let others = [
    Case(lie: "crash", reason: "workerCrashed"),
    Case(lie: "detailHostile", reason: "damaged"),
    Case(lie: "exitInBetween", reason: "workerCrashed"),
    Case(lie: "otherDigest"), Case(lie: "digestOfTwin"), Case(lie: "descriptorsAlong"),
    Case(lie: "textHostile"),
    Case(lie: "textHostile", policy: "keep"),
    Case(lie: "answersTwice"), Case(lie: "answersEndlessly"),
  ]

  private static let honest = ["1.jpg", "2.jpg", "8.jpg", "9.jpg"]
  private static let liar = "5.jpg"

  private static func scene(_ lie: String, policy: String = "strip") throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    scene.setThumbnails([("grid", 64, 64, "aspectFill"), ("preview", 200, 200, "aspectFit")])
    for name in honest { try scene.put("sources/camera/" + name, try Media.photo(name)) }
    let twin = try Independent.sha256(scene.at("sources/camera/1.jpg"))
    try scene.put("sources/camera/" + liar, try Media.photo("LIE:\(lie) TWIN:\(twin) "))
    return scene
  }

  /// Takes seconds: each lie is told in a run of its own.
  @Test(
    "What no honest worker says costs its item and nothing else",
    arguments: Amount.some(10, of: breaches)
  )
  func breach(_ test: Case) throws {
    try expect(test)
  }

  @Test(
    "An answer that fits another request, or a movie that no such file can have, costs its item in each run",
    arguments: ["otherRequest", "sidecarOfPhoto", "movieBeyondEnd"]
  )
  func otherRequests(_ lie: String) throws {
    try expect(Case(lie: lie, reason: "workerProtocol"))
  }

  @Test("What harms nobody is borne", arguments: Amount.some(6, of: others))
  func harmless(_ test: Case) throws {
    try expect(test)
  }

  @Test(
    "A worker that says nothing, or goes on for ever, is ended at its deadline",
    .enabled(if: Amount.isAll, "takes twenty seconds: set MEDIABATCH_TEST_ALL"),
    arguments: ["silence", "halfFrame", "slowly"]
  )
  func deadline(_ lie: String) throws {
    try expect(Case(lie: lie, reason: "deadline"))
  }

  private func expect(_ test: Case) throws {
    let scene = try Self.scene(test.lie, policy: test.policy)
    try scene.writeManifest()
    let run = try RunningProgram(
      try LyingWorker.program(),
      ["run", "manifest.json", "--format", "json", "--workers", "1"],
      in: scene.path
    )
    let (outcome, memory, _) = try run.waitMeasuring()
    #expect(memory > 1_000_000 && memory < 100_000_000, "\(memory) bytes")

    var imported = Self.honest
    if let reason = test.reason {
      #expect(outcome.code == 3, "\(outcome.streams)")
      try outcome.expectCounts(["imported": 4, "failed": 1])
      #expect(try outcome.failures() == ["\(Self.liar): \(reason)"])
      let message = try outcome.json()["failures"].array.first?["message"].string
      #expect(message?.contains(Self.liar) == true)
    } else {
      #expect(outcome.code == 0, "\(outcome.streams)")
      try outcome.expectCounts(["imported": 5])
      imported.append(Self.liar)
    }
    // The output of an honest answer is the source file itself: nothing else may be there.
    let sources = try scene.digests("sources/camera")
    let wanted = try imported.map { try #require(sources[$0]) }
    let files = try scene.digests("Library")
    func digests(_ folder: String) -> [String] {
      files.filter { $0.key.hasPrefix(folder) }.map(\.value)
    }
    #expect(digests("Originals/").sorted() == wanted.sorted())
    for name in ["grid", "preview"] {
      #expect(Set(digests("Thumbnails/\(name)/")) == Set(wanted))
    }
    try LibraryState.expectWhole(scene.library)
    try Self.expectClean(scene, outcome, files.keys.joined(separator: "\n"))
  }

  /// Expects that no text of a worker reached a terminal, a log or a name as it was.
  private static func expectClean(_ scene: Scene, _ outcome: Outcome, _ names: String) throws {
    var texts = [("said", outcome.output), ("noted", outcome.error)]
    for (name, lines) in try scene.logFiles() {
      texts.append((name, lines.joined(separator: "\n")))
      #expect(lines.count { $0.contains("\"event\":\"outcome\"") } == 5)
    }
    texts.append(("names", names))
    for (name, text) in texts {
      let harmful = text.unicodeScalars.filter { scalar in
        (scalar.value < 0x20 && scalar != "\n" && scalar != "\r")
          || (0x7F...0x9F).contains(scalar.value) || scalar == "\u{202E}"
      }
      #expect(harmful.isEmpty, "in what was \(name)")
      #expect(!text.contains("AAAAAAAA"), "in what was \(name)")
    }
  }

  @Test("The same library takes the item from an honest worker in the next run")
  func mends() throws {
    let scene = try Self.scene("rangeBeyondEnd")
    try scene.writeManifest()
    let run = try RunningProgram(
      try LyingWorker.program(),
      ["run", "manifest.json", "--format", "json"],
      in: scene.path
    )
    try run.wait().expectCounts(["imported": 4, "failed": 1])
    try scene.run().expectCounts(["imported": 1, "unchanged": 4])
    try LibraryState.expectWhole(scene.library)
  }

  @Test(
    "A worker that does not greet as it should does no job",
    arguments: Amount.some(
      4,
      of: [
        "otherBuild", "otherVersion", "noHello", "helloHostile", "jobBeforeHello", "endsAtOnce",
        "noiseFirst",
      ]
    )
  )
  func start(_ lie: String) throws {
    let scene = try Self.scene("nothing")
    try scene.writeManifest()
    let run = try RunningProgram(
      try LyingWorker.program(start: lie),
      ["run", "manifest.json", "--format", "json"],
      in: scene.path
    )
    let (outcome, memory, _) = try run.waitMeasuring()
    #expect(outcome.code == 69, "\(outcome.streams)")
    #expect(try outcome.problems() == ["workerDoesNotStart"])
    #expect(try outcome.count("imported") == 0)
    #expect(memory < 100_000_000)
    #expect(try scene.originals().isEmpty)
    try scene.expectVerified()
    #expect(!outcome.streams.contains("\u{1B}"))
  }
}
