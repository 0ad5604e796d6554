internal import MediaAudit
internal import MediaCatalogue
internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
internal import MediaPipeline
internal import MediaPublishing
internal import MediaSandbox

/// A command by which a person decides about assets of a library.
package protocol AssetDecision {
  /// How the command went.
  var edit: AssetEdit { get }
}

extension AssetDecision {
  /// The log's new head; nil when there was nothing to do, which leaves the log as it was.
  package var log: EndedLog? { edit.log }
  /// The error that stopped the command, if any, and what a recovery before it has met.
  package var problems: [RunReport.Problem] { edit.problems }
  /// The exit code of the command: 64 when an asset is not found.
  package var exitCode: RunExitCode { edit.exitCode }
}

/// The frame of the commands by which a person decides about assets.
///
/// The order of writes is that of a batch: the decision is in the journal, then in the log, then carried out
/// and flushed, then the catalogue has it. One that is killed is finished by whatever opens the library for
/// writing next. The process restricts itself, for good, before it carries anything out.
package struct AssetEdit: Sendable {
  /// See ``AssetDecision/log``.
  package private(set) var log: EndedLog?
  /// See ``AssetDecision/problems``.
  package private(set) var problems: [RunReport.Problem] = []
  /// See ``AssetDecision/exitCode``.
  package private(set) var exitCode = RunExitCode.success
  /// The decision that was carried out; nil when nothing changed.
  private(set) var decision: StagedBatch?

  /// A command and the library that it changes.
  struct Command {
    /// The name in the log.
    var name: String
    /// The process that is confined, as in `what renames the library's files`.
    var subject: String
    /// The library's folder.
    var library: [UInt8]
    /// Whether to wait while another run holds the library.
    var waits: Bool
    /// Whether the kernel confines the process.
    var enforcement: Enforcement
    /// Signs the log's head; nil when it is not signed.
    var signer: AuditSigner?
  }

  /// Carries a decision out while holding the library's lock, all of it or nothing.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - decide: Finds what has to be done, nil for nothing. Called before anything is written, then with an
  ///     empty identifier, and again behind a recovery with that of the command in the log: what another
  ///     command left in the middle may have done it.
  ///   - prepare: Makes what the confined process may not make.
  ///   - rights: What the process may do in which folders, besides what it may in log and catalogue. Where a
  ///     folder is missing, so are the files that would be moved out of it.
  init(
    _ command: Command,
    decide: (Library, _ run: String) throws -> StagedBatch?,
    prepare: (StagedBatch, Library) throws -> Void = { _, _ in },
    rights: (StagedBatch) -> [(LandlockRights, folders: [String])] = { _ in [] }
  ) {
    do {
      try carryOut(command, decide, prepare, rights)
    } catch {
      let stop = RunError(wrapping: error)
      exitCode = stop.exitCode
      problems.append(stop.problem)
    }
  }

  private mutating func carryOut(
    _ command: Command,
    _ decide: (Library, _ run: String) throws -> StagedBatch?,
    _ prepare: (StagedBatch, Library) throws -> Void,
    _ rights: (StagedBatch) -> [(LandlockRights, folders: [String])]
  ) throws {
    try RunError.requireEnforcement(command.enforcement, of: command.subject)
    let library = try MaintenanceLog.open(command.library, waits: command.waits)
    defer { library.catalogue.close() }
    guard try Recovery.isNeeded(in: library) || decide(library, "") != nil else { return }
    let log = try MaintenanceLog(
      of: command.name,
      in: library,
      enforcement: command.enforcement,
      signer: command.signer
    )
    for problem in log.problems {
      problems.append(problem)
      if exitCode == .success { exitCode = problem.code.exitCode }
    }
    let staged = try decide(library, log.run)
    if let staged { try prepare(staged, library) }
    if command.enforcement == .kernel {
      try Self.confine(to: library, staged.map(rights) ?? [])
    }
    if let staged { try log.records.carryOut(staged) }
    decision = staged
    self.log = try log.end(exitCode: exitCode)
  }

  /// Restricts this process to the log, the catalogue and some folders of a library, for good.
  private static func confine(
    to library: Library,
    _ rights: [(LandlockRights, folders: [String])]
  ) throws {
    let layer = try LandlockLayer()
    try CoordinatorConfinement.allowLogAndCatalogue(of: library, in: layer)
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
