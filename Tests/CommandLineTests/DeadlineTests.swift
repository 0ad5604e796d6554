import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Deadlines of items are processor time of the worker: a busy machine changes no outcome.
@Suite("Deadlines", .ownProcesses, .enabled(if: Has.strace, "no strace"))
struct DeadlineTests {
  @Test("A photo whose worker has no processor for longer than the limit is imported")
  func waiting() throws {
    let scene = Scene()
    try scene.declare("camera")
    let photo = try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    scene.manifest["limits"] = ["seconds": 1]
    try scene.writeManifest()
    let run = try RunningProgram(
      "/usr/bin/env",
      [
        "strace", "-f", "-qq", "-y", "-P", photo, "-e", "trace=pread64", "-e", "signal=none",
        "-e", "inject=pread64:delay_enter=2000000:when=1", "-o", "trace",
        try Scene.executable(), "run", "manifest.json", "--workers", "1",
      ],
      in: scene.path
    )
    try run.wait().expect(0)
    let trace = String(decoding: try readBytes(scene.at("trace")), as: UTF8.self)
    #expect(trace.contains("(DELAYED)"), "the worker did not wait: \(trace)")
  }
}
