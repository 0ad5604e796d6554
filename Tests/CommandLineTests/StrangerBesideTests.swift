import Foundation
import MediaModel
import MediaTestSupport
import Testing

/// What stands in the place of a file that SQLite opens by itself: it is looked at before, and never waited for.
@Suite("What SQLite would open by itself", .enabled(if: Tool.exists("timeout"), "no timeout"))
struct StrangerBesideTests {
  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera", nil)
    try scene.putPhotos(1...1)
    try scene.writeManifest()
    try scene.command("access", "grant", "manifest.json", "camera").expect(0)
    try scene.run().expect(0)
    return scene
  }

  /// Runs a command that may take twenty seconds; one that does not end gets 137.
  private func bounded(_ scene: Scene, _ arguments: String) throws -> Outcome {
    try scene.shell("timeout -s KILL 20 \"$mediabatch\" \(arguments) < /dev/null")
  }

  /// Each is made in the place of a file, whose path it gets.
  private static let makers = [
    "mkfifo \"$f\"", "mkdir \"$f\"", "ln -s /nowhere \"$f\"",
    "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1)' \"$f\"",
  ]

  @Test(
    "A FIFO, a folder, a link or a socket beside a library's database ends commands with 78 and its name",
    arguments: ["", "-wal", "-shm", "-journal"]
  )
  func library(end: String) throws {
    let scene = try scene()
    let name = "library.sqlite" + end
    try scene.shell("cp -a Library whole").expect(0)
    for maker in Self.makers where !maker.hasPrefix("perl") || Tool.exists("perl") {
      let made = "rm -rf Library && cp -a whole Library && f=Library/\(name) && rm -f \"$f\" && "
      try scene.shell(made + maker).expect(0)
      for command in [
        "run manifest.json --no-input", "list Library", "rebuild Library", "repair Library",
        "label Library x y", "withdraw Library x", "export Library new",
        "repair Library --superseded",
      ] {
        let outcome = try bounded(scene, command)
        #expect(outcome.code == 78, "\(maker), \(command): \(outcome.streams)")
        #expect(outcome.streams.contains("library.sqlite"), "\(maker), \(command): \(outcome.streams)")
      }
      let verify = try bounded(scene, "verify Library --format json")
      #expect(verify.code == 65, "\(maker): \(verify.streams)")
      let problems = try verify.json()["problems"].array.compactMap(\.string)
      #expect(problems.contains { $0.contains("\(name) is no regular file") }, "\(problems)")
    }
  }

  @Test("A rollback journal beside a catalogue is another database's, and is not rolled back")
  func journal() throws {
    let scene = try scene()
    try scene.put("Library/library.sqlite-journal", "whatever it is")
    let before = try readBytes(scene.library + "/library.sqlite")
    for command in ["run manifest.json --no-input", "list Library", "rebuild Library"] {
      let outcome = try bounded(scene, command)
      #expect(outcome.code == 78, "\(command): \(outcome.streams)")
      #expect(outcome.streams.contains("library.sqlite-journal is no file of"), "\(outcome.streams)")
    }
    try bounded(scene, "verify Library").expect(65)
    #expect(try readBytes(scene.library + "/library.sqlite") == before)
    try scene.shell("rm Library/library.sqlite-journal").expect(0)
    try scene.expectVerified()
  }

  @Test("The same beside the stored answers", arguments: ["-journal", "-wal", "-shm"])
  func answers(end: String) throws {
    let scene = try scene()
    let path = "home/mediabatch/answers.sqlite" + end
    for maker in Self.makers.dropLast() {
      try scene.shell("f=\(path) && rm -rf \"$f\" && " + maker).expect(0)
      for command in [
        "run manifest.json --no-input", "access deny manifest.json camera --no-wait", "access list",
      ] {
        let outcome = try bounded(scene, command)
        #expect(outcome.code == 78, "\(maker), \(command): \(outcome.streams)")
        #expect(outcome.streams.contains("answers.sqlite\(end)"), "\(outcome.streams)")
      }
    }
  }
}
