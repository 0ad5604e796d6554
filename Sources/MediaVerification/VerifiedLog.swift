package import MediaAudit
package import MediaLibrary
internal import MediaModel
internal import MediaSyntax

/// A log at one moment, the result of verifying it, and what the catalogue said before that moment.
package struct VerifiedLog {
  package let snapshot: LogSnapshot
  package let verification: AuditVerification
  /// Nil when the catalogue cannot be read.
  package let catalogue: CatalogueSnapshot?

  /// The head that the catalogue knows of each audit file, by the file's name.
  package var heads: [String: String] {
    Dictionary(catalogue?.positions.map { ($0.file, $0.head) } ?? []) { $1 }
  }

  /// The files that the catalogue lists; empty unless they were asked for.
  package var published: [Catalogue.PublishedFile] { catalogue?.published ?? [] }

  /// Finds the files of the catalogue that are in no outcome record with this digest.
  ///
  /// Files of a batch that is not finished are left out: the batch's records follow.
  package func unrecordedFiles(in recorded: RecordedFiles) -> [Catalogue.PublishedFile] {
    published.filter { !recorded.has($0) && !isUnfinished($0) }
  }

  /// Finds the files of batches that are not finished whose outcome records follow.
  func filesToRecord(in recorded: RecordedFiles) -> [Catalogue.PublishedFile] {
    published.filter { isUnfinished($0) && !recorded.has($0) }
  }

  /// Whether the catalogue says of the library's content what it said when the last run ended; also
  /// true while a run goes on or was stopped, and where the log does not tell.
  func hasContentOfLastRun(_ recorded: RecordedFiles) -> Bool {
    guard let last = catalogue?.positions.last, last.isEnded, let end = recorded.lastEnd,
      end.run == last.run, let known = end.catalogue, let content = catalogue?.content,
      content.schema == known.schema
    else { return true }
    return content == known
  }

  private func isUnfinished(_ file: Catalogue.PublishedFile) -> Bool {
    catalogue?.unfinished.contains([UInt8](file.path.utf8)) ?? false
  }

  /// Reads the whole log for the files that its outcome records name.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func recordedFiles() throws(AuditError) -> RecordedFiles {
    var recorded = RecordedFiles()
    for file in snapshot.files { try snapshot.forEach(in: file) { recorded.add($0) } }
    return recorded
  }
}

/// The files that outcome records name, each with its digest.
///
/// They are kept as hashes, since a log may name millions.
package struct RecordedFiles: Sendable {
  private var hashes: Set<Int> = []
  /// The run that ended last, and what the catalogue said then if the record has it.
  private(set) var lastEnd: (run: String, catalogue: CatalogueContent?)?

  package init() {}

  /// Adds a file by the bytes of its path below the library and its SHA-256 in hexadecimal.
  package mutating func add(_ path: [UInt8], sha256: String) {
    hashes.insert(Self.hash(path, sha256))
  }

  /// Adds the output and the thumbnails of an outcome record, or the end of a run; ignores other
  /// records.
  mutating func add(_ entry: AuditEntry) {
    if entry.event == .end { lastEnd = (entry.run, entry.catalogue) }
    guard entry.event == .outcome else { return }
    add(entry.fields["output"])
    if case .array(let thumbnails)? = entry.fields["thumbnails"] { thumbnails.forEach { add($0) } }
  }

  private mutating func add(_ value: JSONValue?) {
    guard case .object(let file)? = value, case .string(let path)? = file["path"],
      case .string(let sha256)? = file["sha256"]
    else { return }
    add(EscapedText.bytes(percentEscaped: path), sha256: sha256)
  }

  /// Whether a record names the file with the digest that the catalogue has.
  package func has(_ file: Catalogue.PublishedFile) -> Bool {
    hashes.contains(Self.hash(Array(file.path.utf8), file.sha256))
  }

  /// Whether a record names a file by the bytes of its path below the library, with this SHA-256.
  package func has(_ path: [UInt8], sha256: String) -> Bool {
    hashes.contains(Self.hash(path, sha256))
  }

  private static func hash(_ path: [UInt8], _ sha256: String) -> Int {
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(sha256)
    return hasher.finalize()
  }
}
