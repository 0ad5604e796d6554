import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// A file's length costs no memory: neither in the worker that reads it, nor in the coordinator that
/// writes what is left of it.
@Suite(
  "Memory over files that are mostly holes",
  .ownProcesses,
  .serialized,
  .enabled(if: Amount.isAll, "reads 10 GB: set MEDIABATCH_TEST_ALL")
)
struct SparseFileMemoryTests {
  /// Kilobytes that a run may differ from another by itself: an allocator's whims, a sample in time.
  static let slack = 4096

  @Test("Of a JPEG before 10 GB of nothing the picture is left, and 10 MB took as much memory")
  func trailer() throws {
    let small = try Self.peaks(of: 10_000_000, Self.jpeg)
    let large = try Self.peaks(of: 10_000_000_000, Self.jpeg)
    Self.expectNoMore(large, than: small)
  }

  @Test("A TIFF with 1 GB in one strip is copied in the memory of one with 10 MB")
  func strip() throws {
    let small = try Self.peaks(of: 10_000_000, Self.tiff)
    let large = try Self.peaks(of: 1_000_000_000, Self.tiff)
    Self.expectNoMore(large, than: small)
  }

  struct Peaks: CustomStringConvertible {
    var coordinator = 0
    var worker = 0
    /// Kilobytes of files, mostly of the one that is read.
    var file = 0
    var samples = 0
    var description: String {
      "coordinator \(coordinator) kB, worker \(worker) and \(file) kB in \(samples) samples"
    }
  }

  private static func expectNoMore(_ large: Peaks, than small: Peaks) {
    print("small: \(small); large: \(large)")
    #expect(large.coordinator <= small.coordinator + slack, "\(small); \(large)")
    #expect(large.worker <= small.worker + slack, "\(small); \(large)")
    #expect(large.file <= small.file + slack, "\(small); \(large)")
  }

  /// Imports a file of `length` bytes that ends in a hole, and looks at anonymous memory meanwhile.
  private static func peaks(
    of length: Int,
    _ make: (_ length: Int) throws -> (bytes: [UInt8], name: String)
  ) throws -> Peaks {
    let scene = try Scene(policy: "strip").declare("camera")
    scene.manifest["limits"] = ["pixels": 1_000_000_000]
    let (bytes, name) = try make(length)
    let path = try scene.put("sources/camera/" + name, bytes)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(length))
    try file.close()
    try scene.writeManifest()
    let program = try RunningProgram(nil, ["run", "manifest.json", "--format", "json"], in: scene.path)
    var peaks = Peaks()
    let ended = program.end(seconds: 600) {
      peaks.coordinator = max(peaks.coordinator, anonymous(program.pid))
      let workers = program.workers.map(anonymous)
      peaks.worker = max(peaks.worker, workers.max() ?? 0)
      let files = program.workers.map { RunningProgram.memory("RssFile", of: $0) / 1024 }
      peaks.file = max(peaks.file, files.max() ?? 0)
      peaks.samples += workers.count { $0 > 0 }
    }
    let outcome = Outcome(try #require(ended))
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1])
    try #require(peaks.samples > 0 && peaks.coordinator > 0, "no worker was seen")
    return peaks
  }

  /// Kilobytes of a process's memory that no file is behind.
  private static func anonymous(_ pid: Int32) -> Int {
    RunningProgram.memory("RssAnon", of: pid) / 1024
  }

  private static func jpeg(_: Int) throws -> (bytes: [UInt8], name: String) {
    (try Media.photo("one"), "trailer.jpg")
  }

  /// Gray, uncompressed, all rows in one strip.
  private static func tiff(_ length: Int) -> (bytes: [UInt8], name: String) {
    let start = 4096
    let width = 40_000
    let rows = (length - start) / width
    let tags = [
      (256, width), (257, rows), (258, 8), (259, 1), (262, 1), (273, start), (277, 1), (278, rows),
      (279, rows * width),
    ]
    let entries = tags.flatMap { tag, value in
      little(tag, 2) + little([258, 259, 262, 277].contains(tag) ? 3 : 4, 2) + little(1, 4)
        + little(value, 4)
    }
    let bytes = Array("II".utf8) + [42, 0, 8, 0, 0, 0] + little(tags.count, 2) + entries
    return (bytes + [0, 0, 0, 0], "strip.tif")
  }
}
