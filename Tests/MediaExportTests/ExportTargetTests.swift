import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaExport

@Suite("What file systems make of a folder's names and times")
struct ExportTargetTests {
  @Test("A time that was rounded to the step of a file system is the same one, and no other is")
  func times() {
    let noted: Int64 = 1_700_000_001_123_456_789
    for time in [
      noted, 1_700_000_001_123_456_700, 1_700_000_001_120_000_000, 1_700_000_001_000_000_000,
      1_700_000_000_000_000_000, 1_700_000_002_000_000_000,
    ] {
      #expect(ExportFolder.isSameTime(time, noted), "\(time)")
    }
    for time in [
      noted + 1, noted - 1, 1_700_000_001_123_456_600, 1_700_000_001_150_000_000,
      1_700_000_003_000_000_000, 1_699_999_999_000_000_000, 0, Int64.min, Int64.max,
    ] {
      #expect(!ExportFolder.isSameTime(time, noted), "\(time)")
    }
  }

  @Test(
    "A name beside the folder's is cut at a character, and that of another long name is another"
  )
  func hiddenNames() {
    func hidden(_ name: String) -> [UInt8] { ExportFolder.hidden(Array(name.utf8), "partial") }
    #expect(hidden("out") == Array(".out.mediabatch-partial".utf8))
    let long = String(repeating: "x", count: 199) + "é" + String(repeating: "y", count: 54)
    let names = [long, long + "z"].map(hidden)
    #expect(names[0] != names[1])
    for name in names {
      #expect(name.count <= 255)
      #expect(String(validating: name, as: UTF8.self)?.contains("é") == false)
    }
  }
}
