import MediaSandbox
import Testing

@Suite("Attempts and errors as text")
struct AttemptTests {
  @Test("Lines give the same attempts back")
  func roundTrip() {
    let attempts = [
      Attempt(name: "open it", refused: true, detail: "EACCES"),
      Attempt(name: "a TCP socket", refused: false, detail: "worked"),
    ]
    #expect(Attempt.attempts(fromLines: attempts.map(\.line).joined()) == attempts)
  }

  @Test("A line of another form is nil, not an attempt", arguments: ["x", "refused", "a\tb"])
  func otherLines(text: String) {
    #expect(Attempt.attempts(fromLines: text) == nil)
  }

  @Test("Only the exact word counts as refused", arguments: ["REFUSED", "NOT REFUSED", "refused "])
  func exactWord(word: String) {
    #expect(Attempt.attempts(fromLines: word + "\tEPERM\tx")?.first?.refused == false)
  }

  @Test("Every error says what happened, and the kernel's name for it")
  func descriptions() {
    let codes = SandboxError.Code.allCases
    #expect(Set(codes.map { SandboxError($0).description }).count == codes.count)
    let error = SandboxError(.spawnFailed, number: 13, subject: "/x")
    #expect(error.description == "the worker could not be started: /x (EACCES)")
  }
}
