package import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
package import MediaModel
internal import MediaPipeline
internal import MediaSandbox

/// Gives published assets other labels, by renaming their files.
///
/// The order of writes is that of a batch: the new names are in the journal, then in the log, then the files
/// are renamed and flushed, then the catalogue has them. A relabelling that is killed is finished by
/// whatever opens the library for writing next. The process restricts itself before the first rename to the
/// folders of these assets.
package struct Relabelling {
  /// A request for one asset.
  package struct Request: Sendable, Hashable {
    /// A localIdentifier, or the beginning of one that no other asset has.
    package var asset: String
    package var label: Label

    package init(asset: String, label: Label) {
      self.asset = asset
      self.label = label
    }
  }

  /// The assets whose files were renamed.
  package private(set) var done: [Relabel] = []
  /// The assets that had the label already, by their identifiers.
  package private(set) var unchanged: [String] = []
  /// The log's new head; nil when there was nothing to do, which leaves the log as it was.
  package private(set) var log: EndedLog?
  /// The error that stopped the relabelling, if any.
  package private(set) var problems: [RunReport.Problem] = []
  /// The exit code of the command: 64 when an asset is not found, 65 when one of its files is missing.
  package private(set) var exitCode = RunExitCode.success

  /// Relabels assets while holding the library's lock. Either all requests are carried out or none.
  package init(
    library path: [UInt8],
    _ requests: [Request],
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?
  ) {
    do {
      try relabel(path, requests, waits: waits, enforcement: enforcement, signer: signer)
    } catch {
      let stop = RunError(wrapping: error)
      exitCode = stop.exitCode
      problems.append(stop.problem)
    }
  }

  private mutating func relabel(
    _ path: [UInt8],
    _ requests: [Request],
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?
  ) throws {
    try RunError.requireEnforcement(enforcement, of: "what renames the library's files")
    let library = try MaintenanceLog.open(path, waits: waits)
    defer { library.catalogue.close() }
    // Looked at before anything is written, and again behind a recovery: what a command left in the middle
    // may have the new names already.
    guard try Recovery.isNeeded(in: library) || !plan(requests, in: library).isEmpty else { return }
    let log = try MaintenanceLog(
      of: "label",
      in: library,
      enforcement: enforcement,
      signer: signer
    )
    for problem in log.problems {
      problems.append(problem)
      if exitCode == .success { exitCode = problem.code.exitCode }
    }
    let relabels = try plan(requests, in: library)
    if enforcement == .kernel { try Self.confine(to: relabels, in: library) }
    if !relabels.isEmpty { try log.journal.carryOut(StagedBatch(relabels: relabels)) }
    done = relabels
    self.log = try log.end(exitCode: exitCode)
  }

  /// The renames that the requests take; without those of assets that have their label.
  ///
  /// - Throws: `RunError` when an asset is not found, or a file is missing or in the way.
  private mutating func plan(_ requests: [Request], in library: Library) throws -> [Relabel] {
    var relabels: [Relabel] = []
    unchanged = []
    for request in requests {
      let asset = try AssetArgument.asset(request.asset, in: library)
      guard let relabel = try library.catalogue.relabel(asset, as: request.label) else {
        unchanged.append(asset)
        continue
      }
      for file in relabel.files {
        if !library.hasFile(file.from) {
          throw RunError(
            .originalsMissing,
            exitCode: .differencesFound,
            "\"\(EscapedText.printable(file.from))\" is missing, so nothing was renamed. `mediabatch repair "
              + "--from` brings it back, or the next run does."
          )
        }
        if library.hasFile(file.to) {
          throw RunError(
            .inconsistent,
            exitCode: .differencesFound,
            "\"\(EscapedText.printable(file.to))\" is in the library already, so nothing was renamed. Run "
              + "`mediabatch verify` on the library."
          )
        }
      }
      relabels.append(relabel)
    }
    return relabels
  }

  /// The rights in the folders of the assets: renaming a file within its folder is removing its name and
  /// making another. Writing is not among them.
  private static let folderRights: LandlockRights = [
    .readFile, .listFolder, .makeFile, .removeFile,
  ]

  /// Restricts this process to the folders of the assets, for good.
  private static func confine(to relabels: [Relabel], in library: Library) throws {
    let layer = try LandlockLayer()
    try CoordinatorConfinement.allowLogAndCatalogue(of: library, in: layer)
    for path in Set(relabels.flatMap(\.folders)) {
      let folder = try FileSystem.openForReading(
        beneath: library.root,
        [UInt8](path.utf8),
        crossMounts: true,
        isFolder: true
      )
      try layer.allow(folderRights, descriptor: folder.raw, subject: path)
    }
    try layer.enforce()
    try SeccompFilter.allowForCoordinator()
  }
}
