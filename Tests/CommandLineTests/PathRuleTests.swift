import Foundation
import Glibc
import MediaModel
import MediaTestSupport
import Testing

private let canMount: Bool = {
  let result = try? Tool.run(
    "unshare",
    ["-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=1m none /mnt"]
  )
  return result?.status == 0
}()

@Suite("What must never arrive")
struct PathRuleTests {
  private static let canary = "CANARY-7f3a9c-DENIED"

  /// A JPEG that carries the canary in its bytes and in its name.
  private func putCanary(_ scene: Scene, _ relative: String) throws {
    try scene.put(relative, try readBytes(Samples.photo(1)) + Array(Self.canary.utf8))
  }

  private func expectNoCanary(_ scene: Scene) throws {
    let found = try Tool.run("grep", ["-r", "-l", "-a", "-i", "canary", scene.library])
    #expect(found.status == 1, "\(found.output)")
  }

  @Test("A symbolic link inside a source is left out, whatever it points to")
  func symlink() throws {
    let scene = Scene()
    try scene.declare("camera").declare("microphone", "denied")
    try putCanary(scene, "sources/microphone/secret.jpg")
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    for (name, target) in [
      ("link.jpg", "../microphone/secret.jpg"), ("folder", "../microphone"),
      ("absolute.jpg", scene.at("sources/microphone/secret.jpg")), ("loop", "loop"),
    ] {
      symlink_(target, scene.at("sources/camera/" + name))
    }
    let outcome = try scene.run()
    #expect(outcome.code == 0, "\(outcome.said)")
    try outcome.expectCounts(["imported": 1, "skipped": 4])
    try expectNoCanary(scene)
  }

  @Test("A source's own path may be a symbolic link")
  func ownPathIsLink() throws {
    let scene = Scene()
    try scene.declare("camera", makesFolder: false)
    try scene.put("elsewhere/photo.jpg", copyOf: Samples.photo(1))
    try scene.makeFolder("sources")
    symlink_("../elsewhere", scene.at("sources/camera"))
    try scene.run().expectCounts(["imported": 1])
  }

  @Test("FIFOs, sockets and devices are left out and hang nothing")
  func specialFiles() throws {
    let scene = Scene()
    try scene.declare("camera")
    mkfifo(scene.at("sources/camera/fifo.jpg"), 0o600)
    let made = mknod(scene.at("sources/camera/null.jpg"), S_IFCHR | 0o600, 0x103) == 0
    try scene.run().expectCounts(["skipped": made ? 2 : 1])
  }

  @Test(
    "A file with a second name is refused while a source on its disk is closed, unless allowed",
    arguments: [false, true]
  )
  func hardLinks(isAllowed: Bool) throws {
    let scene = Scene()
    try scene.declare("camera", "authorized", isAllowed ? ["hardLinks": "allow"] : [:])
    try scene.declare("library", "denied")
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    try putCanary(scene, "sources/library/secret.jpg")
    link(scene.at("sources/library/secret.jpg"), scene.at("sources/camera/linked.jpg"))
    let outcome = try scene.run()
    #expect(outcome.code == 0, "\(outcome.said)")
    if isAllowed {
      try outcome.expectCounts(["imported": 2])
    } else {
      try outcome.expectCounts(["imported": 1, "refused": 1])
      #expect(try outcome.problems() == ["hardLinked"])
      #expect(outcome.said.contains("hardLinks"))
      try expectNoCanary(scene)
    }
  }

  @Test("Without a closed source a second name is no reason to refuse")
  func hardLinksWhereAllIsAllowed() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    link(scene.at("sources/camera/photo.jpg"), scene.at("elsewhere.jpg"))
    try scene.run().expectCounts(["imported": 1])
  }

  @Test(
    "Sources and library that overlap stop the run, through links too",
    arguments: [
      ("camera", "same"), ("camera/inside", "source within source"), ("Library", "library"),
      ("Library/Originals", "within the library"), (".", "around everything"),
    ]
  )
  func overlap(target: String, name: String) throws {
    let scene = Scene()
    try scene.declare("camera").declare("library", "denied", makesFolder: false)
    try scene.makeFolder("sources/camera/inside")
    try scene.makeFolder("Library/Originals")
    try FileManager.default.removeItem(atPath: scene.library)
    try scene.makeFolder("Library/Originals")
    symlink_(
      target.hasPrefix("camera") ? target : "../" + target,
      scene.at("sources/library")
    )
    let outcome = try scene.run()
    #expect(outcome.code == 78, "\(name): \(outcome.said)")
    #expect(!FileManager.default.fileExists(atPath: scene.library + "/Audit"))
  }

  @Test(
    "What is mounted inside a source is not entered, unless the manifest says so",
    .enabled(if: canMount, "no mounts: unshare -rm is not allowed"),
    arguments: [false, true]
  )
  func mounts(isAllowed: Bool) throws {
    let scene = Scene()
    try scene.declare("camera", "authorized", isAllowed ? ["crossMounts": true] : [:])
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    try putCanary(scene, "other/secret.jpg")
    try scene.makeFolder("sources/camera/mounted")
    try scene.makeFolder("sources/camera/bound")
    try scene.writeManifest()
    let result = try Tool.run(
      "unshare",
      [
        "-rm", "/bin/sh", "-c",
        """
        mount -t tmpfs none sources/camera/mounted && cp other/secret.jpg sources/camera/mounted/a.jpg
        mount --bind other sources/camera/bound && "$M" run manifest.json --format json
        """,
      ],
      environment: ["M": try Scene.executable()],
      in: scene.path
    )
    let outcome = Outcome(result)
    #expect(outcome.code == 0, "\(outcome.said)")
    if isAllowed {
      try outcome.expectCounts(["imported": 2, "duplicate": 1])
    } else {
      try outcome.expectCounts(["imported": 1, "skipped": 2])
      try expectNoCanary(scene)
    }
  }
}

/// symlink(2), whose name is a test's here.
private func symlink_(_ target: String, _ path: String) {
  Glibc.symlink(target, path)
}
