import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

extension Scene {
  /// `mediabatch …` that asks in a browser, with nobody at a terminal.
  func asked(_ arguments: [String]) throws -> RunningProgram {
    try writeManifest()
    return try RunningProgram(
      Scene.executable(),
      arguments,
      environment: Scene.environment(in: path),
      in: path
    )
  }

  func askedRun(_ arguments: String...) throws -> RunningProgram {
    try asked(["run", "manifest.json", "--format", "json", "--web"] + arguments)
  }
}

extension Scene {
  /// The last record of a kind in the last run's log.
  fileprivate func record(_ event: String) throws -> JSON {
    try #require(try lastLog().last { $0["event"].string == event }, "no \(event)")
  }

  /// Whether the last run, which showed nothing itself, says how many names were shown for its answer.
  fileprivate func expectShown(_ count: Int) throws {
    let shown = try record("shown")
    #expect(shown["count"].int == count)
    let time = try stored("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', decidedAt, 'unixepoch') FROM answers")
    #expect([shown["answeredAt"].string] == time)
    #expect(try record("decision")["basis"].string == "picker")
  }
}

@Suite("A person is asked in a browser", .enabled(if: Has.sqlite, "no sqlite3"))
struct AskingPageTests {
  @Test("Select: exactly what was selected is imported, and how many names were shown is recorded")
  func selects() throws {
    let scene = try Scene.asking()
    try scene.put("sources/library/x<img src=y onerror=z>&\"'.jpg", copyOf: Samples.photo(4))
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let question = try #require(visitor.ask("GET", "/question"))
    #expect(question.body.contains("<bdi>A test</bdi> would like to use your photos"))
    for choice in ["allow", "select", "deny", "later"] {
      #expect(question.body.contains("data-choice=\"\(choice)\""))
    }
    #expect(!question.body.contains("keep"))
    // What was not shown cannot be selected.
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 400)
    let names = try #require(visitor.ask("GET", "/names?search=&kind=&from=0"))
    #expect(names.body.contains("data-total=\"4\""))
    #expect(!names.body.contains("<img") && names.body.contains("&lt;img"))
    let filtered = try #require(visitor.ask("GET", "/names?search=canary&kind=images&from=0"))
    #expect(filtered.body.contains("data-total=\"1\"") && filtered.body.contains("b.jpg"))
    #expect(visitor.ask("POST", "/answer", body: "select 1 1")?.status == 400)
    #expect(visitor.ask("POST", "/answer", body: "select 99")?.status == 400)
    #expect(visitor.ask("POST", "/answer", body: "keep")?.status == 400)
    #expect(visitor.ask("POST", "/answer", body: "select 0 1")?.status == 200)
    let outcome = try program.outcome()
    try outcome.expect(0)
    #expect(try scene.importedPaths() == ["a.jpg", "b-canary/b.jpg"])
    let shown = try scene.lastLog().filter { $0["event"].string == "shown" }
    #expect(shown.map { $0["count"].int } == [4])
    #expect(shown.map { $0["source"].string } == ["library"])
    #expect(shown.allSatisfy { $0["answeredAt"].string == nil })
    let transition = try scene.record("transition")
    #expect(transition["to"].string == "limited" && transition["basis"].string == "picker")
    #expect(try scene.record("decision")["basis"].string == "picker")
    #expect(visitor.connection() == -1)
    try scene.expectVerified()
    // The answer counts for the next run, which asks nobody and says what it rests on.
    try scene.run().expect(0)
    try scene.expectShown(4)
    let report = try scene.command("report", "Library", "--format", "json").json()
    let sources = report["runs"].array.flatMap { $0["sources"].array }
    #expect(sources.map { $0["basis"].string } == ["picker", "picker"])
    #expect(report["runs"].array[0]["transitions"].array.map { $0["basis"].string } == ["picker"])
  }

  @Test("Deny and allow are stored, and \"Not now\" is not", arguments: ["allow", "deny", "later"])
  func decides(word: String) throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    #expect(visitor.ask("POST", "/answer", body: word)?.status == 200)
    let outcome = try program.outcome()
    let code: Int32 = word == "allow" ? 0 : word == "later" ? 75 : outcome.code
    try outcome.expect(code)
    #expect(try scene.originals().isEmpty == (word != "allow"))
    if word == "later" { return #expect(try scene.stored("SELECT status FROM answers") == []) }
    let status = word == "allow" ? "authorized" : "denied"
    #expect(try scene.stored("SELECT status, reason FROM answers") == ["\(status)|picker"])
  }

  @Test("A changed purpose is asked anew, and the current selection may be kept")
  func keeps() throws {
    let scene = try Scene.asking()
    var program = try scene.asked(["access", "ask", "manifest.json", "--web", "--format", "json"])
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.ask("POST", "/answer", body: "select 2")?.status == 200)
    var outcome = try program.outcome()
    try outcome.expect(0)
    #expect(try outcome.json()["action"].string == "ask")
    #expect(try scene.stored("SELECT reason, shownCount FROM answers") == ["picker|3"])
    try scene.run().expect(0)
    #expect(try scene.importedPaths() == ["c.jpg"])
    try scene.expectShown(3)

    scene.manifest["usageDescriptions"] = [
      "NSPhotoLibraryUsageDescription": "Another reason.", "NSCameraUsageDescription": "Camera.",
    ]
    try scene.writeManifest()
    try scene.run().expect(75)
    program = try scene.askedRun()
    visitor = try PageVisitor(of: program)
    try visitor.enter()
    let question = try #require(visitor.ask("GET", "/question"))
    #expect(question.body.contains("Another reason.") && question.body.contains("the reason why"))
    #expect(question.body.contains("data-choice=\"keep\""))
    #expect(visitor.ask("POST", "/answer", body: "keep")?.status == 200)
    outcome = try program.outcome()
    try outcome.expect(0)
    try scene.run().expect(0)
    #expect(try scene.importedPaths() == ["c.jpg"])
    // Nothing was shown for this answer.
    #expect(try scene.lastLog().filter { $0["event"].string == "shown" }.isEmpty)
    #expect(try scene.record("decision")["basis"].string == "picker")
  }

  @Test("An answer that is given after the manifest has changed says so, and does not count")
  func answersLate() throws {
    let scene = try Scene.asking()
    let arguments = ["access", "ask", "manifest.json", "--web", "--format", "json"]
    let program = try scene.asked(arguments)
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    scene.manifest["usageDescriptions"] = [
      "NSPhotoLibraryUsageDescription": "Another reason.", "NSCameraUsageDescription": "Camera.",
    ]
    try scene.writeManifest()
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    let outcome = try program.outcome()
    try outcome.expect(0)
    let notes = try outcome.json()["notes"].array.compactMap { $0.string }
    #expect(notes.first?.hasPrefix("The manifest was changed meanwhile") == true, "\(notes)")
    #expect(notes.contains { $0.contains("the usage description changed") }, "\(notes)")
    #expect(!notes.contains("The next run reads the photo library."))
    try scene.run().expect(75)

    let unread = try Scene.asking()
    let other = try unread.asked(arguments)
    visitor = try PageVisitor(of: other)
    try visitor.enter()
    try unread.put("manifest.json", "{")
    #expect(visitor.ask("POST", "/answer", body: "deny")?.status == 200)
    let denied = try other.outcome()
    try denied.expect(0)
    #expect(denied.output.contains("cannot be read now"), "\(denied.streams)")
    #expect(try unread.stored("SELECT status FROM answers") == ["denied"])
  }

  @Test("What a manifest lets a person pick is recorded as picked on the page, or at the terminal")
  func picks() throws {
    let scene = try Scene.asking()
    scene.manifest["sources"] = ["library": ["path": "sources/library", "pick": ["limit": 2]]]
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 200)
    try program.outcome().expect(0)
    var decision = try scene.record("decision")
    #expect(decision["decidedBy"].string == "picking" && decision["basis"].string == "picker")
    #expect(try scene.record("shown")["count"].int == 3)
    let terminal = try scene.runAtTerminal()
    terminal.answer("1", at: pickPlace)
    terminal.answer("done", at: pickPlace)
    try terminal.outcome().expect(0)
    decision = try scene.record("decision")
    #expect(decision["decidedBy"].string == "picking" && decision["basis"].string == "userConsent")
  }

  @Test("An answer at the terminal, and one of \"access\", have reasons of their own")
  func otherBases() throws {
    let scene = try Scene.asking()
    let terminal = try scene.runAtTerminal()
    terminal.answer("a", at: "not now): ")
    try terminal.outcome().expect(0)
    #expect(try scene.record("transition")["basis"].string == "userConsent")
    #expect(try scene.record("decision")["basis"].string == "userConsent")
    try scene.access("grant", "manifest.json", "library").expect(0)
    try scene.run().expect(0)
    #expect(try scene.record("decision")["basis"].string == "userSet")
    scene.manifest["sources"] = [
      "library": ["path": "sources/library", "authorizationStatus": "authorized"]
    ]
    try scene.writeManifest()
    try scene.run().expect(0)
    #expect(try scene.record("decision")["basis"].string == nil)
  }

  @Test("A page that nobody asks for anything ends by itself, and nothing is stored")
  func idle() throws {
    let folder = TemporaryFolder()
    let program = try RunningProgram(
      BuiltProgram.path("consent-probe"),
      ["page", "idle=1"],
      environment: [:],
      in: folder.path
    )
    let outcome = Outcome(try #require(program.end(seconds: 240), "it did not end"))
    #expect(outcome.output == "undecided\n", "\(outcome.streams)")
  }

  /// Takes seconds: a page has to be used for longer than it stays unused.
  @Test("The person's own requests keep a page, and those of others do not")
  func kept() throws {
    for _ in 0..<5 {
      if try isKept(idle: Amount.of(2, all: 3)) { return }
    }
    Issue.record("this process stood still each time")
  }

  /// Asks two pages again and again, one of them as the person.
  ///
  /// - Returns: False when this process stood still for as long as a page stays that nobody uses.
  private func isKept(idle: Int) throws -> Bool {
    let folder = TemporaryFolder()
    let start = ContinuousClock.now
    let programs = try (0..<2).map { _ in
      try RunningProgram(
        BuiltProgram.path("consent-probe"),
        ["page", "idle=\(idle)"],
        environment: [:],
        in: folder.path
      )
    }
    var person = try PageVisitor(of: programs[0])
    let other = try PageVisitor(of: programs[1])
    let sessions = [person, other].map { $0.ask("POST", "/session", body: $0.token) }
    guard start.duration(to: .now) < .seconds(idle) else { return false }
    #expect(sessions.allSatisfy { $0?.status == 200 })
    person.accepted = sessions[0]?.body
    let begin = ContinuousClock.now
    // Before the person's last request was sent.
    var last = start
    // The person stays twice the time after which a page ends that nobody uses.
    while begin.duration(to: .now) < .seconds(2 * idle) || !programs[1].hasEnded() {
      let now = ContinuousClock.now
      let status = person.ask("GET", "/question")?.status
      guard last.duration(to: .now) < .seconds(idle) else { return false }
      last = now
      #expect(status == 200)
      _ = other.ask("GET", "/question")
      try #require(begin.duration(to: .now) < .seconds(60), "it did not end")
      // The passing of time is the subject: how long a page stays that is asked this often.
      usleep(200_000)
    }
    for program in programs {
      let outcome = Outcome(try #require(program.end(seconds: 240), "it did not end"))
      #expect(outcome.output == "undecided\n", "\(outcome.streams)")
    }
    return true
  }

  @Test("Who names a source is told its status, and may answer anew unless it is restricted")
  func statuses() throws {
    let scene = try Scene.asking()
    try scene.writeManifest()
    try scene.access("deny", "manifest.json", "library").expect(0)
    let arguments = ["access", "ask", "manifest.json", "library", "--web"]
    var program = try scene.asked(arguments)
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    var question = try #require(visitor.ask("GET", "/question"))
    #expect(question.body.contains("role=\"note\"") && question.body.contains("data-choice=\"allow\""))
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.stored("SELECT status FROM answers") == ["authorized"])
    program = try scene.asked(arguments)
    visitor = try PageVisitor(of: program)
    try visitor.enter()
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    let later = try program.outcome()
    try later.expect(75)
    #expect(later.streams.contains("the earlier answer stays."), "\(later.streams)")
    #expect(try scene.stored("SELECT status FROM answers") == ["authorized"])

    let restricted = try Scene.asking(status: "restricted")
    program = try restricted.asked(arguments)
    visitor = try PageVisitor(of: program)
    try visitor.enter()
    question = try #require(visitor.ask("GET", "/question"))
    #expect(!question.body.contains("data-choice=\"allow\""))
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 400)
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    try program.outcome().expect(77)
  }

  /// The token of the question behind an answer.
  private func next(of response: PageVisitor.Response?) throws -> String {
    let lines = try #require(response).head.split(separator: "\r\n")
    let line = try #require(lines.first { $0.hasPrefix("mediabatch-next") }, "\(lines)")
    let token = String(try #require(line.split(separator: " ").last))
    #expect(token.utf8.count == 64)
    return token
  }

  @Test("A source that a person leaves out is not asked about, not required and not opened")
  func leavesOut() throws {
    let scene = try Scene.undecided()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    try visitor.enter(next(of: visitor.ask("POST", "/answer", body: "proceed 1")))
    let question = try #require(visitor.ask("GET", "/question"))
    #expect(question.body.contains("use your photos") && !question.body.contains("Question 1"))
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    let outcome = try program.outcome()
    try outcome.expect(0)
    let sources = try outcome.json()["sources"].array
    let camera = try #require(sources.first { $0["source"].string == "camera" })
    #expect(camera["reason"].string == "notDetermined" && camera["required"].bool == false)
    #expect(try scene.stored("SELECT status FROM answers") == ["authorized"])
    // Nothing is stored about it: the next run asks again.
    try scene.run().expect(75)
    try scene.expectVerified()
  }

  @Test("Who allows none of several sources is asked no more, and each is denied")
  func allowsNone() throws {
    let scene = try Scene.undecided()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let last = try #require(visitor.ask("POST", "/answer", body: "none"))
    #expect(!last.head.contains("mediabatch-next") && last.body.contains("Photo library"))
    _ = try program.outcome()
    let answers = try scene.stored("SELECT status, reason FROM answers")
    #expect(answers == ["denied|picker", "denied|picker"])
    #expect(try scene.originals().isEmpty)
  }

  @Test("Several questions are asked one after the other, each page leading to the next")
  func several() throws {
    let scene = try Scene.undecided()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let sheet = try #require(visitor.ask("GET", "/question")).body
    #expect(sheet.contains("<bdi>A test</bdi> would like to import photos"))
    #expect(!sheet.contains("checked") && !sheet.contains("data-choice=\"allow\""))
    for wrong in ["proceed", "proceed 2", "proceed 0 0", "proceed x", "allow", "none 0"] {
      #expect(visitor.ask("POST", "/answer", body: wrong)?.status == 400, "\(wrong)")
    }
    try visitor.enter(next(of: visitor.ask("POST", "/answer", body: "proceed 1 0")))
    let first = visitor.ask("POST", "/answer", body: "allow")
    let next = try next(of: first)
    #expect(next != visitor.token)
    // The socket listens on; the next process answers as soon as it is there.
    try visitor.enter(next)
    let question = try #require(visitor.ask("GET", "/question"))
    #expect(question.body.contains("use your photos") && question.body.contains("Question 2 of 2"))
    // The last page tells both answers, and how each is taken back.
    let last = try #require(visitor.ask("POST", "/answer", body: "allow")).body
    #expect(last.contains("That was everything."))
    #expect(last.contains("<bdi>A test</bdi> goes on now."))
    for source in ["camera", "library"] {
      let command = "mediabatch access reset manifest.json \(source)"
      #expect(last.contains("<code>\(command)</code>"), "\(last)")
    }
    try program.outcome().expect(0)
    #expect(try scene.originals().count == 3)
  }

  @Test("Other origins, forged hosts, replayed tokens and a second browser get nothing")
  func attacks() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    for host in ["evil.example", "evil.example:80", "localhost", "127.0.0.1:1"] {
      #expect(visitor.ask("GET", "/") { $0["Host"] = host }?.status == 421)
    }
    #expect(visitor.sendRaw("GET / HTTP/1.0\r\n\r\n")?.status == 421)
    let token = visitor.token
    for origin in ["http://evil.example", "null", "https://" + visitor.authority] {
      #expect(visitor.ask("POST", "/session", body: token) { $0["Origin"] = origin }?.status == 403)
    }
    #expect(visitor.ask("GET", "/question")?.status == 403)
    try visitor.enter()
    // A second browser with the same address, and the address's token as a header.
    #expect(visitor.ask("POST", "/session", body: token)?.status == 403)
    for forged in [token, "", String(repeating: "0", count: 64)] {
      #expect(visitor.ask("GET", "/question") { $0["Mediabatch-Token"] = forged }?.status == 403)
      #expect(
        visitor.ask("POST", "/answer", body: "allow") { $0["Mediabatch-Token"] = forged }?.status
          == 403
      )
    }
    #expect(
      visitor.ask("POST", "/answer", body: "allow") { $0["Origin"] = "http://evil.example" }?.status
        == 403
    )
    #expect(visitor.ask("POST", "/answer", body: "allow") { $0["Origin"] = nil }?.status == 403)
    for target in ["/../../etc/passwd", "//", "/question/..", "/page.js%00", "*", "/names/"] {
      #expect([400, 403, 404].contains(visitor.ask("GET", target)?.status ?? 0), "\(target)")
    }
    #expect(visitor.sendRaw("\u{0}\u{1}\r\n\r\n")?.status ?? 400 == 400)
    let large = String(repeating: "1", count: 2 << 20)
    #expect([413, 0].contains(visitor.ask("POST", "/answer", body: large)?.status ?? 0))
    let frame = try #require(visitor.ask("GET", "/"))
    #expect(frame.head.contains("content-security-policy: default-src 'self'"))
    #expect(frame.head.contains("frame-ancestors 'none'") && frame.head.contains("x-frame-options: deny"))
    #expect(frame.head.contains("cache-control: no-store") && !frame.head.contains("access-control"))
    #expect(visitor.ask("POST", "/answer", body: "deny")?.status == 200)
    _ = try program.outcome()
    #expect(try scene.stored("SELECT status FROM answers") == ["denied"])
  }

  @Test("Asked anew, a person has their earlier selection, as far as it is still there")
  func selectsEarlier() throws {
    let scene = try Scene.asking()
    var program = try scene.asked(["access", "ask", "manifest.json", "--web", "--format", "json"])
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.ask("POST", "/answer", body: "select 2 0")?.status == 200)
    try program.outcome().expect(0)
    try FileManager.default.removeItem(atPath: scene.at("sources/library/a.jpg"))
    program = try scene.asked([
      "access", "ask", "manifest.json", "library", "--web", "--format", "json",
    ])
    visitor = try PageVisitor(of: program)
    try visitor.enter()
    let question = try #require(visitor.ask("GET", "/question"))
    #expect(question.body.contains("What you selected before is selected."))
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.ask("GET", "/selection")?.body == "1")
    #expect(visitor.ask("POST", "/answer", body: "select")?.status == 200)
    try program.outcome().expect(0)
    let run = try scene.run()
    try run.expect(0)
    #expect(try scene.importedPaths() == ["c.jpg"])
    let command = "mediabatch access ask manifest.json library --web"
    #expect(try scene.command("check", "manifest.json").streams.contains(command))
  }

  @Test("SIGUSR1 gives a new address, which ends the first; what is selected comes along")
  func renews() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var first = try PageVisitor(of: program)
    try first.enter()
    _ = first.ask("GET", "/names?from=0")
    #expect(first.ask("POST", "/selection", body: "add 2")?.status == 200)
    program.send(SIGUSR1)
    let isEnded = waits { first.ask("GET", "/question")?.status == 403 }
    #expect(isEnded)
    #expect(first.ask("POST", "/session", body: first.token)?.status == 403)
    var second = first
    let isPrinted = program.waits {
      second = (try? PageVisitor(of: program)) ?? second
      return second.token != first.token
    }
    try #require(isPrinted)
    try second.enter()
    #expect(second.ask("GET", "/selection")?.body == "2")
    #expect(first.ask("POST", "/answer", body: "allow")?.status == 403)
    #expect(second.ask("POST", "/answer", body: "select")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == ["c.jpg"])
  }

  @Test("Enter at the terminal gives a new address")
  func renewsAtTerminal() throws {
    let scene = try Scene.asking()
    try scene.writeManifest()
    let terminal = try PseudoTerminal(
      Scene.executable(),
      ["run", "manifest.json", "--web"],
      environment: Scene.environment(in: scene.path),
      in: scene.path,
      showsErrors: true
    )
    for _ in 0..<2 {
      #expect(terminal.shows("/#"))
      #expect(terminal.shows("Press Enter here for a new address"))
      terminal.type("\r")
    }
    #expect(terminal.shows("Press Enter here for a new address"))
    let tokens = terminal.text.components(separatedBy: "/#").dropFirst().map { $0.prefix(64) }
    #expect(tokens.count == 3 && Set(tokens).count == 3, "\(terminal.text)")
    terminal.type("\u{3}")
    #expect(terminal.outcome().code == 130)
  }

  @Test("Thousands of connections and slow clients do not keep a person from answering")
  func crowds() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let page = try #require(program.child(named: "asking-page"))
    // Half a request, and then nothing.
    var open: [Int32] = []
    defer { for descriptor in open { close(descriptor) } }
    var most = 0
    for number in 0..<Amount.of(600, all: 10_000) {
      let descriptor = visitor.connection()
      guard descriptor >= 0 else { continue }
      _ = send(descriptor, "GET / HT", 8, Int32(MSG_NOSIGNAL))
      open.append(descriptor)
      if number % 500 == 499 {
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(page)/fd")
        most = max(most, files.count)
      }
      // This process has a limit too.
      if open.count > 500 { close(open.removeFirst()) }
    }
    #expect(most < 128)
    #expect(visitor.ask("GET", "/question")?.status == 200)
    #expect(RunningProgram.memory("VmHWM", of: page) < 128 << 20)
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    try program.outcome().expect(0)
  }

  @Test("The page's process and its viewer have one thread, a filter and no capability")
  func confined() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    for name in ["asking-page", "viewer"] {
      let process = try #require(program.child(named: name))
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      func line(_ key: String) -> String {
        status.split(separator: "\n").first { $0.hasPrefix(key + ":") }?
          .split(separator: "\t").last.map(String.init) ?? ""
      }
      #expect(line("Threads") == "1", "\(name)")
      #expect(line("Seccomp") == "2", "\(name)")
      #expect(line("NoNewPrivs") == "1", "\(name)")
      // A viewer of root may still read files of others, where Landlock lets it.
      let capabilities = UInt64(line("CapEff"), radix: 16)
      #expect(capabilities.map { $0 & ~0b110 } == 0, "\(name)")
      let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
      let targets = files.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
      }
      let folders = targets.filter { $0.contains("sources") }
      #expect(folders.count == (name == "viewer" ? 1 : 0), "\(targets)")
    }
    #expect(visitor.ask("POST", "/answer", body: "deny")?.status == 200)
    _ = try program.outcome()
  }

  @Test("A UNIX socket is the owner's alone, and gone afterwards")
  func socket() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun("--socket", "page.socket")
    let path = scene.at("page.socket")
    var visitor = try PageVisitor(of: program, socket: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    #expect(visitor.ask("GET", "/") { $0["Host"] = "evil.example" }?.status == 421)
    try visitor.enter()
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    try program.outcome().expect(0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(
    "A UNIX socket is gone after a signal; one that a kill leaves is in nobody's way",
    arguments: [SIGINT, SIGTERM, SIGKILL]
  )
  func socketAfterSignal(signal: Int32) throws {
    let scene = try Scene.asking()
    let path = scene.at("page.socket")
    let program = try scene.askedRun("--socket", "page.socket")
    let first = try PageVisitor(of: program, socket: path)
    program.send(signal)
    _ = try? program.outcome()
    // The page's process ends behind the one that was killed.
    let isGone = waits {
      let descriptor = first.connection()
      if descriptor >= 0 { close(descriptor) }
      return descriptor < 0
    }
    #expect(isGone)
    #expect(FileManager.default.fileExists(atPath: path) == (signal == SIGKILL))
    let next = try scene.askedRun("--socket", "page.socket")
    var visitor = try PageVisitor(of: next, socket: path)
    try visitor.enter()
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    try next.outcome().expect(0)
  }

  @Test("What is no socket, and one that listens, stays where --socket names it")
  func socketInUse() throws {
    let scene = try Scene.asking()
    let file = try scene.put("page.socket", "a file")
    try scene.writeManifest()
    try scene.command("run", "manifest.json", "--web", "--socket", "page.socket").expect(75)
    #expect(try readBytes(file) == Array("a file".utf8))
    let program = try scene.askedRun("--socket", "other.socket")
    var visitor = try PageVisitor(of: program, socket: scene.at("other.socket"))
    let second = ["access", "ask", "manifest.json", "--web", "--socket", "other.socket"]
    #expect(try scene.command(second).code != 0)
    try visitor.enter()
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    try program.outcome().expect(0)
  }

  @Test("Ctrl-C and SIGTERM end the question, and the page with it", arguments: [SIGINT, SIGTERM])
  func stops(signal: Int32) throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    let visitor = try PageVisitor(of: program)
    program.send(signal)
    let outcome = try program.outcome()
    #expect(outcome.code == (signal == SIGINT ? 130 : 143))
    // Another program may have got the number of its port meanwhile.
    let descriptor = visitor.connection()
    if descriptor >= 0 {
      close(descriptor)
      #expect(visitor.ask("GET", "/question") == nil)
    }
    #expect(try scene.stored("SELECT status FROM answers") == [])
  }

  @Test(
    "A person answers in Chromium: by mouse, by keys, in the dark, in a narrow window",
    .enabled(if: Browser.python != nil, "takes a browser: make test-web")
  )
  func browser() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Web/check_asking.py").standardized.path
    let folder = TemporaryFolder()
    let checked = try Tool.run(Browser.python ?? "", [script, BuiltProgram.path("mediabatch"), folder.path])
    #expect(checked.status == 0, "\(checked.output)\(checked.error)")
    #expect(checked.output.contains("all checks have passed"))
  }

  @Test(
    "In Chromium the page is whole in each language: nothing is cut, and Arabic and Hebrew are mirrored",
    .enabled(if: Browser.python != nil, "takes a browser: make test-web")
  )
  func browserLanguages() throws {
    let folder = TemporaryFolder()
    try Browser.checkLanguages(["asking", BuiltProgram.path("mediabatch"), folder.path])
  }

  @Test("A language that is asked for stands in the address")
  func language() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun("--language", "fr-CA")
    #expect(
      program.waits { String(decoding: program.error, as: UTF8.self).contains("/?lang=fr#") },
      "\(program.result)"
    )
    program.send(SIGINT)
    _ = try program.outcome()
    try scene.command("run", "manifest.json", "--web", "--language", "xx").expect(64)
  }

  @Test("Where nothing can listen there is a clear sentence, and the terminal asks")
  func noPlace() throws {
    let scene = try Scene.asking()
    try scene.writeManifest()
    let socket = scene.at("missing/page.socket")
    let alone = try RunningProgram(
      BuiltProgram.path("mediabatch"),
      ["run", "manifest.json", "--web", "--socket", socket],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    let outcome = try alone.outcome()
    try outcome.expect(75)
    #expect(outcome.streams.contains("No page can be shown in a browser."))
    let terminal = try PseudoTerminal(
      BuiltProgram.path("mediabatch"),
      ["run", "manifest.json", "--format", "json", "--web", "--socket", socket],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    terminal.answer("a", at: "not now): ")
    try terminal.outcome().expect(0)
  }
}
