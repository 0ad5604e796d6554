import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite(
  "What strace sees of a run",
  .enabled(if: Tool.exists("strace"), "no strace: install it")
)
struct ConfinementTraceTests {
  /// Camera authorized, photo library limited to two files by name and one by pattern, microphone
  /// denied.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.declare(
      "library",
      "limited",
      ["selection": ["a.jpg", "sub/b.jpg", "sub/IMG_*.JPG"]]
    )
    try scene.declare("microphone", "denied")
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    try scene.put("sources/camera/photo.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/sub/picture.png", copyOf: Samples.png)
    for name in ["a.jpg", "private.jpg", "sub/b.jpg", "sub/private.jpg", "deep/er/private.jpg"] {
      try scene.put(
        "sources/library/" + name,
        try readBytes(Samples.harbour) + Array(name.utf8)
      )
    }
    try scene.put("sources/library/sub/IMG_1.JPG", copyOf: Samples.photo(2))
    try scene.put("sources/microphone/memo.wav", copyOf: Samples.sound)
    return scene
  }

  /// Successful calls that name a path, relative to the sources, with the call's own words.
  private func touched(_ scene: Scene, _ lines: [String]) -> [(path: String, line: String)] {
    let root = scene.at("sources/")
    return lines.compactMap { line in
      guard !line.contains(" = -1 "), let result = line.range(of: " = "),
        let opened = line[result.upperBound...].firstIndex(of: "<")
      else { return nil }
      let path = line[opened...].dropFirst().prefix { $0 != ">" }
      guard path.hasPrefix(root) else { return nil }
      return (String(path.dropFirst(root.count)), line)
    }
  }

  @Test(
    "Nothing is opened or listed in a refused source, and only what was selected in a limited one"
  )
  func opens() throws {
    let scene = try scene()
    let (outcome, lines) = try scene.tracedRun("open,openat,openat2,creat,getdents,getdents64")
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 5])
    #expect(touched(scene, lines).filter { $0.path.hasPrefix("microphone") }.map(\.line) == [])
    // O_PATH takes hold of a place and can read nothing.
    let opened = touched(scene, lines).filter { !$0.line.contains("O_PATH") }
    #expect(!opened.isEmpty)
    let files = Set(
      opened.map(\.path).filter { $0.hasPrefix("library/") && $0.contains(".") }
    )
    #expect(files == ["library/a.jpg", "library/sub/b.jpg", "library/sub/IMG_1.JPG"])
    // Only the folder that the pattern can match in was listed, beside the source itself.
    let folders = Set(opened.map(\.path).filter { $0.hasPrefix("library") && !$0.contains(".") })
    #expect(folders.isSubset(of: ["library", "library/sub"]))
    for (path, line) in opened {
      #expect(
        !line.contains("O_WRONLY") && !line.contains("O_RDWR") && !line.contains("O_CREAT"),
        "\(path): \(line)"
      )
    }
    let everything = try Tool.run("grep", ["-r", "-l", "-a", "private.jpg", scene.library])
    #expect(everything.status == 1, "\(everything.output)")
    #expect(!outcome.said.contains("private"))
  }

  @Test("Every source file has an access record on the disk before it is opened")
  func recordsComeFirst() throws {
    let scene = try scene()
    try scene.writeManifest()
    let trace = scene.at("trace")
    let result = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-y", "-s", "1000000", "-o", trace,
        "-e", "trace=openat2,pwrite64,write,fdatasync", try Scene.executable(), "run",
        "manifest.json",
      ],
      in: scene.path
    )
    #expect(result.status == 0, "\(result.output)\(result.error)")
    let lines = String(decoding: try readBytes(trace), as: UTF8.self).split(separator: "\n")
      .map(String.init)
    var recorded = ""
    var flushed = ""
    var opened = 0
    for line in lines {
      if line.contains("/Audit/"), line.contains("write64(") || line.contains("write(") {
        recorded += line
      } else if line.contains("/Audit/"), line.contains("fdatasync(") {
        flushed += recorded
        recorded = ""
      } else if line.contains("openat2("), !line.contains("O_PATH"),
        !line.contains("O_DIRECTORY"), let last = touched(scene, [line]).first
      {
        opened += 1
        let name = try #require(last.path.split(separator: "/").last)
        #expect(flushed.contains(name), "\(last.path) was opened before its record was flushed")
      }
    }
    #expect(opened == 5)
  }

  @Test(
    "Without Landlock, or without seccomp, no source is opened and the run ends with 69",
    arguments: ["landlock_create_ruleset", "seccomp"]
  )
  func unavailable(call: String) throws {
    let scene = try scene()
    try scene.writeManifest()
    let trace = scene.at("trace")
    let result = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-y", "-o", trace, "-e", "trace=openat2,openat,getdents64,\(call)",
        "-e", "inject=\(call):error=ENOSYS", try Scene.executable(), "run", "manifest.json",
      ],
      in: scene.path
    )
    #expect(result.status == 69, "\(result.output)\(result.error)")
    let lines = String(decoding: try readBytes(trace), as: UTF8.self).split(separator: "\n")
    let opened = touched(scene, lines.map(String.init)).filter { !$0.line.contains("O_PATH") }
    #expect(opened.map(\.line) == [])
    let allowed = try scene.run("--enforcement", "process")
    try allowed.expectCounts(["imported": 5])
    #expect(try allowed.json()["enforcement"].string == "process")
  }

  @Test("Every way past confinement is refused on this machine")
  func doctor() throws {
    let scene = Scene()
    let outcome = try scene.command("doctor", "--enforcement")
    #expect(outcome.code == 0, "\(outcome.said)")
    let refused = outcome.output.split(separator: "\n").filter { $0.contains("  refused  ") }
    for kind in ["coordinator", "worker"] {
      #expect(refused.filter { $0.contains("  \(kind)  ") }.count >= 10)
    }
    #expect(!outcome.output.contains("NOT REFUSED"))
  }
}
