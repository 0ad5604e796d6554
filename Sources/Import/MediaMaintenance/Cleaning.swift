package import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
internal import MediaPipeline

/// Performs the recovery with which a run starts, and nothing else: finishes an interrupted run and
/// removes superseded files. Reads no source.
package struct Cleaning {
  /// The removed files, as escaped paths beneath the library.
  package private(set) var removed: [String] = []
  /// The number of replaced originals that stay.
  package private(set) var replaced = 0
  /// The error that stopped the cleaning, if any.
  package private(set) var problems: [RunReport.Problem] = []
  /// The log's new head; nil when there was nothing to do, which leaves the log as it was.
  package private(set) var log: EndedLog?
  /// The exit code of the command.
  package private(set) var exitCode = RunExitCode.success

  /// Cleans a library while holding its lock; a folder that is no library stays unchanged.
  ///
  /// `removesReplaced` also removes the originals that newer versions have replaced.
  package init(
    library path: [UInt8],
    removesReplaced: Bool = false,
    waits: Bool,
    signer: AuditSigner?
  ) {
    do {
      try clean(path, removesReplaced: removesReplaced, waits: waits, signer: signer)
    } catch {
      let stop = RunError(wrapping: error)
      exitCode = stop.exitCode
      problems.append(stop.problem)
    }
  }

  private mutating func clean(
    _ path: [UInt8],
    removesReplaced: Bool,
    waits: Bool,
    signer: AuditSigner?
  ) throws {
    let library = try MaintenanceLog.open(path, waits: waits)
    defer { library.catalogue.close() }
    replaced = try library.catalogue.replacedPaths().count
    guard try Recovery.isNeeded(in: library) || removesReplaced && replaced > 0 else { return }
    let log = try MaintenanceLog(of: "clean", in: library, signer: signer) { run in
      if removesReplaced { try library.catalogue.supersedeReplaced(run: run) }
    }
    removed = log.recovery.removed.map { EscapedText.printable($0.path) }
    replaced = try library.catalogue.replacedPaths().count
    for problem in log.problems {
      problems.append(problem)
      if exitCode == .success { exitCode = problem.code.exitCode }
    }
    self.log = try log.end(exitCode: exitCode)
  }
}
