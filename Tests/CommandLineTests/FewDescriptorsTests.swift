import Foundation
import MediaTestSupport
import Testing

/// A process that may have few files open, as a container or a service can be told to.
@Suite("Commands with few descriptors", .ownProcesses)
struct FewDescriptorsTests {
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    return scene
  }

  /// Runs a command whose limits are those that `ulimit` sets with these words.
  private func run(_ limits: String, _ command: String, in scene: Scene) throws -> Outcome {
    Outcome(
      try Tool.run(
        "sh",
        ["-c", "ulimit \(limits) && exec \"$0\" \(command)", try Scene.executable()],
        environment: Scene.environment(in: scene.path),
        in: scene.path
      )
    )
  }

  @Test(
    "Less than a run needs is named as that, before anything is done, and never as a missing source",
    arguments: [18, 63]
  )
  func tooFew(limit: Int) throws {
    let scene = try scene()
    try scene.writeManifest()
    for command in ["run manifest.json", "check manifest.json", "doctor"] {
      let outcome = try run("-n \(limit)", command, in: scene)
      #expect(outcome.code == 70, "\(command): \(outcome.streams)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.error.contains("open only \(limit) files"), "\(outcome.error)")
      #expect(outcome.error.contains("ulimit -n 64") && !outcome.error.contains("camera"))
    }
    #expect(!FileManager.default.fileExists(atPath: scene.library))
  }

  @Test(
    "A low limit that may be raised is raised, and 64 are enough",
    arguments: ["-S -n 18", "-n 64"]
  )
  func enough(limits: String) throws {
    let scene = try scene()
    try scene.writeManifest()
    try run(limits, "run manifest.json", in: scene).expect(0)
    #expect(try scene.originals().count == 3)
  }
}
