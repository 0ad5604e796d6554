package import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
package import MediaModel
internal import MediaPipeline
internal import MediaSandbox

/// Takes published assets out of the library, by moving their files to `Quarantine`.
///
/// The order of writes is that of a relabelling: the decision is in the journal, then in the log, then the
/// files are moved and flushed, then the catalogue has it. One that is killed is finished by whatever opens
/// the library for writing next. The process restricts itself before the first file is moved to the folders
/// of these assets and to the new folder in `Quarantine`.
package struct Withdrawing {
  /// The assets whose files were moved.
  package private(set) var done: [Withdrawal] = []
  /// The assets that were withdrawn before, by their identifiers.
  package private(set) var unchanged: [String] = []
  /// The log's new head; nil when there was nothing to do, which leaves the log as it was.
  package private(set) var log: EndedLog?
  /// The error that stopped it, if any.
  package private(set) var problems: [RunReport.Problem] = []
  /// The exit code of the command: 64 when an asset is not found.
  package private(set) var exitCode = RunExitCode.success

  /// Withdraws assets while holding the library's lock. Either all of them are withdrawn or none.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - words: A localIdentifier each, or the beginning of one that no other asset has.
  ///   - waits: Whether to wait while another run holds the library.
  ///   - enforcement: Whether the kernel confines the process.
  ///   - signer: Signs the log's head; nil when it is not signed.
  package init(
    library path: [UInt8],
    _ words: [String],
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?
  ) {
    do {
      try withdraw(path, words, waits: waits, enforcement, signer)
    } catch {
      let stop = RunError(wrapping: error)
      exitCode = stop.exitCode
      problems.append(stop.problem)
    }
  }

  private mutating func withdraw(
    _ path: [UInt8],
    _ words: [String],
    waits: Bool,
    _ enforcement: Enforcement,
    _ signer: AuditSigner?
  ) throws {
    try RunError.requireEnforcement(enforcement, of: "what moves the library's files")
    let library = try MaintenanceLog.open(path, waits: waits)
    defer { library.catalogue.close() }
    // Looked at before anything is written, and again behind a recovery.
    guard try Recovery.isNeeded(in: library) || !plan(words, run: "", in: library).isEmpty else {
      return
    }
    let log = try MaintenanceLog(
      of: "withdraw",
      in: library,
      enforcement: enforcement,
      signer: signer
    )
    for problem in log.problems {
      problems.append(problem)
      if exitCode == .success { exitCode = problem.code.exitCode }
    }
    let withdrawals = try plan(words, run: log.run, in: library)
    // The confined process makes no folder.
    try library.makeFolders(for: withdrawals)
    if enforcement == .kernel { try Self.confine(to: withdrawals, in: library) }
    if !withdrawals.isEmpty { try log.journal.carryOut(StagedBatch(withdrawals: withdrawals)) }
    done = withdrawals
    self.log = try log.end(exitCode: exitCode)
  }

  /// The files to move, without those of assets that were withdrawn before.
  ///
  /// - Throws: `RunError` when an asset is not found.
  private mutating func plan(
    _ words: [String],
    run: String,
    in library: Library
  ) throws -> [Withdrawal] {
    var withdrawals: [Withdrawal] = []
    unchanged = []
    for word in words {
      let asset = try AssetArgument.asset(word, in: library, includesWithdrawn: true)
      if withdrawals.contains(where: { $0.localIdentifier == asset }) { continue }
      let folder = "\(Library.quarantine)/\(run)"
      if let withdrawal = try library.catalogue.withdrawal(of: asset, to: folder) {
        withdrawals.append(withdrawal)
      } else if !unchanged.contains(asset) {
        unchanged.append(asset)
      }
    }
    return withdrawals
  }

  /// The rights in the folders of the assets: taking a file away. Writing is not among them.
  private static let sourceRights: LandlockRights = [.listFolder, .removeFile, .refer]
  /// The rights in the day's folder of an asset, whose own folder is removed when it is empty.
  private static let dayRights: LandlockRights = [.listFolder, .removeFolder]
  /// The rights in the folder of this command in `Quarantine`.
  private static let targetRights: LandlockRights = [.listFolder, .makeFile, .refer]

  /// Restricts this process to the folders of the assets and their place in `Quarantine`, for good.
  private static func confine(to withdrawals: [Withdrawal], in library: Library) throws {
    let layer = try LandlockLayer()
    try CoordinatorConfinement.allowLogAndCatalogue(of: library, in: layer)
    func allow(_ rights: LandlockRights, in paths: [String]) throws {
      for path in Set(paths) {
        do {
          let folder = try FileSystem.openForReading(
            beneath: library.root,
            [UInt8](path.utf8),
            crossMounts: true,
            isFolder: true
          )
          try layer.allow(rights, descriptor: folder.raw, subject: path)
        } catch let error as FileSystemError where error.isMissing {
          // The folder of lost files: there is nothing to move.
        }
      }
    }
    let folders = withdrawals.flatMap(\.folders)
    try allow(sourceRights, in: folders)
    try allow(
      dayRights,
      in: folders.filter { $0.hasPrefix("Originals/") }.map { path in
        path.split(separator: "/").dropLast().joined(separator: "/")
      }
    )
    try allow(targetRights, in: withdrawals.map(\.folder))
    try layer.enforce()
    try SeccompFilter.allowForCoordinator()
  }
}
