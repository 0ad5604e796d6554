import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite(
  "Reports of a large library",
  .ownProcesses,
  .serialized,
  .enabled(if: Has.python, "no python3")
)
struct ReportScaleTests {
  /// Seconds and peak memory in kilobytes of a command, as the kernel counts them.
  private func measure(
    _ scene: Scene,
    _ arguments: [String],
    code: Int = 0
  ) throws -> (seconds: Double, kB: Int) {
    let result = try Tool.run(
      "python3",
      [
        "-c",
        """
        import resource, subprocess, sys, time
        start = time.monotonic()
        code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
        print(code, time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        """, try Scene.executable(),
      ] + arguments,
      in: scene.path
    )
    let words = result.output.split(separator: " ")
    try #require(words.count == 3 && words[0] == "\(code)", "\(result.output)\(result.error)")
    return (
      try #require(Double(words[1])),
      try #require(Int(words[2].trimmingCharacters(in: .newlines)))
    )
  }

  /// A library with one photo that was imported, and so many assets that only the log and the
  /// catalogue know.
  private func large(_ count: Int) throws -> Scene {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("camera")
    try scene.put("sources/camera/one.jpg", try Media.photo("one"))
    try scene.run().expect(0)
    _ = try ReportReader.read("large", scene.library, "\(count)")
    return scene
  }

  @Test(
    "Memory of verify and of a report does not grow with the library",
    .enabled(if: Amount.isAll, "smaller libraries fit into the caches, whose size has a bound")
  )
  func flat() throws {
    let counts = [10_000, 30_000]
    var kilobytes: [String: [Int]] = [:]
    for count in counts {
      let scene = try large(count)
      for command in [
        ["verify"], ["report", "--format", "html"], ["report", "--format", "in-toto"],
      ] {
        // Nearly every file is missing, and each is a finding.
        let cost = try measure(scene, command + ["Library"], code: command == ["verify"] ? 65 : 0)
        kilobytes[command.joined(separator: " "), default: []].append(cost.kB)
      }
    }
    for (command, kB) in kilobytes {
      let bytesOfAsset = (kB[1] - kB[0]) * 1024 / (counts[1] - counts[0])
      #expect(bytesOfAsset < 100, "\(command): \(kB) kB")
    }
  }

  @Test("A report of 100,000 assets takes less than 150 MB, and lists what it is asked to")
  func formats() throws {
    let count = Amount.of(300, all: 100_000)
    let scene = try large(count)
    let formats = ["html", "json", "csv", "junit", "sarif", "in-toto"]
    for format in Amount.some(3, of: formats) {
      let file = scene.at("large." + format)
      let cost = try measure(scene, ["report", "Library", "--format", format, "-o", file])
      #expect(cost.kB < 150_000, "\(format): \(cost.kB) kB, \(cost.seconds) s")
      if ReportReader.countedFormats.contains(format) {
        #expect(try ReportReader.counts(format, file)["imported"] == count + 1, "\(format)")
      }
    }
    let page = try scene.text(scene.at("large.html"))
    #expect(page.components(separatedBy: "<img ").count - 1 == 60)
    // Items behind the first thousand are in the page as data: path, label, badges and message.
    #expect(page.utf8.count < (2 << 20) + max(0, count - 1000) * 64)
  }
}
