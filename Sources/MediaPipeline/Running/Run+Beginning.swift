internal import Glibc
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaSandbox

/// What a run does before it confines itself and before anything of a source is opened.
extension Run {
  func openLibrary() throws -> Library {
    do {
      let library = try Library(
        path: loaded.output,
        waits: options.waits,
        holder: Host.holder
      )
      self.library = library
      report.library = String(decoding: library.path, as: UTF8.self)
      return library
    } catch {
      // Without a library there is no log. Of the codes in the order in which they are given, only 78
      // and 69 come before one that is held; a question that is still to be put stops nothing.
      if let stop, error.exitCode != .manifestMistake, decided.permissions.questions.isEmpty,
        error.exitCode != .libraryHeld
          || [.manifestMistake, .enforcementUnavailable].contains(stop.exitCode)
      {
        throw stop
      }
      throw RunError(error)
    }
  }

  func beginLog(in library: Library) throws -> AuditWriter {
    let worker = try? WorkerProcess.programBeside(Self.workerName)
    let opening = AuditOpening(
      clientIdentifier: loaded.manifest.client.identifier,
      clientName: loaded.manifest.client.name,
      manifestSHA256: loaded.sha256,
      labelsSHA256: loaded.labelsSHA256,
      infoPlistSHA256: loaded.infoPlistSHA256,
      policySHA256s: loaded.policies.sha256s,
      answersHead: try decided.answers?.head(),
      toolBuild: BuildInfo.version,
      workerBuild: worker == nil ? nil : BuildInfo.version,
      host: Host.name,
      user: Host.user,
      enforcement: enforcement,
      landlockABI: kernel.landlockABI == 0 ? nil : kernel.landlockABI,
      seccomp: kernel.seccomp
    )
    let log = try RunLog.begin(
      identifier,
      in: library,
      opening: opening,
      signer: options.signer
    )
    self.log = log
    audit = log.writer
    if let problem = options.signerProblem {
      report.problems.append(RunReport.Problem(code: .headNotSigned, message: problem))
    }
    note(log.differing)
    return log.writer
  }

  func makeLedger(_ library: Library, _ audit: AuditWriter) throws -> Ledger {
    var writtenUnder: [SourceKind: String] = [:]
    for source in SourceKind.allCases {
      writtenUnder[source] = WrittenUnder.text(
        policy: loaded.manifest.metadataPolicy(of: source),
        thumbnails: loaded.manifest.thumbnails
      )
    }
    let ledger = try Ledger(library: library, audit: audit, writtenUnder: writtenUnder)
    self.ledger = ledger
    return ledger
  }

  func decide(_ audit: AuditWriter) throws {
    // Also when asking fails: what was answered before, and what is decided without the rest.
    defer { for record in decided.records { audit.append(record) } }
    // 78, 69 and a policy are no person's to change: nobody is asked for nothing.
    if let stop, stop.exitCode != .undecided { throw stop }
    try ask()
    if let stop {
      guard wasAsked, stop.exitCode == .undecided else { throw stop }
      throw RunError(
        .undecided,
        "Not run: the question was not answered, so nothing was stored and nothing was opened."
      )
    }
  }

  func recover(_ library: Library, _ ledger: Ledger, _ audit: AuditWriter) throws {
    let recovery = try RunLog.recover(library, ledger, audit, run: identifier)
    if !recovery.recovered.isEmpty {
      options.onNotice(
        "An interrupted run was finished: \(recovery.recovered.count) batch(es) recovered."
      )
    }
  }

  /// Says when an earlier run's log is gone, shorter than the catalogue knows it or unknown to it; `audit verify`
  /// says what else was done to it.
  private func note(_ differing: [AuditPosition]) {
    guard let first = differing.first else { return }
    report.problems.append(
      RunReport.Problem(
        code: .logDiffers,
        message:
          "\(differing.count) file(s) of the audit log are missing, shorter than they were or of no run that is known, "
          + "the first Audit/\(EscapedText.printable(first.file)). Run `mediabatch audit verify` on "
          + "the library, and ask who could write there."
      )
    )
  }
}
