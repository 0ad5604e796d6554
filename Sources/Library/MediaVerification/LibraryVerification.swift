internal import Glibc
package import MediaAudit
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
  /// Whether the catalogue knows less than the log, as one that is of an earlier day.
  package let isCatalogueBehind: Bool
  /// The files of batches that a command was stopped in, and that the next one finishes.
  package let toFinish: Set<[UInt8]>
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
  ///   read at all. A difference is not an error, and neither is a damaged or lost catalogue.
  package init(
    library path: [UInt8],
    witnesses: AuditWitnesses = AuditWitnesses(),
    threads: Int? = nil
  ) throws {
    let threads = threads ?? OwnThread.processors
    let damage = CatalogueDamage(library: path)
    let catalogue = try damage.open()
    let root = try FileSystem.openFolder(path)
    isInUse = LibraryFolder.isHeld(root)
    let check = CatalogueCheck(library: path, isAlone: damage.isAlone, isBeside: threads > 1)
    // The files are looked at after catalogue and log were read.
    let log = Result { () throws(FileSystemError) in try LibraryLog(root: root, catalogue: catalogue) }
    let lostLog = try Self.lostLog(log, hasCatalogue: catalogue != nil)
    let library = try? log.get()
    let outcome = Result { () throws -> RecordedCatalogue? in
      guard let library else { return nil }
      let compared = try damage.ifReadable { () throws -> RecordedCatalogue? in
        guard catalogue != nil else { return nil }
        return try library.verify(witnesses, threads: threads) { try RecordedCatalogue($0, $1) }
      }
      return try compared ?? RecordedCatalogue(library.verify(witnesses, threads: threads))
    }
    damage.texts += try damage.ifReadable { try check.problems() } ?? []
    let recorded = try outcome.get()
    audit = recorded?.log.verification ?? lostLog
    var unread: [(path: String, detail: String)] = []
    keyDamage = try damage.ifReadable {
      try Self.ifReadable(Library.digestKeyFile, noting: &unread) { () throws(LibraryError) in
        try catalogue?.digestKeyDamage(isWhole: damage.texts.isEmpty)
      } ?? nil
    }
    privateFactDamage =
      try Self.ifReadable(Library.privateFactsFile, noting: &unread) { () throws(LibraryError) in
        try catalogue?.privateFactDamage() ?? []
      } ?? []
    let manifests = try library?.manifestDamage() ?? []
    manifestDamage = manifests.filter { [.changed, .missing].contains($0.kind) }
      .map { "\($0.path): \($0.kind.rawValue): \($0.detail)" }
    var files = try Self.files(root, catalogue, recorded?.log, damage, isHeld: isInUse, threads)
    for path in recorded?.toRecord ?? [] { try files.noteUnrecorded(path) }
    for file in unread { try files.noteUnread(file.path, file.detail) }
    for text in manifests where [.unread, .unfinished].contains(text.kind) {
      try files.noteUnread(text.path, text.detail, text.kind)
    }
    self.files = files
    toFinish = isInUse ? [] : recorded?.log.catalogue?.toFinish ?? []
    isCatalogueBehind = try !isInUse && Self.isBehind(recorded?.log, catalogue, damage)
    let hasRightContent = recorded?.hasRightContent ?? true
    isCatalogueWhole = damage.texts.isEmpty && hasRightContent
    if !hasRightContent {
      damage.texts.append("its content is not as the last run left it")
    }
    let texts =
      damage.texts.map { "\(LibraryFolder.catalogueName): \($0)" } + [keyDamage].compactMap(\.self)
    let facts = privateFactDamage.map { "\(Library.privateFactsFile): \($0)" }
    unrecordedCount = recorded?.unrecorded.count ?? 0
    problems = try Self.problems(texts + facts + manifestDamage, recorded)
  }

  /// The problems, behind which are the files that the log does not record.
  private static func problems(
    _ texts: [String],
    _ recorded: RecordedCatalogue?
  ) throws -> Spool<String> {
    let problems = Spool<String>()
    for text in texts { try problems.append(text) }
    try recorded?.unrecorded.forEach {
      try problems.append("\($0): the log has no record that it was written like this")
    }
    return problems
  }

  /// The result of verifying a log whose folder is not there or no folder: all else is compared with the catalogue.
  ///
  /// - Throws: The error of a log that this user may not read, or beside which there is no catalogue.
  private static func lostLog(
    _ log: Result<LibraryLog, FileSystemError>,
    hasCatalogue: Bool
  ) throws(FileSystemError) -> AuditVerification {
    var verification = AuditVerification()
    do {
      _ = try log.get()
    } catch {
      if !hasCatalogue || ManifestTexts.isUnreadable(error) { throw error }
      let isMissing = error.errno == ENOENT
      verification.difference = AuditDifference(
        kind: isMissing ? .missing : .changed,
        file: "",
        detail: (isMissing ? "missing: " : "") + "\(error)"
      )
    }
    return verification
  }

  /// Whether the catalogue knows less than the log. What holds a library would not have begun then.
  private static func isBehind(
    _ log: VerifiedLog?,
    _ catalogue: CatalogueReader?,
    _ damage: CatalogueDamage
  ) throws -> Bool {
    try damage.ifReadable { try log?.isCatalogueBehind(catalogue) ?? false } ?? false
  }

  /// Compares the files with the catalogue; with the log, where that is damaged.
  private static func files(
    _ root: Descriptor,
    _ catalogue: CatalogueReader?,
    _ log: VerifiedLog?,
    _ damage: CatalogueDamage,
    isHeld: Bool,
    _ threads: Int
  ) throws -> LibraryFileCheck {
    let snapshot =
      log == nil ? try damage.ifReadable { try catalogue?.snapshot() } : log?.catalogue
    if let catalogue, let snapshot,
      let files = try damage.ifReadable({
        try LibraryFileCheck(
          root: root,
          catalogue: catalogue,
          snapshot: snapshot,
          isHeld: isHeld,
          threads: threads
        )
      })
    {
      return files
    }
    guard let log else {
      throw LibraryError(.inconsistent, damage.texts.first ?? "The catalogue cannot be read.")
    }
    damage.texts.append("the files were compared with the log alone, which does not show missing ones")
    return try LibraryFileCheck(root: root, log: log, isHeld: isHeld)
  }

  /// What `read` returns; nil, and the file noted, when this user may not read it: a user who may read the
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

