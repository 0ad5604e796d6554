import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// The built programs on a kernel without Landlock or seccomp, or with an older Landlock, which a
/// filter around them plays.
@Suite(
  "An older kernel",
  .ownProcesses,
  .enabled(if: getuid() == 0, "a worker's memory is read to play an older Landlock: root's alone")
)
struct OldKernelTests {
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera").declare("library", "limited", ["selection": ["pick.jpg"]])
    try scene.declare("microphone", "denied")
    for (name, shade) in [("camera/a.jpg", 10), ("camera/b.jpg", 90), ("library/pick.jpg", 170)] {
      try scene.put("sources/" + name, Self.picture(shade))
    }
    try scene.put("sources/library/other.jpg", Self.picture(240))
    try scene.writeManifest()
    return scene
  }

  private static func picture(_ shade: Int) throws -> [UInt8] {
    let pictures = try Self.pictures.get()
    return try #require(pictures[shade])
  }

  /// A picture of each shade, made once.
  private static let pictures: Result<[Int: [UInt8]], any Error> = Result {
    let folder = TemporaryFolder()
    let file = folder.path + "/picture.jpg"
    var pictures: [Int: [UInt8]] = [:]
    for shade in [10, 90, 170, 240] {
      try Independent.make("convert", ["-size", "64x48", "xc:rgb(\(shade),20,60)", file])
      pictures[shade] = try readBytes(file)
    }
    return pictures
  }

  private func on(_ kernel: String, _ scene: Scene, _ arguments: [String]) throws -> Outcome {
    let program = try Scene.executable()
    let probe = (program as NSString).deletingLastPathComponent + "/sandbox-probe"
    return Outcome(
      try Tool.run(
        probe,
        ["on-kernel", kernel, program] + arguments,
        environment: Scene.environment(in: scene.path),
        in: scene.path
      )
    )
  }

  private static let run = ["run", "manifest.json", "--format", "json"]

  @Test(
    "Without Landlock, seccomp, or with the first Landlock a run stops with 69 and opens nothing",
    arguments: ["no-landlock-38", "no-landlock-95", "no-seccomp-38", "no-seccomp-22", "landlock-1"]
  )
  func stops(kernel: String) throws {
    let scene = try scene()
    let outcome = try on(kernel, scene, Self.run)
    try outcome.expect(69)
    #expect(try outcome.problems().contains("enforcementUnavailable"))
    #expect(try outcome.count("imported") == 0)
    #expect(try scene.digests("Library/Originals").isEmpty)
    let records = try scene.lastLog()
    #expect(!records.contains { $0["event"].string == "access" })

    let doctor = try on(kernel, scene, ["doctor", "--format", "json"])
    try doctor.expect(69)
    #expect(try doctor.json()["kernel"]["canEnforce"].bool == false)
    #expect(try doctor.json()["enforcement"]["isHeld"].bool == false)
  }

  @Test(
    "The same run goes on where it is told to do without, and says so in summary and log",
    arguments: [
      ("no-landlock-38", "no Landlock, seccomp"), ("no-seccomp-38", "no seccomp"),
      ("landlock-1", "Landlock ABI 1, seccomp; not refused: cutting files"),
    ]
  )
  func goesOn(kernel: String, detail: String) throws {
    let scene = try scene()
    let arguments = ["run", "manifest.json", "--enforcement", "process"]
    let outcome = try on(kernel, scene, arguments)
    try outcome.expect(0)
    #expect(try scene.originalNames() == ["a.jpg", "b.jpg", "pick.jpg"])
    let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("not the kernel (none; "), "\(outcome.output)")
    #expect(text.contains(detail), "\(outcome.output)")
    let opening = try #require(try scene.lastLog().first)
    #expect(opening["enforcement"]["mode"].string == "process")
    try scene.expectVerified()
  }

  @Test(
    "Where nothing confines a worker, a gallery or an export that lacks sizes ends with 69, as does repair"
  )
  func madePictures() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let gallery = ["gallery", "Library", "site"]
    let export = ["export", "Library", "copies", "--thumbnails", "grid:256"]
    for (folder, command) in [("site", gallery), ("copies", export)] {
      try on("no-landlock-38", scene, command).expect(69)
      #expect(!FileManager.default.fileExists(atPath: scene.at(folder)))
    }
    scene.setThumbnails([("grid", 256, 256, "aspectFit")])
    try scene.run().expect(0)
    // These have the sizes of their pictures: nothing is made.
    try on("no-landlock-38", scene, gallery).expect(0)
    try on("no-landlock-38", scene, export).expect(0)
    try FileManager.default.removeItem(atPath: scene.library + "/Thumbnails")
    try on("no-landlock-38", scene, ["repair", "Library"]).expect(69)
    try on("no-landlock-38", scene, ["repair", "Library", "--enforcement", "process"]).expect(0)
    try scene.expectVerified()
  }

  @Test(
    "An older Landlock runs to a right library, and says its age everywhere",
    arguments: Amount.some(3, of: Array(2...6))
  )
  func olderLandlock(abi: Int) throws {
    let scene = try scene()
    let outcome = try on("landlock-\(abi)", scene, ["run", "manifest.json", "--verbose"])
    try outcome.expect(0)
    #expect(try scene.originalNames() == ["a.jpg", "b.jpg", "pick.jpg"])
    let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("Guard kernel (Landlock ABI \(abi), seccomp"), "\(outcome.output)")
    #expect(text.contains("; not refused: ") == (abi < 6), "\(outcome.output)")
    #expect(text.contains("cutting files") == (abi < 3), "\(outcome.output)")
    let opening = try #require(try scene.lastLog().first)
    #expect(opening["enforcement"]["landlockABI"].int == abi)
    #expect(opening["enforcement"]["mode"].string == "kernel")
    try scene.expectVerified()

    let doctor = try on("landlock-\(abi)", scene, ["doctor", "--format", "json"])
    try doctor.expect(0)
    #expect(try doctor.json()["kernel"]["landlockABI"].int == abi)
    #expect(try doctor.json()["kernel"]["notRefused"].array.isEmpty == (abi >= 6))
    #expect(try doctor.json()["enforcement"]["isHeld"].bool == true)
  }

  @Test("This kernel refuses at least 50 ways to each kind of process, and lists them")
  func everyWay() throws {
    let scene = try scene()
    let report = try scene.command("doctor", "--enforcement", "--format", "json")
    try report.expect(0)
    for kind in ["coordinator", "worker", "times", "watcher", "viewer", "page", "camera"] {
      let enforcement = try report.json()["enforcement"][kind]
      #expect(try #require(enforcement["refused"].int) >= 50)
      #expect(enforcement["refused"].int == enforcement["tried"].int)
      #expect(enforcement["ways"].array.count == enforcement["tried"].int)
      #expect(enforcement["ways"].array.allSatisfy { $0["refused"].bool == true })
    }
    let plain = try scene.command("doctor", "--format", "json")
    #expect(try plain.json()["enforcement"]["worker"]["ways"].array.isEmpty)
    let text = try scene.command("doctor", "--enforcement")
    #expect(text.output.contains("  worker  refused  EPERM  smuggle a descriptor"))
    #expect(text.output.contains("  coordinator  refused  EACCES  open a refused file by its"))
  }
}
