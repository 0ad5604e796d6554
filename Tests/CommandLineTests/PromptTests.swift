import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Before which a person types at a question, and at a picker.
private let answerPlace = "not now): "
let pickPlace = "done, q: "

extension Scene {
  /// A photo library that nobody has decided about, with three photos, and a run that asks.
  static func asking(_ extra: [String: JSONValue] = [:], status: String? = nil) throws -> Scene {
    let scene = Scene()
    scene.manifest["onNotDetermined"] = "ask"
    try scene.declare("library", status, extra)
    for (index, name) in ["a.jpg", "b-canary/b.jpg", "c.jpg"].enumerated() {
      try scene.put("sources/library/" + name, copyOf: Samples.photo(index + 1))
    }
    return scene
  }

  /// `mediabatch run` with a person at its terminal.
  func runAtTerminal(
    _ arguments: String...,
    showsErrors: Bool = false
  ) throws -> PseudoTerminal {
    try writeManifest()
    return try PseudoTerminal(
      Scene.executable(),
      ["run", "manifest.json", "--format", "json"] + arguments,
      environment: Scene.environment(in: path),
      in: path,
      showsErrors: showsErrors
    )
  }

  /// The paths of the files that the catalogue holds, beneath their sources.
  func importedPaths() throws -> [String] {
    try catalogue("SELECT CAST(sourcePath AS TEXT) FROM resources ORDER BY 1")
  }
}

extension PseudoTerminal {
  /// Types a line when the place for it is there.
  func answer(_ line: String, at prompt: String) {
    #expect(shows(prompt), "\(text)")
    type(line + "\r")
  }

  /// The outcome of a program that ends by itself; what the terminal shows is told when it does not.
  func outcome() -> Outcome {
    let outcome = Outcome(end(seconds: 240))
    #expect(outcome.code != 128 + SIGKILL, "killed at: \(text.suffix(2000))")
    return outcome
  }
}

