package import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
package import MediaModel
internal import MediaPipeline
internal import MediaSandbox
internal import MediaWorkerPool

/// What a person wants of assets of a library.
package protocol AssetDecision {
  /// The name of the command in the log.
  var name: String { get }
  /// The process that is confined, as in `what renames the library's files`.
  var subject: String { get }

  /// Finds what has to be done.
  ///
  /// - Parameters:
  ///   - edit: Gets it; what is in it when this throws is told to the person.
  ///   - library: The library, held.
  ///   - run: The identifier of the command in the log; empty before it has one.
  /// - Throws: `RunError`, 64 when an asset is not found; `LibraryError`.
  func plan(_ edit: inout AssetEdit.Plan, in library: Library, run: String) throws
}

/// A command by which a person decides about assets.
///
/// All of the decision is carried out or nothing. The order of writes is that of a batch: it is in the journal,
/// then in the log, then carried out and flushed, then the catalogue has it. One that is killed is finished by
/// whatever opens the library for writing next. The process restricts itself, for good, before it carries
/// anything out: to the log, the catalogue, and the folders of the files that it moves or makes anew.
package struct AssetEdit: Sendable {
  /// What a decision takes.
  package struct Plan: Sendable {
    package var edits: [LibraryEdit] = []
    /// The assets that need nothing, by their identifiers.
    package var unchanged: [String] = []
    /// The files that are not there to be moved, by their paths below the library.
    package var missing: Set<String> = []
  }

  /// What was carried out.
  package private(set) var done: [LibraryEdit] = []
  /// The assets that needed nothing, by their identifiers.
  package var unchanged: [String] { plan.unchanged }
  /// The files that were not in the library, and so were not moved, by their paths below it.
  package var missing: Set<String> { done.isEmpty ? [] : plan.missing }
  /// The log's new head; nil when there was nothing to do, which leaves the log as it was.
  package private(set) var log: EndedLog?
  /// The error that stopped the command, if any, and what a recovery before it has met.
  package private(set) var problems: [RunReport.Problem] = []
  /// The exit code of the command: 64 when an asset is not found, 65 when a file was missing.
  package var exitCode: RunExitCode {
    code == .success && !missing.isEmpty ? .differencesFound : code
  }
  private var code = RunExitCode.success
  private var plan = Plan()

  /// Carries a decision out while holding the library's lock.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - decision: The decision. It plans before anything is written, and again behind a recovery: what another
  ///     command left in the middle may have done it.
  ///   - waits: Whether to wait while another run holds the library.
  ///   - enforcement: Whether the kernel confines the process.
  ///   - signer: Signs the log's head; nil when it is not signed.
  package init(
    library path: [UInt8],
    _ decision: some AssetDecision,
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?
  ) {
    do {
      try RunError.requireEnforcement(enforcement, of: decision.subject)
      let library = try MaintenanceLog.open(path, waits: waits)
      defer { library.catalogue.close() }
      try carryOut(decision, in: library, enforcement, signer)
    } catch {
      let stop = RunError(wrapping: error)
      code = stop.exitCode
      problems.append(stop.problem)
    }
  }

  private mutating func carryOut(
    _ decision: some AssetDecision,
    in library: Library,
    _ enforcement: Enforcement,
    _ signer: AuditSigner?
  ) throws {
    if try !Recovery.isNeeded(in: library) {
      try decision.plan(&plan, in: library, run: "")
      if plan.edits.isEmpty { return }
    }
    let log = try MaintenanceLog(of: decision.name, in: library, enforcement: enforcement, signer: signer)
    for problem in log.problems {
      problems.append(problem)
      if code == .success { code = problem.code.exitCode }
    }
    plan = Plan()
    try decision.plan(&plan, in: library, run: log.run)
    try library.makeFolders(for: plan.edits)
    let batch: Int64?
    let staged: StagedBatch
    do {
      (batch, staged) = try stage(log.records, enforcement)
    } catch {
      _ = try? log.end(exitCode: error.exitCode)
      throw error
    }
    if enforcement == .kernel {
      do {
        try confine(to: library)
      } catch {
        // A rule that cannot be made for want of a file has that for its reason.
        try library.confirm([])
        throw error
      }
    }
    if let batch { try log.records.carryOut(batch, staged) }
    done = plan.edits
    self.log = try log.end(exitCode: code)
  }

  /// Begins the batch of the decisions, in which workers make the thumbnails anew that they need; nil without any.
  private func stage(
    _ records: RunRecords,
    _ enforcement: Enforcement
  ) throws(RunError) -> (batch: Int64?, StagedBatch) {
    var staged = StagedBatch(edits: plan.edits)
    if plan.edits.isEmpty { return (nil, staged) }
    let turned = plan.edits.filter { $0.rotation != nil }
    if turned.isEmpty { return (try records.begin(), staged) }
    let (batch, assets) = try ThumbnailRemaking(records).turn(turned, by: try Repair.pool(enforcement))
    staged.assets = assets
    return (batch, staged)
  }

  // MARK: Confinement

  /// The rights in folders within which files are renamed: removing a name and making another. Writing is not
  /// among them.
  private static let renaming: LandlockRights = [.readFile, .listFolder, .makeFile, .removeFile]
  /// The rights in folders out of which files are moved.
  private static let taking: LandlockRights = [.listFolder, .removeFile, .refer]
  /// The rights in the day's folder of an asset, whose own folder is removed when it is empty.
  private static let emptying: LandlockRights = [.listFolder, .removeFolder]
  /// The rights in folders into which files are moved.
  private static let placing: LandlockRights = [.listFolder, .makeFile, .refer]

  /// What the process may do in which folders below the library.
  private var rights: [(LandlockRights, folders: [String])] {
    let folders = plan.edits.flatMap(\.moves).map(\.folders)
    let (within, out) = (folders.filter { $0.from == $0.to }, folders.filter { $0.from != $0.to })
    let days = out.map(\.from).filter { $0.hasPrefix("Originals/") }
      .map { LibraryEdit.split($0).folder }
    return [
      (Self.renaming, within.map(\.from)), (Self.taking, out.map(\.from)),
      (Self.emptying, days), (Self.placing, out.map(\.to)),
    ]
  }

  /// Restricts this process to the log, the catalogue and some folders of a library, for good.
  ///
  /// Where a folder is missing, so are the files that would be moved out of it.
  private func confine(to library: Library) throws {
    let layer = try LandlockLayer()
    try CoordinatorConfinement.allowLogAndCatalogue(of: library, in: layer)
    if plan.edits.contains(where: { $0.rotation != nil }) {
      try layer.allow(
        CoordinatorConfinement.stagingRights,
        descriptor: library.staging.raw,
        subject: ".staging"
      )
      try layer.allow(
        CoordinatorConfinement.publishedRights,
        descriptor: library.thumbnails.raw,
        subject: "Thumbnails"
      )
    }
    for (rights, folders) in rights {
      for path in Set(folders) {
        do {
          let folder = try FileSystem.openForReading(
            beneath: library.root,
            [UInt8](path.utf8),
            crossMounts: true,
            isFolder: true
          )
          try withExtendedLifetime(folder) {
            try layer.allow(rights, descriptor: folder.raw, subject: path)
          }
        } catch let error as FileSystemError where error.isMissing {
          continue
        }
      }
    }
    try layer.enforce()
    try SeccompFilter.allowForCoordinator()
  }
}

extension RunError {
  /// The error of a decision that a missing file stops.
  ///
  /// - Parameters:
  ///   - path: The file, below the library.
  ///   - undone: What is not done then, such as `turned`.
  /// - Returns: The error, 65, with what brings the file back.
  static func missing(_ path: String, so undone: String) -> RunError {
    RunError(
      .originalsMissing,
      exitCode: .differencesFound,
      "\"\(EscapedText.printable(path))\" is missing, so nothing was \(undone). The next run brings it "
        + "back, or `mediabatch repair --from`."
    )
  }
}
