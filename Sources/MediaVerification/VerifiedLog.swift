package import MediaAudit
package import MediaLibrary
internal import MediaModel
internal import MediaSyntax

/// A log at one moment, the result of verifying it, and what the catalogue said before that moment.
package struct VerifiedLog {
  package let snapshot: LogSnapshot
  package let verification: AuditVerification
  /// The head that the catalogue knows of each audit file, by the file's name.
  package let heads: [String: String]
  /// The files that the catalogue lists; empty unless they were asked for.
  package let published: [Catalogue.PublishedFile]
  /// Paths of files in batches whose outcome records may not be written yet.
  let unfinished: Set<String>

  /// Finds the files of the catalogue that are in no outcome record with this digest.
  ///
  /// Files of a batch that is not finished are left out: the batch's records follow.
  package func unrecordedFiles(in recorded: RecordedFiles) -> [Catalogue.PublishedFile] {
    published.filter { !recorded.has($0) && !unfinished.contains($0.path) }
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

  package init() {}

  /// Adds a file by the bytes of its path below the library and its SHA-256 in hexadecimal.
  package mutating func add(_ path: [UInt8], sha256: String) {
    hashes.insert(Self.hash(path, sha256))
  }

  /// Adds the output and the thumbnails of an outcome record; ignores other records.
  mutating func add(_ entry: AuditEntry) {
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
