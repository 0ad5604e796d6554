import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Flips bits in every file of a library, as a disk does that forgets.
@Suite("A flipped bit in any file of a library", .enabled(if: Has.sqlite, "no sqlite3"))
struct FlippedBitTests {
  /// The files that say nothing of the library, by the table of docs/library.md.
  private static let meaningless = [
    ".lock", ".state/watch.lock", "library.sqlite-shm", "private.sqlite-shm",
  ]

  /// A stripped library of two runs, with thumbnails and private facts.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    try scene.putPhotos(2...2)
    try scene.run().expect(0)
    try scene.put("Library/.state/watch.lock", "process 1 on host, since 2026-11-21")
    try scene.expectVerified()
    return scene
  }

  /// The files that have content, by their paths below the library.
  private func files(_ scene: Scene) throws -> [String] {
    let result = try Tool.run("find", [".", "-type", "f", "-size", "+0"], in: scene.library)
    try #require(result.status == 0)
    return result.output.split(separator: "\n").map { String($0.dropFirst(2)) }.sorted()
  }

  /// All values and the schema of a database, as sqlite3 writes them; of another file its bytes.
  private func content(_ file: String) throws -> [UInt8] {
    guard file.hasSuffix(".sqlite") else { return try readBytes(file) }
    let dump = try Tool.run("sqlite3", ["file:\(file)?immutable=1", ".dump"])
    return Array("\(dump.status) \(dump.error) \(dump.output)".utf8)
  }

  @Test("It is found by verify, or the file says nothing of the library")
  func everyFile() throws {
    let scene = try scene()
    let files = try files(scene)
    for kind in ["Originals/", "Thumbnails/", "Audit/", ".state/digest.key"] {
      try #require(files.contains { $0.hasPrefix(kind) }, "\(kind)")
    }
    var random = SeededGenerator()
    for name in files where !Self.meaningless.contains(name) {
      let file = scene.library + "/" + name
      let (whole, metadata) = (try readBytes(file), try content(file))
      for _ in 0..<Amount.of(2, all: 60) {
        var bytes = whole
        let offset = Int.random(in: 0..<whole.count, using: &random)
        bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        // Of a database, counters of its header and unused bytes of its pages are no value.
        let isSeen = try content(file) != metadata
        let verify = try scene.command("verify", scene.library)
        if isSeen { #expect(verify.code != 0, "byte \(offset) of \(name): \(verify.streams)") }
      }
      try Data(whole).write(to: URL(fileURLWithPath: file))
    }
    try scene.expectVerified()
  }

  @Test("In a lock or an index of a write-ahead log it changes nothing")
  func meaningless() throws {
    let scene = try scene()
    let files = try files(scene)
    for name in Self.meaningless where files.contains(name) {
      let file = scene.library + "/" + name
      var bytes = try readBytes(file)
      for offset in [0, bytes.count / 2, bytes.count - 1] { bytes[offset] ^= 0x10 }
      // Written in place: the file keeps its inode and its mode.
      let handle = try #require(FileHandle(forWritingAtPath: file))
      try handle.write(contentsOf: Data(bytes))
      try handle.close()
    }
    try scene.expectVerified()
    try scene.run().expectCounts(["unchanged": 2])
    try scene.expectVerified()
  }
}
