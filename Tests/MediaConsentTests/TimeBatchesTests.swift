import MediaModel
import MediaPicking
import Testing

@testable import MediaConsent

@Suite("Capture times are read of the newest files, in batches")
struct TimeBatchesTests {
  private func candidates(_ modified: [Int64]) -> [PickCandidate] {
    modified.enumerated().map { number, modified in
      PickCandidate(files: [ItemPath(bytes: Array("\(number).jpg".utf8))], modified: modified)
    }
  }

  /// Reads all, one file after the other.
  private func all(_ batches: inout TimeBatches) -> [TimeBatches.File] {
    var files: [TimeBatches.File] = []
    while let file = batches.next({ _ in true }) {
      files.append(file)
      batches.finish(file)
    }
    return files
  }

  @Test("What changed last comes first, and what says its time is left out")
  func order() {
    var list = candidates([5, 9, 7, 9])
    list[2].taken = 1
    var batches = TimeBatches(list, width: 1)
    #expect(!batches.isOver)
    let files = all(&batches)
    #expect(files.map(\.index) == [1, 3, 0] && files.map(\.batch) == [0, 0, 0])
    #expect(files.map(\.isLastOfBatch) == [false, false, true] && batches.isOver)
    var none = TimeBatches([], width: 3)
    #expect(none.isOver && none.next { _ in true } == nil)
  }

  @Test("No batch has more than 64 files, and no more than 5,000 files are read")
  func bounds() {
    var batches = TimeBatches(candidates((0..<6_000).map { Int64($0) }), width: 1)
    let files = all(&batches)
    #expect(files.map(\.index) == Array((1_000..<6_000).reversed()) && batches.isOver)
    let counts = Dictionary(grouping: files, by: \.batch).values.map(\.count)
    #expect(counts.max() == 64 && counts.count == 79)
    #expect(files.filter(\.isLastOfBatch).count == 79)
  }

  @Test("Of a batch one file is read at a time, and as many batches as there are workers")
  func width() throws {
    var batches = TimeBatches(candidates([Int64](repeating: 1, count: 200)), width: 2)
    let first = try #require(batches.next { _ in true })
    let second = try #require(batches.next { _ in true })
    #expect(first.batch == 0 && second.batch == 1)
    #expect(batches.next { _ in true } == nil)
    batches.finish(first)
    #expect(batches.next { $0 != 0 } == nil, "there is no worker for it")
    #expect(batches.next { _ in true }?.batch == 0)
    #expect(!batches.isOver)
  }

  @Test("A time is that of the camera's clock, by the rules of an import, also that of a name")
  func rules() {
    func time(_ name: String, _ local: String?, offset: Int? = nil) -> Int64? {
      var facts = Facts(format: .jpeg)
      facts.description = MediaDescription()
      facts.creationDate = local.map {
        CaptureDate(local: $0, offsetMinutes: offset, tag: "DateTimeOriginal")
      }
      let candidate = PickCandidate(files: [ItemPath(bytes: Array(name.utf8))], modified: 1)
      return candidate.captureTime(by: facts)
    }
    let date: Int64 = 1_562_235_330_000_000_000
    #expect(time("a.jpg", "2019-07-04T10:15:30") == date)
    #expect(time("a.jpg", "2019-07-04T10:15:30", offset: 120) == date)
    #expect(time("a.jpg", nil) == nil)
    #expect(time("2020/IMG_20190704_101530.jpg", nil) == date)
    // Not plausible: the name is asked.
    #expect(time("a.jpg", "2219-07-04T10:15:30") == nil)
    #expect(time("IMG_20190704_101530.jpg", "1700-07-04T10:15:30") == date)
    #expect(time("a.jpg", "1969-12-31T23:59:59") == -1_000_000_000)
    let unreadable = PickCandidate(
      files: [ItemPath(bytes: Array("IMG_20190704_101530.jpg".utf8))],
      modified: 1
    )
    #expect(unreadable.captureTime(by: nil) == date)
    #expect(PickCandidate(files: [ItemPath(bytes: [0x61])]).captureTime(by: nil) == nil)
  }
}
