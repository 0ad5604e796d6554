internal import Crypto
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
package import MediaModel

/// What every step of a run looks at.
final class RunContext {
  let loaded: LoadedManifest
  let library: Library
  let ledger: Ledger
  let watch: PermissionWatch
  let signals: Signals
  let progress: ProgressCounter
  /// Devices of sources that were refused or limited as the run began.
  private let guardedAtStart: Set<UInt64>

  /// Devices of refused and limited sources: a file with several names there is refused.
  var guardedDevices: Set<UInt64> { guardedAtStart.union(watch.guardedDevices) }

  init(
    loaded: LoadedManifest,
    library: Library,
    ledger: Ledger,
    watch: PermissionWatch,
    signals: Signals,
    progress: ProgressCounter,
    guardedDevices: Set<UInt64>
  ) {
    self.loaded = loaded
    self.library = library
    self.ledger = ledger
    self.watch = watch
    self.signals = signals
    self.progress = progress
    guardedAtStart = guardedDevices
  }

  /// The label of an item: its number where labels are neutral; otherwise from the labels file, then
  /// the template, then its own name.
  func label(of item: ItemWork, facts: Facts) -> Label {
    if loaded.manifest.labels.neutral { return Label(String(item.number)) }
    let path = item.planned.path
    if let given = loaded.labels[item.source.kind]?[path] { return Label(given) }
    let name = EscapedText.percentEscaped(path.stem)
    guard let template = loaded.manifest.labels.template else { return Label(name) }
    return Label(
      template.render(
        originalName: name,
        creationDate: facts.creationDate,
        source: item.source.kind,
        number: item.number
      )
    )
  }

  var interruption: RunError {
    RunError(
      .interrupted,
      exitCode: signals.exitCode,
      "Stopped on request. What was published stays; run again to go on from here."
    )
  }
}

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
