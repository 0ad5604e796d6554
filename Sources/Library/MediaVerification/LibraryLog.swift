package import MediaAudit
package import MediaFileSystem
package import MediaLibrary
internal import MediaModel

/// A library's audit log joined with what its catalogue knows of it.
///
/// Every command that judges a log does it through this type, so that no two of them disagree.
package struct LibraryLog {
  let folder: AuditFolder
  /// Keeps the descriptor of ``folder`` open.
  let descriptor: Descriptor
  private let root: Descriptor
  private let catalogue: CatalogueReader?

  /// Opens the log of the library at `root`.
  ///
  /// `catalogue` is nil when it cannot be read: then the log is checked by itself.
  ///
  /// - Throws: `FileSystemError` when there is no folder of a log.
  package init(root: Descriptor, catalogue: CatalogueReader?) throws(FileSystemError) {
    self.root = root
    descriptor = try FileSystem.openForReading(
      beneath: root,
      [UInt8]("Audit".utf8),
      crossMounts: true,
      isFolder: true
    )
    folder = AuditFolder(descriptor: descriptor.raw)
    self.catalogue = catalogue
  }

  /// Opens the log of a library whose catalogue may be gone, and calls `note` with the reason if so: an
  /// intact chain and a head that a witness kept prove the log without it.
  ///
  /// - Throws: `LibraryError` when the folder is no library at all, or another version's;
  ///   `FileSystemError`.
  package init(library path: [UInt8], note: (LibraryError) -> Void) throws {
    let root = try Self.openFolder(path)
    let catalogue: CatalogueReader?
    do {
      let isAlone = LibraryFolder.stranger(at: LibraryFolder.catalogueName, in: root) != nil
      let reader = try CatalogueReader(library: path, isAlone: isAlone)
      // Opening reads its first pages alone, and damage may lie in those that are asked later.
      _ = try reader.snapshot()
      catalogue = reader
    } catch  where [.held, .unknownSchema].contains(error.code) {
      throw error
    } catch {
      guard (try? FileSystem.status(in: root, name: [UInt8]("Audit".utf8)))?.kind == .folder else {
        throw error
      }
      note(error)
      catalogue = nil
    }
    try self.init(root: root, catalogue: catalogue)
  }

  /// Opens the folder of a library.
  static func openFolder(_ path: [UInt8]) throws(LibraryError) -> Descriptor {
    do {
      return try FileSystem.openFolder(path)
    } catch {
      let shown = EscapedText.percentEscaped(path)
      throw LibraryError(
        .notALibrary,
        "\"\(shown)\" is not a library of mediabatch: \(error.reason(besides: shown))."
      )
    }
  }

  /// Verifies chain, tree and signed heads, and what the catalogue expects of them.
  ///
  /// - Parameters:
  ///   - witnesses: What is kept outside the library, with the identifier of the expected library if
  ///     the caller knows it; what the catalogue knows is added here.
  ///   - threads: On how many threads lines are hashed, by default one a processor; they have ended when it returns.
  /// - Returns: The log at this moment, with its first difference if there is one.
  /// - Throws: `LibraryError`, `AuditError` when catalogue or log cannot be read.
  package func verify(
    _ witnesses: AuditWitnesses = AuditWitnesses(),
    threads: Int? = nil
  ) throws -> VerifiedLog {
    let before = try LogSnapshot(folder, keepingOpen: descriptor)
    return try verify(before, try catalogue?.snapshot(), witnesses, threads: threads)
  }

  /// Verifies the log, and calls `body` with it and the catalogue of the same moment, which it may read as
  /// long as it runs. It is called again when a run begins or ends meanwhile.
  ///
  /// - Parameters:
  ///   - witnesses: As in ``verify(_:threads:)``.
  ///   - search: Records that are noted on the way, in `AuditVerification.found`.
  ///   - threads: As in ``verify(_:threads:)``.
  ///   - body: Called with the log and the catalogue.
  /// - Returns: What `body` returns.
  /// - Throws: As ``verify(_:threads:)``, or what `body` throws; `LibraryError` `.notALibrary` without a
  ///   catalogue.
  package func verify<Value>(
    _ witnesses: AuditWitnesses = AuditWitnesses(),
    noting search: RecordSearch? = nil,
    threads: Int? = nil,
    with body: (VerifiedLog, CatalogueMoment) throws -> Value
  ) throws -> Value {
    guard let catalogue else {
      throw LibraryError(.notALibrary, "The library has no catalogue that can be read.")
    }
    let before = try LogSnapshot(folder, keepingOpen: descriptor)
    var witnesses = witnesses
    witnesses.search = search
    return try catalogue.atOneMoment { moment in
      let log = try verify(before, moment.snapshot, witnesses, threads: threads)
      return try body(log, moment)
    }
  }

  /// Verifies the log with what the catalogue said after the snapshot `before`.
  private func verify(
    _ before: LogSnapshot,
    _ recorded: CatalogueSnapshot?,
    _ witnesses: AuditWitnesses,
    threads: Int?
  ) throws -> VerifiedLog {
    let snapshot =
      try recorded.map { try before.joined(withNowOf: Set($0.positions.map(\.file))) } ?? before
    var witnesses = witnesses
    witnesses.expectations = recorded?.positions ?? []
    witnesses.isCatalogueWhole = recorded != nil
    let expectedLibrary = witnesses.library
    witnesses.library = recorded?.identifier ?? expectedLibrary
    witnesses.threads = threads ?? OwnThread.processors
    var verification = try snapshot.verify(witnesses)
    if let expectedLibrary, let library = witnesses.library, library != expectedLibrary {
      verification.difference = AuditDifference(
        kind: .otherLibrary,
        file: "",
        detail: "it is the log of the library \(library), not of \(expectedLibrary)"
      )
    }
    if verification.difference == nil, catalogue == nil {
      if snapshot.files.isEmpty {
        throw LibraryError(.notALibrary, "The folder has no log.")
      }
      if witnesses.trustedKey == nil, witnesses.expectedHeads.isEmpty {
        verification.difference = AuditDifference(
          kind: .missing,
          file: "",
          detail: "its newest records may be missing, and the rest is whole: without the catalogue only "
            + "--expect-head HEAD, with a head that you have kept elsewhere, shows that"
        )
      }
    }
    if verification.difference == nil {
      (verification.timestamps, verification.difference) = try TimestampCheck.check(
        folder,
        authorities: witnesses.timestampAuthorities
      )
    }
    try folder.addOtherNames(to: &verification)
    return VerifiedLog(snapshot: snapshot, verification: verification, catalogue: recorded)
  }

  /// Reads the first record of each file that has one, in the order of the runs.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func openings() throws -> [AuditEntry] {
    let snapshot = try LogSnapshot(folder, keepingOpen: descriptor)
    return try snapshot.files.compactMap { try snapshot.opening(of: $0) }
  }

  /// Makes proofs of single records of the log.
  ///
  /// - Throws: `LibraryError`, `AuditError` when catalogue or log cannot be read.
  package func prover() throws -> AuditProver {
    let tree = try catalogue?.auditTree()
    return try AuditProver(folder: folder, blocks: tree?.blocks ?? [], encodedTree: tree?.encoded)
  }

  /// Writes the log up to its newest signed head; without one, up to its end.
  ///
  /// - Throws: As ``prover()``; `AuditError` `.differs`.
  package func export(
    hiding kinds: Set<RedactableKind>,
    to write: ([UInt8]) -> Void
  ) throws {
    let head = try prover().head(with: 0)
    try AuditExport.write(folder, head: head, hiding: kinds, to: write)
  }

  /// Calls `body` with each record up to the log's newest signed head; without one, up to its end.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of names that are held back.
  ///   - body: Called with each record, in order, and with the identifier that the head names, empty
  ///     without a signed one.
  /// - Throws: As ``prover()``; `AuditError` `.differs`.
  package func forEachShown(
    hiding kinds: Set<RedactableKind>,
    _ body: (ShownRecord, _ library: String) -> Void
  ) throws {
    let head = try prover().head(with: 0)
    try folder.forEachShown(upTo: head, hiding: kinds) { body($0, head.library) }
  }

  /// The library in whose `Audit` folder the file of a signed head lies; nil for another file.
  package static func library(ofSignedHead file: [UInt8]) -> [UInt8]? {
    guard let path = FileSystem.resolved(file) else { return nil }
    let parts = path.split(separator: UInt8.slash)
    guard parts.count > 2, parts[parts.count - 2].elementsEqual("Audit".utf8) else { return nil }
    return parts.dropLast(2).flatMap { [UInt8.slash] + $0 }
  }
}
