import Foundation
import MediaTestSupport
import Testing

/// `mediabatch demo`, which shows all to somebody who has no picture at hand.
@Suite("The demo", .ownProcesses)
struct DemoTests {
  private static let media = URL(fileURLWithPath: Samples.folder).deletingLastPathComponent().path

  @Test("It makes a library, a gallery and a report, and imports nothing again")
  func twice() throws {
    let scene = Scene()
    let first = try scene.command("demo", "my tour", "--media", Self.media)
    #expect(first.code == 0, "\(first.streams)")
    for line in [
      "$ mediabatch run 'my tour/demo.json'\n", "my tour/Gallery/index.html", "my tour/report.html",
      "rm -r 'my tour'\n",
    ] {
      #expect(first.output.contains(line), "\(line)")
    }
    for file in [
      "Gallery/index.html", "report.html", "Library/library.sqlite", "media/DCIM/100MEDIA/IMG_0001.JPG",
    ] {
      #expect(FileManager.default.fileExists(atPath: scene.at("my tour/" + file)), "\(file)")
    }
    #expect(try assets(scene) == "13\n")
    let second = try scene.command("demo", "my tour", "--media", Self.media)
    #expect(second.code == 0, "\(second.streams)")
    #expect(try assets(scene) == "13\n")
  }

  private func assets(_ scene: Scene) throws -> String {
    let catalogue = scene.at("my tour/Library/library.sqlite")
    return try Tool.run("sqlite3", ["-readonly", catalogue, "select count(*) from assets"]).output
  }

  @Test("Somebody's folder stays as it is")
  func notEmpty() throws {
    let scene = Scene()
    try scene.makeFolder("Photos")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: scene.at("Photos/mine.txt")))
    let outcome = try scene.command("demo", "Photos", "--media", Self.media)
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("is not empty"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.at("Photos")) == ["mine.txt"])
  }

  @Test("Where the pictures are not installed it says what to do")
  func notInstalled() throws {
    let outcome = try Scene().command("demo", "tour")
    #expect(outcome.code == 66)
    #expect(outcome.error.contains("--media"))
  }
}
