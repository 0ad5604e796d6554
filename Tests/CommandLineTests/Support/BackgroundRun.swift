import Foundation
import Glibc
import Testing

/// A run that was started and goes on, to be signalled by its own identifier.
final class BackgroundRun {
  private let process = Process()

  init(_ scene: Scene, _ arguments: [String] = []) throws {
    try scene.writeManifest()
    process.executableURL = URL(fileURLWithPath: try Scene.executable())
    process.arguments = ["run", "manifest.json"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: scene.path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end; 128 and the signal's number after a signal.
  @discardableResult
  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// The identifiers of its workers, as the kernel lists its children.
  var workers: [Int32] {
    let pid = process.processIdentifier
    let text = try? String(
      contentsOfFile: "/proc/\(pid)/task/\(pid)/children",
      encoding: .utf8
    )
    return (text ?? "").split(separator: " ").compactMap { Int32($0) }
  }
}

/// Whether the long versions of the slow tests run.
let isThorough = ProcessInfo.processInfo.environment["MEDIABATCH_TEST_ALL"] != nil

extension Scene {
  /// Photos, a live photo, equal files, a broken file and one of no format, in two folders.
  func putMixture() throws {
    for orientation in 1...8 {
      try put("sources/library/a/IMG_\(orientation).JPG", copyOf: Samples.photo(orientation))
    }
    for number in 0..<24 {
      // Bytes behind the end make another file of the same picture.
      let bytes = try mediaBytes(Samples.harbour)
      try put("sources/library/b/harbour-\(number).jpg", bytes + Array("\(number)".utf8))
    }
    try put("sources/library/live/IMG_0041.JPG", copyOf: Samples.still)
    try put("sources/library/live/IMG_0041.MOV", copyOf: Samples.movie)
    try put("sources/library/equal-1.jpg", copyOf: Samples.photo(1))
    try put("sources/library/equal-2.png", copyOf: Samples.png)
    try put("sources/library/equal-3.png", copyOf: Samples.png)
    try put("sources/library/cut.jpg", Array(try mediaBytes(Samples.photo(2)).prefix(9000)))
    try put("sources/library/note.txt", "no format that is known")
  }

  private func mediaBytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// All that two libraries of the same sources have in common, however they came to be.
  func essence() throws -> [String] {
    try catalogue(
      """
      SELECT 'file', label, role, format, sha256, degraded FROM assets
        JOIN resources ON resources.asset = assets.id
      UNION ALL SELECT 'thumbnail', label, name, width || 'x' || height, thumbnails.sha256, ''
        FROM assets JOIN thumbnails ON thumbnails.asset = assets.id
      UNION ALL SELECT 'item', source, hex(path), outcome, coalesce(reason, ''), '' FROM items
      ORDER BY 1, 2, 3, 4, 5, 6
      """
    )
  }

  /// Items that the catalogue knows and of which no outcome record tells.
  func itemsWithoutOutcome() throws -> [String] {
    var recorded: Set<String> = []
    for file in try logFiles() {
      for line in file.lines {
        // The last line of a killed run may be torn.
        guard let record = try? JSON(text: line), record["event"].string == "outcome" else {
          continue
        }
        recorded.insert("\(record["source"].string ?? "")/\(record["path"].string ?? "")")
      }
    }
    return try catalogue("SELECT source || '/' || CAST(path AS TEXT) FROM items")
      .filter { !recorded.contains($0) }
  }
}
