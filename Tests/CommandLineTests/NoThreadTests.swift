import Foundation
import MediaTestSupport
import Testing

/// A system that starts no thread: a user or a container at its limit of processes.
@Suite("Commands without threads", .enabled(if: Has.strace, "no strace"))
struct NoThreadTests {
  @Test(
    "What reads a library with several threads does it with one where no other starts",
    arguments: [["verify"], ["report", "--format", "csv"], ["audit", "verify"]]
  )
  func withoutThreads(command: [String]) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try scene.run().expect(0)
    let original = try #require(try scene.originals().first).path
    func outcomes() throws -> [Outcome] {
      let words = command + [scene.library]
      let usual = try scene.command(words)
      let trace = scene.at("trace")
      // Killed, since what waits for a thread in libdispatch waits for ever.
      let alone = try Tool.run(
        "timeout",
        [
          "-s", "KILL", "120", "strace", "-qq", "-o", trace, "-e", "trace=clone,clone3", "-e",
          "inject=clone,clone3:error=EAGAIN", try Scene.executable(),
        ] + words,
        environment: Scene.environment(in: scene.path),
        in: scene.path
      )
      return [usual, Outcome(alone)]
    }
    let whole = try outcomes()
    try whole[0].expect(0)
    #expect(whole[1].code == 0 && whole[1].output == whole[0].output, "\(whole[1].streams)")
    let file = URL(fileURLWithPath: scene.at("Library/Originals/" + original))
    try Data("changed".utf8).write(to: file)
    let changed = try outcomes()
    try changed[0].expect(command == ["verify"] ? 65 : 0)
    #expect(changed[1].code == changed[0].code)
    #expect(changed[1].output == changed[0].output)
  }
}
