import Foundation
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary

@Suite("Lost files")
struct LostFilesTests {
  @Test("Every asset has its turn, a limited number of them in each run")
  func turns() throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      let batch = try fixture.intend()
      try fixture.stage(batch, BatchFixture.staged)
      var publisher = Publisher(library: library)
      try library.catalogue.stage(batch, BatchFixture.staged)
      try publisher.publish(batch, BatchFixture.staged)
      try library.catalogue.publish(batch, BatchFixture.staged, run: BatchFixture.run)
      #expect(try LostFiles(of: library, limit: nil) == LostFiles(of: library, limit: 1))
      try FileManager.default.removeItem(atPath: path + "/Originals")
      let all = try LostFiles(of: library, limit: nil)
      // Four assets, of which one has two files.
      #expect(all.originalCount == 5)
      var found: [Int] = []
      for run in 2...5 {
        found.append(try LostFiles(of: library, limit: 1).originalCount)
        try library.catalogue.beginRun(
          "\(run)",
          started: SaveTime(microseconds: 0),
          client: "c",
          manifestSHA256: "m",
          audit: AuditPositionFixture.position(run)
        )
      }
      #expect(found.sorted() == [1, 1, 1, 2])
    }
  }
}

private enum AuditPositionFixture {
  static func position(_ run: Int) -> AuditPosition {
    AuditPosition(file: "00000\(run)-\(run).ndjson", run: "\(run)", records: 1, bytes: 9, head: "h")
  }
}
