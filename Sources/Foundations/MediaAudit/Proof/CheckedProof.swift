internal import MediaFileSystem
internal import MediaModel
package import MediaSyntax

/// A proof or an export whose records are in the log of its head.
package struct CheckedProof {
  package let head: SignedHead
  /// The records that a proof shows; nil for an export.
  package let records: [(index: Int, record: JSONValue)]?
  package let recordCount: Int
  /// Names of which only the digest is given.
  package let hiddenNames: Int
  /// Whether the size of the tree is trusted too: without it no record's number is proved.
  package let provesNumbers: Bool

  /// Checks a file that `audit prove` or `audit export` wrote, against a head, a key or both, and
  /// against the identifier of the library that it has to be of, if the caller knows it.
  ///
  /// The library is proved only by a key, or a signed head that the caller trusts: a root does not
  /// contain it.
  ///
  /// - Throws: ``ProofError`` when it does not hold; `FileSystemError` and ``AuditError`` when the file
  ///   cannot be read.
  package init(
    file path: [UInt8],
    trusting trusted: TrustedHead?,
    key: VerifierKey?,
    library: String? = nil
  ) throws {
    let bytes = try ProofBytes(path)
    if AuditExport.isExport(try bytes.firstLine()) {
      let export = try AuditExport.check(bytes)
      head = export.head
      records = nil
      recordCount = export.head.tree.size
      hiddenNames = export.hiddenNames
    } else {
      let proof = try AuditProof(try bytes.all(limit: 1 << 26))
      let shown = try proof.check()
      head = proof.head
      records = zip(proof.records, shown).map { ($0.shown.index, $1) }
      recordCount = shown.count
      hiddenNames = shown.reduce(0) { $0 + $1.hiddenNames }
    }
    provesNumbers = key != nil || trusted?.tree != nil
    if let difference = trusted?.difference(from: head) { throw ProofError(difference) }
    if let key, !head.note.isSigned(by: key) {
      throw ProofError("its head is not signed by \(key.identifier)")
    }
    if let library, head.library != library {
      throw ProofError("it is of the library \(head.library), not of \(library)")
    }
  }
}

extension CheckedProof {
  /// The records that a proof shows, with a text in the place of each name that is held back; none for an export.
  package var shown: [ShownRecord] {
    (records ?? []).compactMap { index, record in
      guard case .object(let fields) = record, case .string(let name)? = fields["event"],
        let event = AuditEvent(rawValue: name), case .string(let run)? = fields["run"]
      else { return nil }
      let entry = AuditEntry(sequence: index, event: event, run: run, fields: fields)
      return ShownRecord(index: index, file: "", hash: "", entry: entry)
    }
  }
}

extension ConsistencyProof {
  /// Reads the proof that `audit consistency --output` wrote.
  ///
  /// - Throws: ``ProofError`` for another file; `FileSystemError` and ``AuditError`` when it cannot be
  ///   read.
  package init(file path: [UInt8]) throws {
    var line = try ProofBytes(path).all(limit: 1 << 20)
    if line.last == .newline { line.removeLast() }
    try self.init(line)
  }
}

/// The bytes of a proof's file, read a piece at a time.
private struct ProofBytes: AuditBytes {
  private let file: Descriptor
  let size: Int

  /// Opens a file; what comes through a pipe is kept in a temporary file, since it is read twice.
  ///
  /// - Throws: `FileSystemError`, `EINVAL` for what is neither a file nor a pipe.
  init(_ path: [UInt8]) throws(FileSystemError) {
    file = try FileSystem.openSeekable(path)
    size = Int(try file.status().size)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AuditError) -> Int {
    do {
      return try file.read(into: buffer, at: UInt64(offset))
    } catch {
      throw AuditError(.cannotRead, file: "", errorNumber: error.errno)
    }
  }

  func firstLine() throws -> [UInt8] {
    Array(try all(limit: 1 << 17).prefix { $0 != .newline })
  }

  func all(limit: Int) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: min(size, limit))
    let filled = try buffer.withUnsafeMutableBytes { bytes in try read(at: 0, into: bytes) }
    return Array(buffer[..<filled])
  }
}
