package import MediaAudit
internal import MediaBrowsing
internal import MediaCatalogue
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import Synchronization

/// The result of comparing every file of a library with its catalogue and its log.
package struct LibraryVerification {
  package let files: LibraryFileCheck
  package let audit: AuditVerification
  /// Whether a run held the library: then what is unfinished is that run's.
  package let isInUse: Bool
  /// Whether SQLite, the digests of all rows and the log find the catalogue as it was written.
  package let isCatalogueWhole: Bool
  /// The damage of the digest key; nil when there is none, or when it could not be read.
  package let keyDamage: String?
  /// The damage of the private facts; none where there are none, or when they could not be read.
  package let privateFactDamage: [String]
  /// The texts of manifests that are missing or not what the log says; escaped.
  package let manifestDamage: [String]
  /// Damage to catalogue, digest key, private facts and manifests, and files that the log does not record; escaped.
  package let problems: Spool<String>
  /// How many of ``problems``, the last ones, are files that the log does not record.
  package let unrecordedCount: Int

  /// Whether everything is as it was written.
  package var isGood: Bool {
    files.differenceCount == 0 && audit.difference == nil && problems.isEmpty
  }

  /// Reads every file of the library at a path once, and its log twice; changes nothing. A run may go
  /// on meanwhile. Memory does not grow with the library.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - witnesses: What is kept outside the library.
  ///   - threads: On how many threads files and lines of the log are hashed, by default one a processor; with
  ///     more than one the catalogue is checked beside the log.
  /// - Throws: `LibraryError`, `FileSystemError`, `AuditError` when library, catalogue or log cannot be
  ///   read at all. A difference is not an error.
  package init(
    library path: [UInt8],
    witnesses: AuditWitnesses = AuditWitnesses(),
    threads: Int? = nil
  ) throws {
    let threads = threads ?? OwnThread.processors
    let catalogue = try CatalogueReader(library: path)
    let root = try FileSystem.openFolder(path)
    isInUse = Library.isHeld(root)
    let check = CatalogueCheck(library: path, isBeside: threads > 1)
    // The files are looked at after catalogue and log were read.
    let outcome = Result {
      try LibraryLog(root: root, catalogue: catalogue).verify(witnesses, threads: threads) {
        try RecordedCatalogue($0, $1)
      }
    }
    let damage = try check.problems().map { "library.sqlite: \($0)" }
    let log = try outcome.get()
    audit = log.verification
    isCatalogueWhole = damage.isEmpty && log.hasRightContent
    problems = try Self.problems(of: damage, hasRightContent: log.hasRightContent)
    var unread: [(path: String, detail: String)] = []
    keyDamage =
      try Self.ifReadable(Library.digestKeyFile, noting: &unread) { () throws(LibraryError) in
        try catalogue.digestKeyDamage(isWhole: damage.isEmpty)
      } ?? nil
    if let keyDamage { try problems.append(keyDamage) }
    privateFactDamage =
      try Self.ifReadable(Library.privateFactsFile, noting: &unread) { () throws(LibraryError) in
        try catalogue.privateFactDamage()
      } ?? []
    for problem in privateFactDamage {
      try problems.append("\(Library.privateFactsFile): \(problem)")
    }
    let manifests = try LibraryLog(root: root, catalogue: catalogue).manifestDamage()
    manifestDamage = manifests.filter { [.changed, .missing].contains($0.kind) }
      .map { "\($0.path): \($0.kind.rawValue): \($0.detail)" }
    for damage in manifestDamage { try problems.append(damage) }
    let list = problems
    unrecordedCount = log.unrecorded.count
    try log.unrecorded.forEach {
      try list.append("\($0): the log has no record that it was written like this")
    }
    var files = try LibraryFileCheck(
      root: root,
      catalogue: catalogue,
      snapshot: log.snapshot,
      isHeld: isInUse,
      threads: threads
    )
    for path in log.toRecord { try files.noteUnrecorded(path) }
    for file in unread { try files.noteUnread(file.path, file.detail) }
    for text in manifests where [.unread, .unfinished].contains(text.kind) {
      try files.noteUnread(text.path, text.detail, text.kind)
    }
    self.files = files
  }

  /// Damage to the catalogue, as the first of the problems.
  private static func problems(
    of damage: [String],
    hasRightContent: Bool
  ) throws -> Spool<String> {
    let problems = Spool<String>()
    for problem in damage { try problems.append(problem) }
    if !hasRightContent {
      try problems.append(
        "library.sqlite: it has other content than the last run's end in the log says"
      )
    }
    return problems
  }

  /// What `read` returns; nil, and the file noted, when this user may not read it: whoever may read the
  /// published files alone can compare them.
  private static func ifReadable<Value>(
    _ file: String,
    noting unread: inout [(path: String, detail: String)],
    _ read: () throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value? {
    do {
      return try read()
    } catch {
      guard error.code == .cannotWrite else { throw error }
      unread.append((file, error.cause ?? error.description))
      return nil
    }
  }
}

/// The check of a catalogue by itself, on another thread if there may be one and one can be started.
private final class CatalogueCheck: Sendable {
  private final class Found: Sendable {
    private let result = Mutex<Result<[String], any Error>?>(nil)

    func set(_ value: Result<[String], any Error>) { result.withLock { $0 = value } }
    func get() throws -> [String] { try result.withLock { $0 }?.get() ?? [] }
  }

  private let found = Found()
  private let thread: OwnThread?

  init(library path: [UInt8], isBeside: Bool) {
    let check: @Sendable () -> Void = { [found] in
      let problems = Result { try CatalogueReader(library: path).integrityProblems() }
      found.set(problems)
    }
    thread = isBeside ? OwnThread(check) : nil
    if thread == nil { check() }
  }

  /// Waits for what SQLite, the digests of all rows and their sums find.
  func problems() throws -> [String] {
    thread?.wait()
    return try found.get()
  }
}

/// A catalogue compared with the outcome records of its log.
private struct RecordedCatalogue {
  let verification: AuditVerification
  let snapshot: CatalogueSnapshot
  /// Whether the catalogue says of the library's content what the last run's end says.
  let hasRightContent: Bool
  /// The files that no outcome record names with this digest, by their paths, escaped.
  let unrecorded = Spool<String>()
  /// Those whose batches are not finished, by their paths: their records follow.
  private(set) var toRecord: [String] = []

  init(_ log: VerifiedLog, _ moment: CatalogueMoment) throws {
    verification = log.verification
    snapshot = moment.snapshot
    let marks = try FileMarks(moment)
    hasRightContent = log.hasContent(of: try log.markRecorded(in: marks))
    try marks.forEachFile { row in
      if row.isMarked { return }
      let path = row.file.path
      if log.isUnfinished(path) {
        toRecord.append(path)
      } else {
        try unrecorded.append(ItemPath(bytes: [UInt8](path.utf8)).text)
      }
    }
  }
}
