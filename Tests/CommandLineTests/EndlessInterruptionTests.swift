import Foundation
import MediaTestSupport
import Testing

/// A file system that answers EINTR each time, as some in user space do.
@Suite("Calls that are interrupted for ever", .enabled(if: Has.strace, "no strace"))
struct EndlessInterruptionTests {
  @Test(
    "A read that is interrupted each time ends the command, and names the file",
    arguments: [["verify"], ["audit", "verify"], ["report", "--format", "json"]]
  )
  func read(command: [String]) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try scene.run().expect(0)
    let name = try #require(try scene.logFiles().first).name
    let outcome = try Tool.run(
      "timeout",
      [
        "-s", "KILL", "120", "strace", "-qq", "-f", "-o", scene.at("trace"), "-e",
        "trace=pread64", "-e", "inject=pread64:error=EINTR", "-P",
        scene.library + "/Audit/" + name, try Scene.executable(),
      ] + command + [scene.library],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(outcome.status != 0 && outcome.status != 137, "\(outcome.output)\(outcome.error)")
    #expect(outcome.error.contains(name))
    try scene.expectVerified()
  }
}