@Suite("A run asks a person", .enabled(if: Has.sqlite, "no sqlite3"))
struct PromptTests {
  @Test("Allow is stored, and not asked again until the text changes, which is then said")
  func allowed() throws {
    let scene = try Scene.asking()
    let first = try scene.runAtTerminal()
    #expect(first.shows("mediabatch: a question\r\n  name   | \"A test\""))
    #expect(first.shows("would like to use your photos."))
    #expect(first.shows("\"The test chooses pictures.\""))
    first.answer("a", at: answerPlace)
    let outcome = first.outcome()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 3])
    #expect(first.isAsBefore)

    // Nobody is there to answer, and nobody has to.
    let second = try scene.run()
    try second.expect(0)
    try second.expectCounts(["unchanged": 3])

    scene.manifest["usageDescriptions"] = [
      "NSPhotoLibraryUsageDescription": "The test sells pictures."
    ]
    try scene.run().expect(75)
    let third = try scene.runAtTerminal()
    #expect(third.shows("\"The test sells pictures.\""))
    #expect(third.shows("since you answered \"Allow all\", the reason why has changed."))
    third.answer("d", at: answerPlace)
    let denied = third.outcome()
    try denied.expect(0)
    try denied.expectCounts([:])
    // A denial needs nobody either.
    try scene.run().expect(0)
    try scene.expectVerified()
  }

  @Test(
    "Don't allow refuses one source and imports the others, unless the manifest requires it",
    arguments: [(nil, 0), (false, 0), (true, 77)] as [(Bool?, Int32)]
  )
  func deniesOne(required: Bool?, code: Int32) throws {
    let scene = try Scene.asking(required.map { ["required": .bool($0)] } ?? [:])
    try scene.declare("camera")
    try scene.put("sources/camera/own.jpg", copyOf: Samples.photo(1))
    let terminal = try scene.runAtTerminal()
    terminal.answer("d", at: answerPlace)
    let outcome = terminal.outcome()
    try outcome.expect(code)
    try outcome.expectCounts(code == 0 ? ["imported": 1] : [:])
    let sources = try outcome.json()["sources"].array
    let library = try #require(sources.first { $0["source"].string == "library" })
    #expect(library["reason"].string == "denied")
    #expect(library["required"].bool == (code == 77))
    #expect(try scene.importedPaths() == (code == 0 ? ["own.jpg"] : []))
    // So does the answer that is stored, with nobody to ask.
    try scene.run().expect(code)
    try scene.expectVerified()
  }

  @Test("Ctrl-C, Ctrl-D and a closed terminal decide nothing and store nothing")
  func undecided() throws {
    let scene = try Scene.asking()
    for typed in ["\u{3}", "\u{4}", ""] {
      let terminal = try scene.runAtTerminal()
      #expect(terminal.shows(answerPlace))
      #expect(!terminal.text.contains("since you answered"))
      if typed.isEmpty { terminal.close() } else { terminal.type(typed) }
      try terminal.outcome().expect(75)
      #expect(try scene.originals().isEmpty)
      // Without all, that the next person is asked says it; the last one is followed by a run.
      if Amount.isAll || typed.isEmpty { try scene.run().expect(75) }
    }
    // The next person is asked the same, and nothing is said of an earlier answer.
    let next = try scene.runAtTerminal()
    #expect(next.shows(answerPlace))
    #expect(!next.text.contains("since you answered"))
    next.type("\u{3}")
    try next.outcome().expect(75)
  }

  @Test("While a person thinks nobody holds the library, and another run imports")
  func isNotHeld() throws {
    let scene = try Scene.asking()
    let terminal = try scene.runAtTerminal()
    #expect(terminal.shows(answerPlace))
    try scene.put("sources/camera/own.jpg", copyOf: Samples.photo(4))
    var other = scene.manifest
    other["sources"] = [
      "camera": ["path": "sources/camera", "authorizationStatus": "authorized"]
    ]
    try scene.put("other.json", JSONValue.object(other).serialized)
    let outcome = try scene.command("run", "other.json", "--format", "json")
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1])
    terminal.type("a\r")
    let asked = terminal.outcome()
    try asked.expect(0)
    try asked.expectCounts(["imported": 3])
    #expect(try scene.importedPaths() == ["a.jpg", "b-canary/b.jpg", "c.jpg", "own.jpg"])
    // The answer is in the log of the run that asked, before its decisions.
    let events = try scene.lastLog().compactMap { $0["event"].string }
    let transition = try #require(events.firstIndex(of: "transition"))
    #expect(transition < (events.firstIndex(of: "decision") ?? 0))
    try scene.expectVerified()
  }

  @Test("Who does not allow is not overruled by what was allowed elsewhere while they thought")
  func deniedMeanwhile() throws {
    let scene = try Scene.asking()
    let terminal = try scene.runAtTerminal()
    #expect(terminal.shows(answerPlace))
    try scene.command("access", "grant", "manifest.json", "library").expect(0)
    terminal.type("d\r")
    let denied = terminal.outcome()
    try denied.expect(0)
    try denied.expectCounts([:])
    #expect(try scene.originals().isEmpty)
    #expect(try scene.lastLog().allSatisfy { $0["event"].string != "access" })
    // And what is taken back meanwhile is not allowed again by who was asked before.
    try scene.command("access", "reset", "manifest.json", "library").expect(0)
    let other = try scene.runAtTerminal()
    #expect(other.shows(answerPlace))
    try scene.command("access", "deny", "manifest.json", "library").expect(0)
    other.type("a\r")
    try other.outcome().expectCounts([:])
    #expect(try scene.originals().isEmpty)
  }

  @Test("A manifest that is changed while a person thinks is read again, and asked about anew")
  func changedMeanwhile() throws {
    let scene = try Scene.asking()
    let terminal = try scene.runAtTerminal()
    #expect(terminal.shows(answerPlace))
    scene.manifest["usageDescriptions"] = [
      "NSPhotoLibraryUsageDescription": "The test sells pictures."
    ]
    try scene.writeManifest()
    terminal.type("a\r")
    #expect(terminal.shows("\"The test sells pictures.\""))
    #expect(try scene.originals().isEmpty)
    #expect(terminal.shows("since you answered \"Allow all\", the reason why has changed."))
    terminal.answer("d", at: answerPlace)
    let outcome = terminal.outcome()
    try outcome.expect(0)
    try outcome.expectCounts([:])
    #expect(outcome.error.contains("was changed while a person was asked"))
    #expect(try scene.logFiles().count == 1)
  }

  @Test(
    "A run that begins anew, and waits for another library then, stops on request",
    .enabled(if: Tool.exists("python3"), "no python3")
  )
  func stoppedAnew() throws {
    let scene = try Scene.asking()
    var other = scene.manifest
    other["output"] = ["path": "Other"]
    other["sources"] = [
      "library": ["path": "sources/library", "authorizationStatus": "authorized"]
    ]
    try scene.put("other.json", JSONValue.object(other).serialized)
    try scene.command("run", "other.json").expect(0)
    let holder = try RunningProgram(
      "python3",
      [
        "-c",
        "import fcntl,signal; f=open('Other/.lock','r+'); fcntl.lockf(f,fcntl.LOCK_EX); "
          + "fcntl.flock(f,fcntl.LOCK_EX); print('held',flush=True); signal.pause()",
      ],
      in: scene.path
    )
    #expect(holder.waits { !holder.streamBytes.isEmpty })
    let terminal = try scene.runAtTerminal("--wait", showsErrors: true)
    #expect(terminal.shows(answerPlace))
    scene.manifest["output"] = ["path": "Other"]
    try scene.writeManifest()
    terminal.type("a\r")
    #expect(terminal.shows("Allowed."))
    // It waits for the other library from here on.
    #expect(terminal.shows("It is read again."), "\(terminal.text)")
    terminal.send(SIGINT)
    let outcome = terminal.outcome()
    try outcome.expect(130)
    #expect(try outcome.problems() == ["interrupted"], "\(outcome.streams)")
    holder.send(SIGKILL)
    try holder.wait()
  }

  @Test("With --no-input nobody is asked, also at a terminal")
  func noInput() throws {
    let scene = try Scene.asking()
    let terminal = try scene.runAtTerminal("--no-input")
    try terminal.outcome().expect(75)
    #expect(!terminal.text.contains("would like to"))
  }

  @Test("Without a terminal nobody is asked, and the command that decides is printed")
  func noTerminal() throws {
    let scene = try Scene.asking()
    let outcome = try scene.run()
    try outcome.expect(75)
    #expect(outcome.streams.contains("access grant"))
  }

  @Test(
    "Nothing of a source is listed or opened while a person is asked",
    .enabled(if: Has.strace, "no strace")
  )
  func nothingBefore() throws {
    let scene = try Scene.asking()
    try scene.writeManifest()
    let strace = try Tool.run("sh", ["-c", "command -v strace"]).output
    let log = scene.at("trace")
    let terminal = try PseudoTerminal(
      strace.trimmingCharacters(in: .newlines),
      [
        "-f", "-y", "-e", "trace=%file,%desc", "-o", log,
        Scene.executable(), "run", "manifest.json",
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(terminal.shows(answerPlace))
    let calls = String(decoding: try readBytes(log), as: UTF8.self).split(separator: "\n")
    let source = scene.path + "/sources/library"
    #expect(!calls.contains { $0.contains("getdents64") && $0.contains(source) })
    #expect(!calls.contains { $0.contains("a.jpg") || $0.contains("canary") })
    terminal.type("\u{3}")
    _ = terminal.end()
  }

  @Test("Select photos opens what is picked, and stores it as the selection")
  func allowOnlyThese() throws {
    let scene = try Scene.asking()
    let terminal = try scene.runAtTerminal()
    terminal.answer("s", at: answerPlace)
    #expect(terminal.shows("2 | b-canary/b.jpg"))
    terminal.answer("1 3", at: pickPlace)
    terminal.answer("done", at: pickPlace)
    let outcome = terminal.outcome()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 2])
    #expect(try scene.importedPaths() == ["a.jpg", "c.jpg"])
    #expect(try !scene.logFiles().contains { $0.lines.contains { $0.contains("canary") } })

    let again = try scene.run()
    try again.expect(0)
    try again.expectCounts(["unchanged": 2])
    try scene.expectVerified()
  }

  @Test("Leaving the picker goes back to the question; Ctrl-C there stops the run undecided")
  func leavesPicker() throws {
    let scene = try Scene.asking()
    let terminal = try scene.runAtTerminal()
    terminal.answer("s", at: answerPlace)
    terminal.answer("q", at: pickPlace)
    terminal.answer("s", at: answerPlace)
    #expect(terminal.shows(pickPlace))
    terminal.type("\u{3}")
    let outcome = terminal.outcome()
    try outcome.expect(130)
    #expect(try outcome.problems() == ["interrupted"])
    #expect(terminal.isAsBefore)
    try scene.run().expect(75)
  }
}
