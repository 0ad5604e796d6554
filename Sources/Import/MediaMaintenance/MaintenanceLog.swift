internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline

/// A library that a command holds and changes without importing, with a file of the log of its own.
struct MaintenanceLog {
  let library: Library
  /// The identifier of this command in the log.
  let run: String
  /// What is written into the log, and carried out behind it.
  let records: RunRecords
  /// The work of an interrupted run that was finished first.
  let recovery: Recovery
  private let log: RunLog

  /// The writer of the log.
  var writer: AuditWriter { log.writer }

  /// The damage of the catalogue that the recovery met, and the files that it has left to a run.
  var problems: [RunReport.Problem] {
    let waiting = recovery.recovered.reduce(0) { $0 + ($1.additions?.files.count ?? 0) }
    return [.catalogueDiffers(recovery.damaged)].compactMap(\.self)
      + (waiting > 0 ? [.additionsWait(waiting)] : [])
  }

  /// Opens a library that is there, waiting for its lock if that is wanted; a folder without a catalogue is
  /// none, and none is made.
  ///
  /// - Throws: `RunError`.
  static func open(_ path: [UInt8], waits: Bool) throws(RunError) -> Library {
    do {
      do {
        _ = try CatalogueReader(library: path)
      } catch  where error.code == .held && waits {
        // A run is making the library, which is waited for.
      }
      return try Library(path: FileSystem.resolved(path) ?? path, waits: waits, holder: Host.holder)
    } catch {
      throw RunError(error)
    }
  }

  /// Begins the log of a command, and finishes what an interrupted run left.
  ///
  /// - Parameters:
  ///   - command: The name of the command.
  ///   - library: The library, held.
  ///   - enforcement: Whether the kernel confines the command.
  ///   - signer: Signs the log's head; nil when it is not signed.
  ///   - prepare: Called between the two with the identifier of the command.
  /// - Throws: `RunError`, or what `prepare` throws.
  init(
    of command: String,
    in library: Library,
    enforcement: Enforcement = .process,
    signer: AuditSigner?,
    prepare: (_ run: String) throws -> Void = { _ in }
  ) throws {
    self.library = library
    run = RunLog.makeIdentifier()
    log = try RunLog.begin(
      run,
      in: library,
      opening: .ofCommand(command, enforcement: enforcement),
      signer: signer
    )
    records = RunRecords(library: library, audit: log.writer)
    try prepare(run)
    recovery = try RunLog.recover(library, records)
  }

  /// Writes the last record, and signs the head if there is a signer.
  func end(exitCode: RunExitCode) throws -> EndedLog {
    EndedLog(log.writer, signed: try log.end(exitCode: exitCode, in: library))
  }
}
