import Glibc
import MediaTestSupport
import Testing

@Suite("A person is asked at a terminal")
struct PromptTests {
  @Test(
    "A letter and Enter give the answer, and the terminal is as it was",
    arguments: [("a", "allow"), ("S", "allowOnlyThese"), ("d", "deny"), ("n", "undecided")]
  )
  func answers(letter: String, answer: String) throws {
    let terminal = try Probe.start("ask")
    #expect(terminal.shows("mediabatch: a question\r\n  name   | \"Feed importer\""))
    #expect(terminal.shows("would like to use your photos."))
    #expect(terminal.shows("\"You choose which photos to publish.\""))
    #expect(terminal.shows("removed from the copies."))
    #expect(terminal.shows(answerPlace))
    #expect(!terminal.isAsBefore)
    terminal.type(letter + "\r")
    #expect(terminal.end().output == answer + "\n")
    #expect(terminal.isAsBefore)
  }

  @Test("Ctrl-C and Ctrl-D decide nothing", arguments: ["\u{3}", "\u{4}", "a\u{3}", "a\u{4}"])
  func decidesNothing(typed: String) throws {
    let terminal = try Probe.start("ask")
    #expect(terminal.shows(answerPlace))
    terminal.type(typed)
    #expect(terminal.end().output == "undecided\n")
    #expect(terminal.text.contains("Not decided; nothing is stored."))
    #expect(terminal.isAsBefore)
  }

  @Test("Enter alone and anything else ask again; nothing is the default")
  func asksAgain() throws {
    let terminal = try Probe.start("ask", ["mayLimit": "0"])
    for typed in ["\r", "yes\r", "aa\r", " a\r", "s\r", "1\r"] {
      #expect(terminal.shows(answerPlace))
      terminal.type(typed)
      #expect(terminal.shows("That is not one of the answers."))
      #expect(!terminal.hasEnded())
    }
    #expect(terminal.shows(answerPlace))
    terminal.type("d\r")
    #expect(terminal.end().output == "deny\n")
  }

  @Test("What was typed before the question stood there is no answer")
  func typedAhead() throws {
    let terminal = try Probe.start("ask")
    terminal.type("a\ra\ra\r")
    #expect(terminal.shows("mediabatch: "))
    terminal.type("a\ra\r")
    #expect(terminal.shows(answerPlace))
    terminal.type("d\r")
    #expect(terminal.end().output == "deny\n")
  }

  @Test("Pasted text that comes bit by bit is no answer either")
  func trickle() throws {
    for _ in 0..<20 {
      if try isDiscarded() { return }
    }
    Issue.record("this process stood still each time")
  }

  /// Pastes a text bit by bit, as the question is about to be asked.
  ///
  /// - Returns: False when this process stood still for the 300 ms after which the question stands there.
  private func isDiscarded() throws -> Bool {
    var longest = Duration.zero
    var last: ContinuousClock.Instant?
    let terminal = try Probe.start("ask")
    #expect(terminal.shows("mediabatch: "))
    for _ in 0..<6 {
      let begin = ContinuousClock.now
      terminal.type("a\r")
      if let last {
        longest = max(longest, last.duration(to: .now))
      } else if terminal.text.contains(answerPlace) {
        return false
      }
      last = begin
      // The passing of time is the subject: a paste of which each part comes long after the last.
      usleep(120_000)
    }
    if longest >= .milliseconds(300) { return false }
    #expect(terminal.shows(answerPlace))
    #expect(!terminal.hasEnded())
    terminal.type("d\r")
    #expect(terminal.end().output == "deny\n")
    return true
  }

  @Test("Lines that come together are pasted, and no answer")
  func pasted() throws {
    let terminal = try Probe.start("ask")
    #expect(terminal.shows(answerPlace))
    terminal.type("a\rmake\r")
    #expect(terminal.shows("as if pasted"))
    #expect(terminal.shows(answerPlace))
    terminal.type("d\r")
    #expect(terminal.end().output == "deny\n")
  }

  @Test("A second question at the same terminal is a question of its own")
  func twice() throws {
    let terminal = try Probe.start("ask", ["times": "2"])
    #expect(terminal.shows(answerPlace))
    terminal.type("a\r")
    #expect(terminal.shows("Allowed."))
    #expect(terminal.shows(answerPlace))
    terminal.type("d\r")
    #expect(terminal.end().output == "allow\ndeny\n")
  }

  @Test("Without an answer in time nothing is decided")
  func timeOut() throws {
    let terminal = try Probe.start("ask", ["timeout": "1"])
    #expect(terminal.shows(answerPlace))
    terminal.type("a")
    #expect(terminal.end().output == "undecided\n")
    #expect(terminal.isAsBefore)
  }

  @Test("A terminal that is closed decides nothing")
  func closedTerminal() throws {
    let terminal = try Probe.start("ask")
    #expect(terminal.shows(answerPlace))
    terminal.close()
    #expect(terminal.end().output == "undecided\n")
  }

  @Test("SIGINT is Ctrl-C; SIGTERM ends the program, and the terminal is as it was")
  func signals() throws {
    let interrupted = try Probe.start("ask")
    #expect(interrupted.shows(answerPlace))
    interrupted.send(SIGINT)
    #expect(interrupted.end().output == "undecided\n")
    let ended = try Probe.start("ask")
    #expect(ended.shows(answerPlace))
    ended.send(SIGTERM)
    let result = ended.end()
    #expect(result.status == 128 + SIGTERM)
    #expect(result.output.isEmpty)
    #expect(ended.isAsBefore)
  }

  @Test("What is typed can be corrected")
  func corrections() throws {
    let terminal = try Probe.start("ask")
    #expect(terminal.shows(answerPlace))
    terminal.type("dxé")
    terminal.type("\u{7F}\u{7F}\u{7F}\u{7F}a\u{1B}[D\u{1B}OP\r")
    #expect(terminal.end().output == "allow\n")
  }

  @Test("What changed since an earlier answer is said")
  func changes() throws {
    let terminal = try Probe.start(
      "ask",
      ["changes": "usageDescription,folder", "earlier": "authorized"],
      columns: 120
    )
    #expect(terminal.shows("since you answered \"Allow all\", the reason why and the folder have changed."))
    let other = try Probe.start("ask", ["changes": "manifest"])
    #expect(other.shows("You answered for another manifest of this client"))
    let moved = try Probe.start("ask", ["changes": "folderMoved,manifest", "earlier": "denied"])
    #expect(moved.shows("You answered \"Don't allow\" when this folder was in another place."))
  }

  @Test("Without a terminal nobody is asked")
  func noTerminal() throws {
    let result = try Tool.run(Probe.path(), ["ask", "terminal=/dev/null"])
    #expect(result.output == "error noTerminal\n")
    let missing = try Tool.run("setsid", ["--wait", Probe.path(), "ask"])
    #expect(missing.output == "error noTerminal\n")
  }

  @Test("In the background nobody is asked, and nothing stops")
  func background() throws {
    let terminal = try PseudoTerminal(
      "/bin/bash",
      ["-c", "set -m; \"$0\" ask & wait; echo ended", Probe.path()]
    )
    #expect(terminal.end().output == "error notInForeground\nended\n")
  }
}
