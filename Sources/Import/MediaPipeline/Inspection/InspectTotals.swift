package import MediaModel

/// The counts over all inspected files, and the exit code that follows from them.
package struct InspectTotals: Sendable, Hashable {
  /// Files that were named.
  package private(set) var files = 0
  /// The number of files that were inspected.
  package private(set) var inspected = 0
  /// Entries of all inspected files.
  package private(set) var entries = 0
  /// Entries that `strip` removes.
  package private(set) var removed = 0
  /// 66 when a file is missing, else 3 when one could not be inspected.
  package private(set) var exitCode = RunExitCode.success

  /// Makes totals of no files.
  package init() {}

  /// Counts one more file.
  package mutating func add(_ file: InspectedFile) {
    files += 1
    entries += file.entries.count
    removed += file.removedCount
    guard let problem = file.problem else {
      inspected += 1
      return
    }
    if problem.isMissing {
      exitCode = .sourceUnavailable
    } else if exitCode == .success {
      exitCode = .itemsFailed
    }
  }
}
