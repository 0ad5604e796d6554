import MediaFileSystem
import MediaLibrary
import MediaListing
import MediaModel
import Testing

@testable import MediaPipeline

@Suite("What a run counts of its items")
struct RunTallyTests {
  private func result(_ path: String, _ outcome: ItemOutcome, _ reason: ItemReason? = nil)
    -> ItemResult
  {
    ItemResult(
      item: PlannedItem(
        source: .library,
        path: ItemPath(bytes: bytes(path)),
        status: FileStatus(kind: .regular),
        saveTime: SaveTime(microseconds: 0)
      ),
      outcome: outcome,
      reason: reason,
      writtenUnder: "",
      policy: .keep
    )
  }

  @Test("Every outcome counts once, and a half that was published before counts nowhere")
  func outcomes() {
    var tally = RunTally()
    var again = result("again", .imported)
    again.isAgain = true
    tally.count([
      result("a", .imported), again, result("b", .failed, .damaged),
      result("c", .imported, .thumbnailMissing), result("d", .unsupported, .unknownFormat),
      result("e", .skipped, .trashed), result("f", .skipped, .sidecarRead),
    ])
    #expect(tally.counts == [.library: [.imported: 2, .failed: 1, .unsupported: 1, .skipped: 2]])
    #expect(tally.outcomes == [.imported: 2, .failed: 1, .unsupported: 1, .skipped: 2])
    #expect(tally.endedCount == 6)
    #expect(tally.totals.failures.map(\.path.text) == ["b"])
    #expect(tally.totals.thumbnailMissing.map(\.path.text) == ["c"])
    #expect(tally.totals.unsupported.map(\.path.text) == ["d"])
    #expect(tally.totals.unsupported.map(\.reason) == [.unknownFormat])
    // A sidecar beside each photo is no news.
    #expect(tally.totals.leftOut.map(\.reason) == [.unknownFormat, .trashed])
  }

  @Test("Of items that are left out alike only the first are named, and all are counted")
  func examples() {
    let listed = ListedItems(
      (10..<40).map {
        ListedItem(path: ItemPath(bytes: bytes("\($0)")), status: FileStatus(kind: .regular))
      }
    )
    var paths = ListedPaths(of: listed)
    for index in listed.indices { paths.append(itemAt: index) }
    var tally = RunTally()
    for _ in 0..<2 { tally.count(paths, of: .camera, as: .skipped, because: .notFetched) }
    tally.countRefused(0, of: .library)
    #expect(tally.counts == [.camera: [.skipped: 60]])
    #expect(tally.totals.leftOut.map(\.count) == [60])
    #expect(tally.totals.leftOut.first?.examples.count == RunReport.LeftOut.maximumExamples)
  }

  @Test("What no earlier run left out is named before the rest")
  func newOnes() {
    var tally = RunTally()
    let all = (10..<40).map { result("\($0)", .unsupported, .unknownFormat) }
    let new: Set<Int> = [3, 28, 29]
    let repeatedPaths = all.indices.filter { !new.contains($0) }.map { all[$0].item.path }
    tally.count(all + [result("broken", .failed, .damaged)], repeated: Set(repeatedPaths))
    let examples = tally.totals.leftOut.first?.examples.map(\.text) ?? []
    #expect(examples.prefix(5) == ["13", "38", "39", "10", "11"], "\(examples)")
    #expect(examples.count == RunReport.LeftOut.maximumExamples)
    #expect(tally.totals.failures.map(\.isRepeated) == [false])
    for _ in 0..<30 { tally.count([result("new", .unsupported, .unknownFormat)]) }
    #expect(tally.totals.leftOut.first?.examples.last?.text == "new")
    #expect(tally.totals.leftOut.first?.examples.count == RunReport.LeftOut.maximumExamples)
  }
}
