package import MediaModel

/// How far a run has come, told to whoever shows it.
package struct RunProgress: Sendable {
  /// The one at work.
  package var source: SourceKind
  /// Items that have ended, of all sources.
  package var done: Int
  /// Items that are not unchanged, of all sources.
  package var total: Int
}

/// Knows which source a run is at; sources are processed one after the other.
struct ProgressCounter {
  private let totals: [(source: SourceKind, total: Int)]
  private let show: (RunProgress) -> Void

  init(totals: [(source: SourceKind, total: Int)], show: @escaping (RunProgress) -> Void) {
    self.totals = totals.filter { $0.total > 0 }
    self.show = show
  }

  /// Shows that so many items have ended.
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
