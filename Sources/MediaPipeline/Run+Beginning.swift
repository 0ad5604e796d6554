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
        holder: "process \(getpid()) on \(Host.name), since \(SaveTime.now.timestamp)"
      )
      self.library = library
      report.library = String(decoding: library.path, as: UTF8.self)
      return library
    } catch {
      // Without a library there is no log, and what stops the run before is said first.
      if error.exitCode != .manifestMistake, let stop { throw stop }
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
    do {
      let folder = AuditFolder(descriptor: library.audit.raw)
      let previous = try folder.previousHead()
      let known = try library.catalogue.auditPositions().map(\.position)
      noteDifferences(of: try folder.files(), folder, from: known)
      let names = try folder.files() + known.compactMap { AuditFileName(text: $0.file) }
      guard let name = AuditFileName.next(after: names, run: identifier) else {
        throw RunError(.internalCheck, code: "internal", "The run has no identifier.")
      }
      let file = try FileSystem.createFile(
        in: library.audit,
        [UInt8](name.text.utf8),
        mode: 0o644
      )
      auditFile = file
      let audit = AuditWriter(
        descriptor: file.raw,
        file: name,
        previous: previous,
        opening: opening
      )
      try audit.flush()
      try FileSystem.flush(fileSystemOf: library.audit)
      try library.catalogue.beginRun(
        identifier,
        started: .now,
        client: loaded.manifest.client.identifier,
        manifestSHA256: loaded.sha256,
        audit: AuditPosition(
          file: name.text,
          records: audit.recordCount,
          bytes: audit.byteCount,
          head: audit.head
        )
      )
      self.audit = audit
      return audit
    } catch let error as AuditError {
      throw RunError(error)
    } catch let error as FileSystemError {
      throw RunError(writing: error)
    } catch let error as LibraryError {
      throw RunError(error)
    }
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
    try ask()
    for answer in answersGiven {
      audit.append(
        .transition(
          source: answer.binding.source,
          level: answer.binding.level,
          from: .notDetermined,
          to: answer.status,
          reason: DecisionReason(answer.status)
        )
      )
    }
    for record in decided.records { audit.append(record) }
    if let stop { throw stop }
  }

  func recover(_ library: Library, _ ledger: Ledger, _ audit: AuditWriter) throws {
    do {
      let recovery = try Recovery(library: library)
      for batch in recovery.recovered {
        let recorded = try OutcomesRecorded(of: batch.run, in: library)
        try ledger.record(
          batch.results.filter { !recorded.contains($0.item) },
          recovered: true
        )
        try library.catalogue.finish([batch.batch], run: identifier, audit: ledger.position)
      }
      if !recovery.recovered.isEmpty {
        options.onNotice(
          "An interrupted run was finished: \(recovery.recovered.count) batch(es) recovered."
        )
      }
      for file in recovery.removed {
        audit.append(
          .superseded(
            asset: file.localIdentifier,
            output: AuditOutput(
              path: ItemPath(bytes: [UInt8](file.path.utf8)),
              sha256: file.sha256,
              bytes: Int(file.bytes)
            )
          )
        )
      }
      if !recovery.removed.isEmpty {
        try ledger.flushAudit()
        try library.catalogue.forgetSuperseded()
      }
    } catch let error as LibraryError {
      throw RunError(error)
    }
  }

  /// Says when an earlier run's log is gone or shorter than the catalogue knows it; `audit verify`
  /// says what else was done to it.
  private func noteDifferences(
    of files: [AuditFileName],
    _ folder: AuditFolder,
    from known: [AuditPosition]
  ) {
    let present = Set(files.map(\.text))
    let differing = known.filter { position in
      guard present.contains(position.file), let file = AuditFileName(text: position.file),
        let bytes = try? folder.bytes(of: file)
      else { return true }
      return bytes.size < position.bytes
    }
    guard let first = differing.first else { return }
    report.problems.append(
      RunReport.Problem(
        code: "logDiffers",
        message:
          "\(differing.count) file(s) of the audit log are missing or shorter than they were, "
          + "the first Audit/\(EscapedText.printable(first.file)). Run `mediabatch audit verify` on "
          + "the library, and ask who could write there."
      )
    )
  }
}
