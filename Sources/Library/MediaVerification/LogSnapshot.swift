package import MediaAudit
internal import MediaFileSystem
internal import MediaModel

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
  /// The names of runs for whose files something else stands that is no regular file; nothing of it is read.
  private let strangers: [AuditFileName]
  private let folder: AuditFolder
  /// Keeps the descriptor of ``folder`` open.
  private let descriptor: Descriptor
  /// The signed heads by the names of their files.
  private let signedHeads: [String: String]

  /// Notes which files there are and how long each is.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  init(_ folder: AuditFolder, keepingOpen descriptor: Descriptor) throws(AuditError) {
    self.folder = folder
    self.descriptor = descriptor
    // A head is written behind its records, so that the files have at least what the heads are about.
    signedHeads = try folder.signedHeads()
    (files, strangers) = try Self.files(of: folder)
  }

  /// Joins this snapshot with what the log has now of the files that a catalogue knows; the catalogue
  /// was read in between.
  ///
  /// The log only grows, and the catalogue is told after it. So a file that the catalogue knows has
  /// now at least what the catalogue knows of it, and a file that it does not know had, before it was
  /// read, no more than the records with which a run begins: of such a file the earlier length counts.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  func joined(withNowOf names: Set<String>) throws(AuditError) -> LogSnapshot {
    let earlier = Dictionary(files.map { ($0.name, $0.size) }) { $1 }
    var heads = signedHeads
    for (name, head) in try folder.signedHeads() {
      if let file = AuditFileName(headText: name), names.contains(file.text) { heads[name] = head }
    }
    let (present, strangers) = try Self.files(of: folder)
    let files = present.compactMap { file -> File? in
      if names.contains(file.name.text) { return file }
      return earlier[file.name].map { File(name: file.name, size: min($0, file.size)) }
    }
    return LogSnapshot(
      files: files,
      strangers: strangers,
      folder: folder,
      descriptor: descriptor,
      signedHeads: heads
    )
  }

  private init(
    files: [File],
    strangers: [AuditFileName],
    folder: AuditFolder,
    descriptor: Descriptor,
    signedHeads: [String: String]
  ) {
    self.files = files
    self.strangers = strangers
    self.folder = folder
    self.descriptor = descriptor
    self.signedHeads = signedHeads
  }

  private static func files(
    of folder: AuditFolder
  ) throws(AuditError) -> ([File], strangers: [AuditFileName]) {
    var files: [File] = []
    var strangers: [AuditFileName] = []
    for name in try folder.files() {
      do {
        files.append(File(name: name, size: try folder.bytes(of: name).size))
      } catch {
        guard error.isNoFile else { throw error }
        strangers.append(name)
      }
    }
    return (files, strangers)
  }

  /// The places that merges have given to assets of shards.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func placements() throws(AuditError) -> AssetPlacements {
    try folder.placements(of: files.map(\.name))
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
    let unreadable = strangers.map { name in
      AuditFile(name: name.text) { () throws(AuditError) in try folder.bytes(of: name) }
    }
    return try AuditVerifier.verify(files + unreadable, witnesses)
  }

  /// What the log says behind what a catalogue knows.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  func lag(
    of positions: [AuditPosition],
    journal: Set<String>
  ) throws(AuditError) -> CatalogueLag {
    let sizes = Dictionary(files.map { ($0.name, $0.size) }) { $1 }
    return try CatalogueLag(in: files.map(\.name), behind: positions, journal: journal) {
      (name) throws(AuditError) in
      BoundedAuditBytes(try folder.bytes(of: name), size: sizes[name] ?? 0)
    }
  }

  /// Calls `body` with each whole record of a file, up to the first line that is not one; only with those
  /// of some `events` if they are given.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func forEach(
    in file: File,
    only events: Set<AuditEvent>? = nil,
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    let bytes = BoundedAuditBytes(try folder.bytes(of: file.name), size: file.size)
    try AuditEntry.forEach(in: bytes, only: events, body)
  }

  /// Finds the records of a file that are wanted, up to the first line that is no record.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func records(
    _ search: RecordSearch,
    in file: File
  ) throws(AuditError) -> FoundRecords {
    let bytes = BoundedAuditBytes(try folder.bytes(of: file.name), size: file.size)
    return try AuditEntry.records(search, in: bytes)
  }

  /// Calls `body` with the records of a file that were found.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func forEach(
    in file: File,
    of records: FoundRecords,
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    let bytes = BoundedAuditBytes(try folder.bytes(of: file.name), size: file.size)
    try AuditEntry.forEach(in: bytes, at: records.lines, body)
  }

  /// Calls `body` with the records of a file whose lines may be wanted, and passes over every other line, also one that
  /// is no record.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func forEach(
    in file: File,
    where mayBeWanted: (_ line: UnsafeRawBufferPointer) -> Bool,
    _ body: (AuditEntry) -> Void
  ) throws(AuditError) {
    let bytes = BoundedAuditBytes(try folder.bytes(of: file.name), size: file.size)
    try AuditEntry.forEach(in: bytes, where: mayBeWanted, body)
  }

  /// Reads the first record of a file; nil when it has none, as after a run that was killed early.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func opening(of file: File) throws(AuditError) -> AuditEntry? {
    // A run's first record is far shorter than this, and the file may be long.
    let bytes = BoundedAuditBytes(try folder.bytes(of: file.name), size: min(file.size, Self.openingLength))
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
    return try bytes.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }
}
