import Foundation
import Glibc
import MediaFileSystem
import MediaLibrary
import MediaTestSupport
import Testing

@Suite("Digests of files")
struct FileDigestTests {
  private let scratch = TemporaryFolder()

  /// Makes a file whose data begin at these offsets, between holes.
  private func make(_ parts: [(offset: UInt64, count: Int)], length: UInt64) throws -> Descriptor {
    let path = scratch.path + "/file"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    for part in parts {
      try file.seek(toOffset: part.offset)
      try file.write(contentsOf: Data((0..<part.count).map { UInt8(truncatingIfNeeded: $0 * 7) }))
    }
    try file.truncate(atOffset: length)
    try file.close()
    let root = try FileSystem.openFolder(Array(scratch.path.utf8))
    return try FileSystem.openForReading(beneath: root, Array("file".utf8), crossMounts: true)
  }

  /// The bytes that this thread has read through system calls. Source: proc_pid_io(5).
  private func bytesRead() throws -> Int {
    let text = String(decoding: try readBytes("/proc/thread-self/io"), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
    return try #require(Int(line.dropFirst(7)))
  }

  @Test(
    "Holes are part of the digest, and are not read",
    .enabled(if: Tool.exists("sha256sum"), "no sha256sum"),
    arguments: [
      [], [(0, 10)], [(0, 300_000)], [(12_000_000, 5)], [(0, 9), (10_000_001, 70_000)],
      [(0, 9), (500_000, 9), (11_999_990, 10)],
    ] as [[(offset: UInt64, count: Int)]]
  )
  func holes(parts: [(offset: UInt64, count: Int)]) throws {
    for length in [12_000_005, 16_000_000] as [UInt64] {
      let file = try make(parts, length: length)
      let before = try bytesRead()
      let digest = try FileDigest.of(file)
      let read = try bytesRead() - before
      let output = try Tool.run("sha256sum", [scratch.path + "/file"]).output
      #expect(output.hasPrefix(digest.sha256 + " ") && digest.bytes == Int64(length))
      #expect(read < 2_000_000, "\(read) bytes of \(length) were read")
    }
  }

  @Test("The digest of a beginning is that of so many bytes, wherever it ends")
  func beginnings() throws {
    let file = try make([(0, 100), (3_000_000, 300_000)], length: 9_000_000)
    for count in [0, 1, 100, 262_144, 262_145, 2_999_999, 3_000_001, 8_999_999, 9_000_000] {
      let digest = try FileDigest.of(file, first: Int64(count))
      let result = try Tool.run("sh", ["-c", "head -c \(count) \"$0\" | sha256sum", scratch.path + "/file"])
      #expect(result.output.hasPrefix(digest.sha256 + " ") && digest.bytes == count, "\(count)")
    }
  }
}
