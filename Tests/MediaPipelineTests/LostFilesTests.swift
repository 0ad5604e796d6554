import Foundation
import MediaFileSystem
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary
@testable import MediaSources

@Suite("Lost files")
struct LostFilesTests {
  /// A library of four assets with five originals and three thumbnails, whose run ended at `time`.
  private func withPublished(
    _ body: (Library, _ path: String, _ end: (_ time: SaveTime) throws -> Void) throws -> Void
  ) throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    try withLibrary(path) { library in
      try BatchFixture(library).publish()
      try body(library, path) { time in
        try library.catalogue.endRun(
          BatchFixture.run,
          ended: time,
          exitCode: .success,
          audit: BatchFixture.position
        )
      }
    }
  }

  private let later = SaveTime(microseconds: SaveTime.now.microseconds + 3_600_000_000)

  @Test("Every asset has its turn, a limited number of them in each run")
  func turns() throws {
    try withPublished { library, path, end in
      try end(.now)
      // The folders of the assets stay, so that no folder of a day has changed.
      let originals = try LostFilesTests.files(beneath: path, "Originals")
      #expect(originals.count == 5)
      for file in originals { try FileManager.default.removeItem(atPath: "\(path)/\(file)") }
      #expect(try LostFiles(of: library, limit: nil).originalCount == 5)
      var counts: [Int] = []
      for run in 2...5 {
        counts.append(try LostFiles(of: library, limit: 1).originalCount)
        try library.catalogue.beginRun(
          "\(run)",
          started: SaveTime(microseconds: 0),
          client: "c",
          manifestSHA256: "m",
          audit: AuditPositionFixture.position(run)
        )
      }
      #expect(counts.sorted() == [1, 1, 1, 2])
    }
  }

  @Test("All files of a missing folder are lost", arguments: ["Thumbnails", "Originals"])
  func missingFolder(folder: String) throws {
    try withPublished { library, path, end in
      try end(later)
      let lost = try LostFilesTests.files(beneath: path, folder)
      try #require(lost.count >= 3)
      try FileManager.default.removeItem(atPath: "\(path)/\(folder)")
      #expect(try LostFiles(of: library, limit: 1).paths.isSuperset(of: lost))
    }
  }

  @Test("A file that was removed after the last run is found whosever turn it is")
  func changedFolder() throws {
    try withPublished { library, path, end in
      // The second asset has its turn, and the thumbnail is of the first.
      let thumbnail = BatchFixture.thumbnail("grid", "known", 4).publishedPath
      let file = URL(fileURLWithPath: "\(path)/\(thumbnail)")
      try FileManager.default.removeItem(at: file)
      let day = Array(file.deletingLastPathComponent().path.utf8)
      let removed = try FileSystem.status(ofPath: day).changed / 1000
      try end(SaveTime(microseconds: removed + 1))
      #expect(try LostFiles(of: library, limit: 1).paths == [])
      try end(SaveTime(microseconds: removed - 1))
      #expect(try LostFiles(of: library, limit: 1).paths == [thumbnail])
    }
  }

  /// The paths below the library of all files beneath one of its folders.
  private static func files(beneath path: String, _ folder: String) throws -> [String] {
    let enumerator = try #require(FileManager.default.enumerator(atPath: "\(path)/\(folder)"))
    return enumerator.compactMap { $0 as? String }.filter { $0.hasSuffix(".jpg") }
      .map { "\(folder)/\($0)" }
  }
}

private enum AuditPositionFixture {
  static func position(_ run: Int) -> AuditPosition {
    AuditPosition(file: "00000\(run)-\(run).ndjson", run: "\(run)", records: 1, bytes: 9, head: "h")
  }
}
