package import MediaModel

/// The progress of a run.
package struct RunProgress: Sendable {
  /// The source that is processed now.
  package var source: SourceID
  /// The number of items of all sources that have ended.
  package var done: Int
  /// The number of items of all sources that are not unchanged.
  package var total: Int
}

/// Tells which source a run is processing; sources are processed one after the other.
struct ProgressCounter {
  private let totals: [(source: SourceID, total: Int)]
  private let show: (RunProgress) -> Void

  /// Creates a counter of the numbers of items by source, in the order of the run.
  init(totals: [(source: SourceID, total: Int)], show: @escaping (RunProgress) -> Void) {
    self.totals = totals.filter { $0.total > 0 }
    self.show = show
  }

  /// Shows the progress after `done` items have ended.
  func show(done: Int) {
    var left = done
    var current = totals.last?.source
    for entry in totals {
      if left < entry.total {
        current = entry.source
        break
      }
      left -= entry.total
    }
    guard let current else { return }
    let total = totals.reduce(0) { $0 + $1.total }
    show(RunProgress(source: current, done: min(done, total), total: total))
  }
}
