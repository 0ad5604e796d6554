import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Deadlines of items are processor time of the worker: a busy machine changes no outcome.
@Suite(
  "Deadlines on a busy machine",
  .serialized,
  .enabled(if: Tool.exists("taskset"), "no taskset")
)
struct DeadlineTests {
  private func run(_ scene: Scene) throws -> RunningProgram {
    try scene.writeManifest()
    return try RunningProgram(
      "taskset",
      ["-c", "0", try Scene.executable(), "run", "manifest.json", "--workers", "1"],
      in: scene.path
    )
  }

  @Test("A picture that takes most of its time alone is imported beside four busy processes")
  func busy() throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    try scene.put("sources/camera/large.png", Bombs.png(side: 8000))
    scene.manifest["limits"] = ["seconds": 60]
    let quiet = try run(scene)
    try quiet.wait().expect(0)
    try FileManager.default.removeItem(atPath: scene.library)

    let limit = max(1, Int((quiet.processorSeconds * 1.3).rounded(.up)))
    scene.manifest["limits"] = ["seconds": JSONValue(limit)]
    let loops = try (0..<4).map { _ in
      try RunningProgram(
        "taskset",
        ["-c", "0", "sh", "-c", "while :; do :; done"],
        in: scene.path
      )
    }
    defer { for loop in loops { loop.send(SIGKILL) } }
    try run(scene).wait().expect(0)
    for loop in loops {
      loop.send(SIGKILL)
      _ = loop.end(seconds: 10)
    }
    // The item took as long by the clock as it and the others had the processor: more than its limit.
    let others = loops.reduce(0) { $0 + $1.processorSeconds }
    #expect(
      others + quiet.processorSeconds > Double(limit),
      "\(others) and \(quiet.processorSeconds) s, and a limit of \(limit) s"
    )
  }
}
