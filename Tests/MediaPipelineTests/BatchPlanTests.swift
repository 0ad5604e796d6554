import Foundation
import MediaFileSystem
import MediaLibrary
import MediaListing
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPipeline
@testable import MediaSources

@Suite("Cutting into batches")
struct BatchPlanTests {
  private let scratch = TemporaryFolder()

  private func batches(_ sources: [[PendingItem]]) throws -> [[ItemWork]] {
    let library = try openLibrary(scratch.path + "/Library")
    defer { library.catalogue.close() }
    let planned = try sources.enumerated().map { index, pending in
      (try plannedSource(kind: SourceKind.allCases[index % 3]), PendingItems(pending))
    }
    var plan = BatchPlan(sources: planned, library: library, thumbnails: [], limits: ItemLimits())
    var batches: [[ItemWork]] = []
    while let next = try plan.next() { batches.append(next) }
    #expect(try plan.next() == nil)
    return batches
  }

  @Test(
    "Each full batch doubles the next one up to 256 items; none is lost, none is there twice",
    arguments: [
      [], [1], [63], [64], [64, 1], [64, 128], [64, 128, 1], [64, 128, 256, 256, 96],
    ]
  )
  func counts(_ counts: [Int]) throws {
    try #require(BatchWork.maximumCount == 256, "few files may be open: see ulimit -n")
    let count = counts.reduce(0, +)
    let items = (0..<count).map { pending("\(10_000 + $0).jpg", number: $0 + 1) }
    let batches = try batches([items])
    #expect(batches.map(\.count) == counts)
    #expect(batches.joined().map(\.planned.path) == items.map(\.listed.path))
    #expect(batches.joined().map(\.pending.number) == Array(1..<(count + 1)))
    for batch in batches { #expect(batch.map(\.index) == Array(batch.indices)) }
  }

  @Test("Files that may be two halves are never in two batches", arguments: 0..<12)
  func pairs(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var items: [PendingItem] = []
    for index in 0..<150 {
      let extensions = ["HEIC", "mov", "JPG"].prefix(Int.random(in: 1...3, using: &generator))
      for name in extensions {
        let stem = Bool.random(using: &generator) ? "img_\(index)" : "IMG_\(index)"
        items.append(pending("d/\(stem).\(name)", size: Int64.random(in: 0...2_000_000, using: &generator)))
      }
    }
    items.shuffle(using: &generator)
    let batches = try batches([items])
    var batchOfStem: [String: Int] = [:]
    for (index, batch) in batches.enumerated() {
      for item in batch {
        let stem = String(decoding: item.planned.path.stem, as: UTF8.self).lowercased()
        #expect(batchOfStem[stem] == nil || batchOfStem[stem] == index, "\(stem)")
        batchOfStem[stem] = index
      }
      let bytes = batch.reduce(0) { $0 + $1.planned.status.size }
      #expect(bytes <= BatchWork.maximumBytes)
    }
    #expect(batches.joined().map(\.planned.path).sorted() == items.map(\.listed.path).sorted())
  }

  @Test("The same name in two folders, or two cases of one folder, is no pair")
  func folders() {
    let key = { (path: String) in ItemPath(bytes: bytes(path)).pairingKey }
    #expect(key("d/a.heic") == key("d/A.MOV"))
    #expect(key("a.heic") == key("a.mov"))
    #expect(key("d/a.heic") != key("e/a.mov"))
    #expect(key("d/a.heic") != key("D/a.mov"))
    #expect(key("caf\u{E9}.heic") != key("cafe\u{301}.mov"))
    #expect(key("\u{C9}.heic") != key("\u{E9}.mov"))
    #expect(key("a.b.heic") != key("a.mov"))
  }

  @Test("A batch holds at most its bytes, but one file of any size; no sum overflows")
  func sizes() throws {
    let most = BatchWork.maximumBytes
    let sizes: [Int64] = [.max, .max, 1, most, 1, most - 1, 1, 1, .max, 0, 0]
    let items = sizes.enumerated().map { pending("\($0.offset + 10).jpg", size: $0.element) }
    let batches = try batches([items])
    #expect(
      batches.map { $0.map(\.planned.status.size) } == [
        [.max], [.max], [1], [most], [1, most - 1], [1, 1], [.max], [0, 0],
      ]
    )
    for item in batches.joined() {
      let (_, overflow) = item.deadlineSeconds.multipliedReportingOverflow(by: 2_000_000_000)
      #expect(!overflow && item.deadlineSeconds >= 10)
    }
    // Halves of one name are one group, whatever they are together.
    let pair = try self.batches([[pending("x.heic", size: .max), pending("x.mov", size: .max)]])
    #expect(pair.map(\.count) == [2])
  }

  @Test("More files of one name than a batch holds are cut all the same")
  func manyOfOneName() throws {
    let items = (0..<150).map { pending("x.\($0 + 100)") }
    let batches = try batches([items])
    #expect(batches.map(\.count) == [64, 86])
  }

  @Test("A batch is of one source; sources without work are passed over")
  func sources() throws {
    let batches = try batches([[pending("a")], [], [pending("a"), pending("b")]])
    #expect(batches.map { $0.map(\.source.id) } == [[.camera], [.microphone, .microphone]])
  }

  @Test("Each item has a save time of its own, in order")
  func saveTimes() throws {
    let batches = try batches([(0..<200).map { pending("\(1000 + $0)") }])
    let times = batches.joined().map(\.planned.saveTime)
    #expect(times == times.sorted())
    #expect(Set(times).count == 200)
  }
}
