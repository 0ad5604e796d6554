package import MediaAudit
internal import MediaFileSystem

/// A library's log at one moment: every pass over it sees the same records while a run appends.
package struct LogSnapshot {
  /// An audit file, and how much of it is in the snapshot.
  package struct File {
    package var name: AuditFileName
    /// In bytes; later records are not read.
    package var size: Int
  }

  /// In the order of the runs.
  package let files: [File]
  private let folder: AuditFolder
  /// Keeps the descriptor of ``folder`` open.
  private let descriptor: Descriptor
  private let signedHeads: [String: String]

  /// Notes which files there are and how long each is.
  ///
  /// The catalogue has to be read before, as the signed heads are here: the log only grows, so the
  /// snapshot then has at least what they are about.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  init(_ folder: AuditFolder, keepingOpen descriptor: Descriptor) throws(AuditError) {
    self.folder = folder
    self.descriptor = descriptor
    signedHeads = try folder.signedHeads()
    var files: [File] = []
    for name in try folder.files() {
      files.append(File(name: name, size: try folder.bytes(of: name).size))
    }
    self.files = files
  }

  /// Verifies the snapshot; see `AuditVerifier`.
  ///
  /// - Throws: `AuditError` `.cannotRead`. A difference is not an error.
  func verify(_ witnesses: AuditWitnesses) throws(AuditError) -> AuditVerification {
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

  /// Calls `body` with each whole record of a file, up to the first line that is not one.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func forEach(in file: File, _ body: (AuditEntry) -> Void) throws(AuditError) {
    let bytes = BoundedAuditBytes(try folder.bytes(of: file.name), size: file.size)
    try AuditEntry.forEach(in: bytes, body)
  }

  /// Reads the first record of a file; nil when it has none, as after a run that was killed early.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func opening(of file: File) throws(AuditError) -> AuditEntry? {
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

/// The first bytes of an audit file, up to the length that it had at the moment of a snapshot.
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