/// The damage of a catalogue, as it is met.
private final class CatalogueDamage {
  var texts: [String] = []
  /// Whether something stands beside the catalogue that is none of its files, so that it is read without them.
  private(set) var isAlone = false
  private let library: [UInt8]

  init(library: [UInt8]) { self.library = library }

  /// The catalogue; nil, and the damage noted, where none can be read.
  func open() throws -> CatalogueReader? {
    if let root = try? FileSystem.openPath(library),
      let stranger = LibraryFolder.stranger(at: LibraryFolder.catalogueName, in: root)
    {
      isAlone = true
      texts.append(stranger)
    }
    let reader = try ifReadable { try CatalogueReader(library: library, isAlone: isAlone) }
    // Opening reads its first pages alone.
    guard let snapshot = try ifReadable({ try reader?.snapshot() }) else { return nil }
    if !snapshot.hasReadableBatches {
      texts.append(
        "a staged batch cannot be read; `mediabatch rebuild` makes a new catalogue from the files and the log"
      )
    }
    return reader
  }

  /// What `read` returns; nil, and the damage noted, where it meets a damaged part, or no catalogue in what is a
  /// library otherwise.
  func ifReadable<Value>(_ read: () throws -> Value?) throws -> Value? {
    do {
      return try read()
    } catch let error as LibraryError where error.code == .inconsistent || isLost(error) {
      let text =
        error.code == .inconsistent
        ? error.description
        : "it is missing or damaged; `mediabatch rebuild` makes a new one from the files and the log"
      if !texts.contains(text) { texts.append(text) }
      return nil
    }
  }

  /// Whether an error says that a library has everything but a catalogue that can be recognized.
  private func isLost(_ error: LibraryError) -> Bool {
    guard error.code == .notALibrary, let root = try? FileSystem.openFolder(library) else {
      return false
    }
    return ["Originals", "Audit"].allSatisfy { name in
      (try? FileSystem.status(in: root, name: [UInt8](name.utf8)))?.kind == .folder
    }
  }
}

/// The check of a catalogue by itself, on another thread if there may be one and one can be started.
private final class CatalogueCheck: Sendable {
  private final class Outcome: Sendable {
    private let result = Mutex<Result<[String], any Error>?>(nil)

    func set(_ value: Result<[String], any Error>) { result.withLock { $0 = value } }
    func get() throws -> [String] { try result.withLock { $0 }?.get() ?? [] }
  }

  private let outcome = Outcome()
  private let thread: OwnThread?

  init(library path: [UInt8], isAlone: Bool, isBeside: Bool) {
    let check: @Sendable () -> Void = { [outcome] in
      let problems = Result {
        try CatalogueReader(library: path, isAlone: isAlone).integrityProblems()
      }
      outcome.set(problems)
    }
    thread = isBeside ? OwnThread(check) : nil
    if thread == nil { check() }
  }

  /// Waits for what SQLite, the digests of all rows and their sums find.
  func problems() throws -> [String] {
    thread?.wait()
    return try outcome.get()
  }
}

/// A catalogue compared with the outcome records of its log.
private struct RecordedCatalogue {
  let log: VerifiedLog
  /// Whether the catalogue says of the library's content what the last run's end says.
  let hasRightContent: Bool
  /// The files that no outcome record names with this digest, by their paths, escaped.
  let unrecorded = Spool<String>()
  /// Those whose batches are not finished, by their paths: their records follow.
  private(set) var toRecord: [String] = []

  /// The log alone, where the catalogue is damaged.
  init(_ log: VerifiedLog) {
    self.log = log
    hasRightContent = true
  }

  init(_ log: VerifiedLog, _ moment: CatalogueMoment) throws {
    self.log = log
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
