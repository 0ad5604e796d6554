package import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
package import MediaModel

/// The log of a run or a cleaning, and the differences that were found when it began.
package struct RunLog {
  package let writer: AuditWriter
  /// The log's file. It stays open because confinement forbids opening it again.
  let descriptor: Descriptor
  /// The empty file for the signed head, which also stays open; nil without a signer.
  private let headFile: Descriptor?
  /// The kept text of the run's manifest, below the log's folder; nil of a command.
  private let manifest: (path: String, byteCount: Int)?
  private let signer: AuditSigner?
  /// The library's identifier.
  private let library: String
  /// Files of earlier runs that are missing or shorter than in the catalogue, and files that the
  /// catalogue does not know, unless they only have a run's beginning.
  let differing: [AuditPosition]

  /// Creates the next file of a library's log, with its first record flushed, and records there that the
  /// schema of the catalogue has changed, if it has. The text of the run's manifest is on the disk before.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the run or command.
  ///   - library: The library, held.
  ///   - opening: The first record.
  ///   - manifest: The text of the run's manifest; nil of a command.
  ///   - signer: Signs the head; nil when it is not signed.
  ///   - mayLag: Whether the catalogue may know less than the log, as that of a command that makes it anew.
  /// - Returns: The log, with its first record on the disk.
  /// - Throws: `RunError`, 74 when it cannot be written; 70 when the catalogue knows less than the log and may not:
  ///   what it does not know would be imported twice, or be undone.
  package static func begin(
    _ identifier: String,
    in library: Library,
    opening: AuditOpening,
    manifest: [UInt8]? = nil,
    signer: AuditSigner? = nil,
    mayLag: Bool = false
  ) throws(RunError) -> RunLog {
    do {
      let folder = AuditFolder(descriptor: library.audit.raw)
      let previous = try folder.previousHead()
      let positions = try library.catalogue.auditPositions()
      let files = try folder.files()
      let differing = differences(of: files, folder, from: positions)
      let lag = try lag(of: library.catalogue, behind: files, folder, positions)
      if !mayLag, let last = files.last, lag.copies.contains(last) { throw RunError(copied: last) }
      if try isAhead(lag, of: library.catalogue) {
        if !mayLag { try requireJournal(of: library.catalogue, lag) }
        try library.catalogue.beginEpoch()
      }
      let names = files + positions.compactMap { AuditFileName(text: $0.file) }
      guard let name = AuditFileName.next(after: names, run: identifier) else {
        throw RunError(.internal, "The run has no identifier.")
      }
      var opening = opening
      try keep(manifest, &opening, in: library)
      let file = try FileSystem.createFile(in: library.audit, [UInt8](name.text.utf8), mode: 0o644)
      opening.digestKeyCheck = try library.digestKeyCheck()
      let audit = AuditWriter(
        descriptor: file.raw,
        file: name,
        previous: previous,
        tree: try folder.tree(from: try library.catalogue.auditTree()),
        opening: opening
      )
      let libraryIdentifier = try library.catalogue.identifier()
      var headFile: Descriptor?
      if let signer {
        let headName = [UInt8](name.headText.utf8)
        headFile = try FileSystem.createFile(in: library.audit, headName, mode: 0o644)
        audit.append(AuditKey(signer, library: libraryIdentifier))
      }
      try enter(identifier, audit, opening, in: library)
      return RunLog(
        writer: audit,
        descriptor: file,
        headFile: headFile,
        manifest: manifest.map { (ManifestTexts.path(opening.manifestSHA256), $0.count) },
        signer: signer,
        library: libraryIdentifier,
        differing: differing
      )
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Keeps the text of a run's manifest, and notes its length in the first record.
  private static func keep(
    _ manifest: [UInt8]?,
    _ opening: inout AuditOpening,
    in library: Library
  ) throws {
    guard let manifest else { return }
    let sha256 = opening.manifestSHA256
    let wasKept = try library.catalogue.hasRun(ofManifest: sha256)
    try ManifestTexts.keep(manifest, sha256: sha256, in: library.audit, wasKept: wasKept)
    opening.manifestBytes = manifest.count
  }

  /// Flushes the first records of a run, enters it in the catalogue, and records a change of the schema.
  private static func enter(
    _ run: String,
    _ audit: AuditWriter,
    _ opening: AuditOpening,
    in library: Library
  ) throws {
    try audit.flush(withName: true)
    try library.catalogue.beginRun(
      run,
      started: SaveTime(microseconds: audit.times.first.microseconds),
      client: opening.clientIdentifier,
      manifestSHA256: opening.manifestSHA256,
      albumsFromFolders: opening.albumsFromFolders,
      audit: audit.takePosition()
    )
  }

  /// Signs the head of a log whose last record is flushed, and writes it beside the run's file.
  ///
  /// - Returns: The signed head; nil without a signer.
  /// - Throws: `RunError`, 74; the log itself is complete.
  private func sign() throws(RunError) -> SignedHead? {
    guard let signer, let headFile else { return nil }
    let head = SignedHead(
      library: library,
      tree: writer.treeHead,
      head: writer.head,
      file: writer.file.text,
      time: AuditTime.now.text
    )
    let signed = head.signed(by: signer)
    let bytes = Array(signed.note.serialized.utf8)
    do {
      try headFile.write(bytes)
      try headFile.flush()
    } catch {
      throw RunError(writing: error)
    }
    return signed
  }

  /// The files of the log, and the text of the run's manifest.
  ///
  /// - Parameter head: The head that is written beside it; nil while it is not.
  /// - Returns: The files, as long as they are.
  func files(with head: SignedHead? = nil) -> [WrittenFile] {
    let length = head?.note.serialized.utf8.count ?? 0
    let log = WrittenFile("Audit/" + writer.file.text, descriptor, byteCount: writer.flushedByteCount)
    let signed = headFile.map { WrittenFile("Audit/" + writer.file.headText, $0, byteCount: length) }
    let text = manifest.map { WrittenFile("Audit/" + $0.path, nil, byteCount: $0.byteCount) }
    return [log] + [signed, text].compactMap(\.self)
  }

  /// Writes and flushes the last record, signs the head, ends the run in the catalogue, and looks whether all of
  /// it is there.
  ///
  /// The order matters: an ended run without its signed head is a difference, so the catalogue may
  /// say that the run has ended only when the head is on the disk.
  ///
  /// - Returns: The head as it is written beside the log; nil without a signer.
  /// - Throws: `RunError`, 74, `LibraryError`; the run then counts as interrupted, unless it was not there.
  package func end(
    _ counts: [ItemOutcome: Int] = [:],
    degraded: Int = 0,
    thumbnails: Int = 0,
    exitCode: RunExitCode,
    in library: Library
  ) throws -> String? {
    let catalogue = library.catalogue
    var end = AuditEnd(counts: counts, exitCode: exitCode)
    (end.degraded, end.thumbnails) = (degraded, thumbnails)
    // Nothing but the run's own row changes in the catalogue after this.
    end.catalogue = try? catalogue.content()
    writer.append(end)
    try writer.flush()
    let signed = try sign()
    try catalogue.endRun(
      writer.file.run,
      ended: SaveTime(microseconds: writer.times.last.microseconds),
      exitCode: exitCode,
      audit: writer.takePosition()
    )
    try library.confirm(files(with: signed))
    return signed?.note.serialized
  }

  /// Finishes the batches of an interrupted run, and removes superseded files, each with a record.
  ///
  /// A batch that adds files to the photo library is not done yet: only a run that may do so adds them.
  ///
  /// - Throws: `RunError`; nothing is lost, and recovery can be repeated.
  package static func recover(
    _ library: Library,
    _ records: RunRecords
  ) throws(RunError) -> Recovery {
    do {
      let undone = try library.catalogue.undoneBatches()
      // The record of a rename comes before it, also where the run that was killed has written it already.
      for batch in undone where batch.state == .staged {
        guard let staged = batch.staged else { continue }
        try records.recordDecisions(of: staged)
        try records.recordMade(of: staged)
      }
      let recovery = try Recovery(library: library)
      if !undone.isEmpty { try library.forgetUnpublishedFacts() }
      for batch in recovery.recovered {
        let recorded = try RecordedOutcomes(of: batch.run, in: library)
        try records.record(batch.results.filter { !recorded.contains($0.item) }, recovered: true)
        try records.sendEvents(of: batch.results, recovered: true)
        if batch.additions != nil { continue }
        try library.catalogue.finish([batch.batch], run: records.run, audit: records.position())
      }
      for file in recovery.removed {
        let output = OutputFile(published: file.path, sha256: file.sha256, bytes: file.bytes)
        records.audit.append(AuditFileChange(.superseded, output, of: file.localIdentifier))
      }
      if !recovery.removed.isEmpty {
        try records.flush()
        try library.catalogue.forget(superseded: recovery.removed)
      }
      return recovery
    } catch {
      throw RunError(wrapping: error)
    }
  }

  /// Eight hexadecimal digits that no other run of this library is likely to have.
  package static func makeIdentifier() -> String {
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// What the log says behind what the catalogue knows of it.
  private static func lag(
    of catalogue: Catalogue,
    behind files: [AuditFileName],
    _ folder: AuditFolder,
    _ positions: [AuditPosition]
  ) throws -> CatalogueLag {
    let decided = try catalogue.undoneBatches().flatMap { $0.staged?.edits ?? [] }.map(\.asset)
    return try CatalogueLag(in: files, behind: positions, journal: Set(decided)) {
      (file) throws(AuditError) in try folder.bytes(of: file)
    }
  }

  /// Whether the catalogue lacks something of that, as one restored from a copy does. Files that the journal is about
  /// to enter may be left out.
  private static func isAhead(
    _ lag: CatalogueLag,
    of catalogue: Catalogue,
    besides journal: Set<String> = []
  ) throws -> Bool {
    if lag.isThere { return true }
    return try lag.published.contains { try !journal.contains($0) && !catalogue.hasFile($0) }
  }

  /// Checks that a log which is ahead of the catalogue knows no files but those that the journal is about to
  /// enter.
  private static func requireJournal(of catalogue: Catalogue, _ lag: CatalogueLag) throws {
    let staged = try catalogue.undoneBatches().compactMap(\.staged)
    let journal = Set(staged.flatMap(\.assets).flatMap(\.publishedPaths))
    guard try isAhead(lag, of: catalogue, besides: journal) else { return }
    throw RunError(
      .logDiffers,
      "The catalogue, library.sqlite, is older than the log in Audit, as after it was restored from a copy. Nothing "
        + "was opened. Run `mediabatch repair` on the library, then run again."
    )
  }

  private static func differences(
    of files: [AuditFileName],
    _ folder: AuditFolder,
    from positions: [AuditPosition]
  ) -> [AuditPosition] {
    let present = Set(files.map(\.text))
    let expected = Set(positions.map(\.file))
    let added = files.filter { file in
      !expected.contains(file.text) && (try? folder.hasOnlyOpening(file)) != true
    }.map { AuditPosition(file: $0.text, run: $0.run, records: 0, bytes: 0, head: "") }
    return added
      + positions.filter { position in
        guard present.contains(position.file), let file = AuditFileName(text: position.file),
          let bytes = try? folder.bytes(of: file)
        else { return true }
        return bytes.size < position.bytes
      }
  }
}

extension RunError {
  /// The error of a log whose last file is a copy: what is written next would be chained to it.
  fileprivate init(copied file: AuditFileName) {
    self.init(
      .logDiffers,
      "Audit/\(file.text) is a copy of another file of the log. Nothing was opened. Move it away, and repeat the "
        + "command."
    )
  }
}

extension LoggedRun {
  /// Makes a run of the first record of its log.
  ///
  /// - Parameters:
  ///   - opening: What the record says.
  ///   - started: The record's time, as RFC 3339 writes it.
  ///   - audit: The end of the log.
  package init(_ opening: AuditOpening, started: String?, audit: AuditPosition) {
    self.init(
      identifier: audit.run,
      started: started ?? "",
      client: opening.clientIdentifier,
      manifestSHA256: opening.manifestSHA256,
      albumsFromFolders: opening.albumsFromFolders,
      audit: audit
    )
  }
}
