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
  let signals: Signals
  let progress: ProgressMeter
  /// Devices of refused and limited sources: a file with several names there is refused.
  let guardedDevices: Set<UInt64>

  init(
    loaded: LoadedManifest, library: Library, ledger: Ledger, signals: Signals,
    progress: ProgressMeter, guardedDevices: Set<UInt64>
  ) {
    self.loaded = loaded
    self.library = library
    self.ledger = ledger
    self.signals = signals
    self.progress = progress
    self.guardedDevices = guardedDevices
  }

  /// The label of an item: from the labels file, then the template, then its own name.
  func label(of item: ItemWork, facts: Facts) -> Label {
    let path = item.planned.path
    if let given = loaded.labels[item.source.kind]?[path] { return Label(given) }
    let name = EscapedText.percentEscaped(path.stem)
    guard let template = loaded.manifest.labels.template else { return Label(name) }
    return Label(
      template.render(
        originalName: name, creationDate: facts.creationDate, source: item.source.kind,
        number: item.number))
  }

  var interruption: RunError {
    RunError(
      signals.exitCode, code: "interrupted",
      "Stopped on request. What was published stays; run again to go on from here.")
  }
}

/// How far a run has come, told to whoever shows it.
package struct RunProgress: Sendable {
  package var source: SourceKind
  /// Items of this source that have ended.
  package var done: Int
  /// Items of this source that were not unchanged.
  package var total: Int
}

/// Counts items and calls whoever shows it.
final class ProgressMeter {
  private let show: (RunProgress) -> Void
  private var totals: [(source: SourceKind, total: Int)] = []
  private var done = 0

  init(show: @escaping (RunProgress) -> Void) {
    self.show = show
  }

  func begin(_ totals: [(source: SourceKind, total: Int)]) {
    self.totals = totals
    tick()
  }

  func advance() {
    done += 1
  }

  /// Shows where the run is; sources are processed one after the other.
  func tick() {
    var left = done
    for entry in totals where entry.total > 0 {
      if left < entry.total || entry.source == totals.last?.source {
        show(
          RunProgress(source: entry.source, done: min(left, entry.total), total: entry.total))
        return
      }
      left -= entry.total
    }
  }
}
