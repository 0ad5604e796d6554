internal import ArgumentParser
internal import Glibc
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// A library's audit log, seen together with what the catalogue knows of it.
struct LibraryLog {
  private let folder: AuditFolder
  private let descriptor: Descriptor
  private let root: Descriptor
  /// Nil when it cannot be read: then the chain is checked by itself.
  private let catalogue: CatalogueReader?

  init(root: Descriptor, catalogue: CatalogueReader?) throws {
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

  /// Verifies chain, tree and signed heads, and what the catalogue expects of them.
  ///
  /// `witnesses` has what somebody outside the library keeps.
  func verify(_ witnesses: AuditWitnesses = AuditWitnesses()) throws -> AuditVerification {
    let found = try verify(witnesses, catalogue)
    guard catalogue != nil, found.difference?.kind == .added else { return found }
    // A run may have begun since the catalogue was opened.
    let path = Array("/proc/self/fd/\(root.raw)".utf8)
    return try verify(witnesses, try CatalogueReader(library: path))
  }

  private func verify(
    _ witnesses: AuditWitnesses,
    _ catalogue: CatalogueReader?
  ) throws -> AuditVerification {
    var witnesses = witnesses
    witnesses.expectations = try (catalogue?.auditPositions() ?? []).map { run, position in
      AuditExpectation(
        file: position.file,
        run: run,
        records: position.records,
        bytes: position.bytes,
        head: position.head,
        tree: position.tree.map { AuditTreeHead(size: $0.size, root: $0.root) }
      )
    }
    witnesses.isCatalogueWhole = catalogue != nil
    witnesses.library = try catalogue?.identifier()
    witnesses.threads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    var found = try folder.verify(witnesses)
    guard found.difference == nil else { return found }
    if try folder.files().isEmpty, catalogue == nil {
      throw LibraryError(.notALibrary, "The folder holds no audit file.")
    }
    if catalogue == nil, witnesses.trustedKey == nil, witnesses.expectedHead == nil,
      witnesses.expectedTree == nil
    {
      found.difference = AuditDifference(
        kind: .missing,
        file: "",
        detail: "without the catalogue, only --expect-head or --trust shows that the log is whole"
      )
    }
    return found
  }

  /// What proves single records of the log.
  func prover() throws -> AuditProver {
    try AuditProver(
      folder: folder,
      blocks: (catalogue?.auditBlocks() ?? []).map { block in
        AuditBlock(
          number: block.number,
          place: AuditPlace(file: block.file, line: block.line, offset: block.offset),
          hash: block.hash,
          keys: block.keys
        )
      },
      encodedTree: try catalogue?.auditTree()
    )
  }

  /// Writes the log up to its newest signed head; without one, up to its end.
  func export(hiding kinds: Set<RedactableKind>, to write: ([UInt8]) -> Void) throws {
    let head = try prover().head(with: 0)
    try AuditExport.write(folder, head: head, hiding: kinds, to: write)
  }

  /// Runs `body` with the log of a library, whose catalogue may be gone; what goes wrong ends the
  /// command.
  static func forCommand(_ library: String, _ body: (LibraryLog) throws -> Void) throws {
    do {
      let path = [UInt8](library.utf8)
      let root: Descriptor
      do {
        root = try FileSystem.openFolder(path)
      } catch {
        throw LibraryError(.notALibrary, "\(error).")
      }
      try body(try LibraryLog(root: root, catalogue: try readCatalogue(path, root)))
    } catch let error as LibraryError {
      Console.note(error.description)
      try error.exitCode.exit()
    } catch {
      guard !(error is ArgumentParser.ExitCode) else { throw error }
      Console.note("\(error)")
      try MediaModel.ExitCode.differencesFound.exit()
    }
  }

  /// The catalogue, or nil with a word about it where the log is there and the catalogue is not: an
  /// intact chain and a head that was kept prove the log without it.
  private static func readCatalogue(
    _ path: [UInt8],
    _ root: Descriptor
  ) throws(LibraryError) -> CatalogueReader? {
    do {
      return try CatalogueReader(library: path)
    } catch {
      guard (try? FileSystem.status(in: root, name: [UInt8]("Audit".utf8)))?.kind == .folder else {
        throw error
      }
      Console.note(
        "\(error) Checked without it: that the log was not cut at its end is only known with "
          + "--expect-head or --trust."
      )
      return nil
    }
  }

  /// Published files of which no outcome record says that they were written with this digest.
  func unrecordedFiles() throws -> [String] {
    var recorded: [String: Set<String>] = [:]
    func note(_ value: JSONValue?) {
      guard case .object(let output)? = value, case .string(let path)? = output["path"],
        case .string(let sha256)? = output["sha256"]
      else { return }
      recorded[path, default: []].insert(sha256)
    }
    for file in try folder.files() {
      try AuditEntry.forEach(in: try folder.bytes(of: file)) { entry in
        guard entry.event == .outcome else { return }
        note(entry.fields["output"])
        guard case .array(let thumbnails)? = entry.fields["thumbnails"] else { return }
        for thumbnail in thumbnails { note(thumbnail) }
      }
    }
    var unrecorded: [String] = []
    for file in try catalogue?.publishedFiles(superseded: false) ?? [] {
      let path = ItemPath(bytes: [UInt8](file.path.utf8)).text
      if recorded[path]?.contains(file.sha256) != true {
        unrecorded.append("\(path): the log has no record that it was written like this")
      }
    }
    return unrecorded
  }
}
