package import MediaAudit

/// A library's log as it stood at one moment, so that every pass over it sees the same records while
/// a run goes on appending to it.
package struct ReportLog {
  package struct File {
    package var name: AuditFileName
    /// In bytes; what a run writes behind is not seen.
    package var size: Int
  }

  /// In the order of the runs.
  package let files: [File]
  private let folder: AuditFolder
  private let signedHeads: [String: String]

  /// Notes which files there are and how long each is.
  ///
  /// What the catalogue expects has to be asked for before, as the signed heads are here: a log only
  /// grows, so it is then at least as long as they say.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package init(_ folder: AuditFolder) throws(AuditError) {
    self.folder = folder
    signedHeads = try folder.signedHeads()
    var files: [File] = []
    for name in try folder.files() {
      files.append(File(name: name, size: try folder.bytes(of: name).size))
    }
    self.files = files
  }

  /// Verifies what was there at that moment; see `AuditVerifier`.
  ///
  /// - Throws: `AuditError` `.cannotRead`. A difference is not an error.
  package func verify(_ witnesses: AuditWitnesses) throws(AuditError) -> AuditVerification {
    let folder = folder
    var witnesses = witnesses
    witnesses.signedHeads = signedHeads
    let files = files.map { file in
      AuditFile(name: file.name.text) { () throws(AuditError) in
        BoundedAuditBytes(try folder.bytes(of: file.name), size: file.size)
      }
    }
    return try AuditVerifier.verify(files, witnesses)
  }

  /// Calls `body` with each whole record of a file, up to the first line that is none.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  func forEach(in file: File, _ body: (AuditEntry) -> Void) throws(AuditError) {
    let bytes = BoundedAuditBytes(try folder.bytes(of: file.name), size: file.size)
    try AuditEntry.forEach(in: bytes, body)
  }

  /// The first record of a file; nil when it has none, as a run that was killed early leaves it.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  func opening(of file: File) throws(AuditError) -> AuditEntry? {
    // A run's first record is far shorter than this, and the file may be long.
    let bytes = BoundedAuditBytes(
      try folder.bytes(of: file.name),
      size: min(file.size, Self.openingLength)
    )
    var opening: AuditEntry?
    try AuditEntry.forEach(in: bytes) { if opening == nil { opening = $0 } }
    return opening
  }

  private static let openingLength = 64 << 10
}

/// The first bytes of an audit file, as many as it had once.
private struct BoundedAuditBytes: AuditBytes {
  let size: Int
  private let bytes: any AuditBytes

  init(_ bytes: any AuditBytes, size: Int) {
    self.bytes = bytes
    self.size = min(size, bytes.size)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AuditError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let count = min(buffer.count, size - offset)
    return try bytes.read(
      at: offset,
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    )
  }
}
