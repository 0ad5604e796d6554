package import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
internal import MediaPipeline
internal import MediaSandbox

/// Stacks assets as a person wants it, or takes assets out of their stacks.
///
/// The order of writes is that of a relabelling: the decision is in the journal, then in the log, then in the
/// catalogue. The process restricts itself to the log and the catalogue: no file of an asset is opened.
package struct StackEdit {
  /// The decision that was carried out; nil when nothing changed.
  package private(set) var done: Stacking?
  /// The log's new head; nil when there was nothing to do, which leaves the log as it was.
  package private(set) var log: EndedLog?
  /// The error that stopped it, if any.
  package private(set) var problems: [RunReport.Problem] = []
  /// The exit code of the command: 64 when an asset is not found.
  package private(set) var exitCode = RunExitCode.success

  /// Changes stacks while holding the library's lock.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - words: A localIdentifier each, or the beginning of one that no other asset has. Whole stacks come
  ///     with each of their assets. The first is the new cover.
  ///   - isApart: Whether the assets are taken out of their stacks; otherwise they become one.
  ///   - waits: Whether to wait while another run holds the library.
  ///   - enforcement: Whether the kernel confines the process.
  ///   - signer: Signs the log's head; nil when it is not signed.
  package init(
    library path: [UInt8],
    _ words: [String],
    isApart: Bool,
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?
  ) {
    do {
      try edit(path, words, isApart, waits: waits, enforcement, signer)
    } catch {
      let stop = RunError(wrapping: error)
      exitCode = stop.exitCode
      problems.append(stop.problem)
    }
  }

  private mutating func edit(
    _ path: [UInt8],
    _ words: [String],
    _ isApart: Bool,
    waits: Bool,
    _ enforcement: Enforcement,
    _ signer: AuditSigner?
  ) throws {
    try RunError.requireEnforcement(enforcement, of: "what writes the library's catalogue")
    let library = try MaintenanceLog.open(path, waits: waits)
    defer { library.catalogue.close() }
    // Looked at before anything is written, and again behind a recovery.
    guard try Recovery.isNeeded(in: library) || plan(words, isApart, in: library) != nil else {
      return
    }
    let log = try MaintenanceLog(
      of: isApart ? "unstack" : "stack",
      in: library,
      enforcement: enforcement,
      signer: signer
    )
    for problem in log.problems {
      problems.append(problem)
      if exitCode == .success { exitCode = problem.code.exitCode }
    }
    let stacking = try plan(words, isApart, in: library)
    if enforcement == .kernel {
      let layer = try LandlockLayer()
      try CoordinatorConfinement.allowLogAndCatalogue(of: library, in: layer)
      try layer.enforce()
      try SeccompFilter.allowForCoordinator()
    }
    if let stacking { try log.journal.carryOut(StagedBatch(stackings: [stacking])) }
    done = stacking
    self.log = try log.end(exitCode: exitCode)
  }

  /// Finds the assets, each with the stack that it is in.
  ///
  /// - Returns: The decision; nil when the assets are this stack already, or in none.
  /// - Throws: `RunError` when an asset is not found.
  private func plan(
    _ words: [String],
    _ isApart: Bool,
    in library: Library
  ) throws -> Stacking? {
    var assets: [String] = []
    var stacked = 0
    for word in words {
      let named = try AssetArgument.asset(word, in: library)
      let stack = try library.catalogue.stack(of: named)
      if stack.count > 1 { stacked += 1 }
      // The asset that was named comes before the others of its stack, so that it can become the cover.
      for asset in [named] + stack where !assets.contains(asset) { assets.append(asset) }
    }
    if isApart { return stacked == 0 ? nil : Stacking(assets: assets, isApart: true) }
    guard assets.count > 1 else {
      throw RunError(
        .noSuchAsset,
        "A stack has two assets or more. Name each of them."
      )
    }
    let known = try library.catalogue.stack(of: assets[0])
    return known == assets ? nil : Stacking(assets: assets, isApart: false)
  }
}
