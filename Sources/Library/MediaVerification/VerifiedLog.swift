package import MediaAudit
package import MediaLibrary
package import MediaModel

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

  /// Whether a file is of a batch that is not finished: then its outcome record may follow.
  package func isUnfinished(_ path: String) -> Bool { isUnfinished([UInt8](path.utf8)) }

  func isUnfinished(_ path: [UInt8]) -> Bool { catalogue?.unfinished.contains(path) ?? false }

  /// Reads the whole log, and marks the files that its outcome records name with the digest that the
  /// catalogue has.
  ///
  /// - Returns: The end of the run that ended last, and what the catalogue said then if the record has
  ///   it; nil when no run has ended.
  /// - Throws: `AuditError` `.cannotRead`.
  @discardableResult
  package func markRecorded(in marks: FileMarks) throws(AuditError) -> RunEnd? {
    var end: RunEnd?
    let placements = try snapshot.placements()
    for file in snapshot.files {
      try snapshot.forEach(in: file, only: [.outcome, .restored, .relabelled, .end]) { entry in
        if entry.event == .end { end = RunEnd(run: entry.run, catalogue: entry.catalogue) }
        entry.forEachWrittenFile(placements) { marks.mark($0, sha256: $1) }
      }
    }
    return end
  }

  /// Whether the catalogue says of the library's content what it said when the last run ended; also
  /// true while a run goes on or was stopped, and where the log does not tell.
  func hasContent(of end: RunEnd?) -> Bool {
    guard let last = catalogue?.positions.last, last.isEnded, let end, end.run == last.run,
      let recorded = end.catalogue, let content = catalogue?.content,
      content.schema == recorded.schema
    else { return true }
    return content == recorded
  }

  /// Whether the log says more than the catalogue knows; false without one that can be read.
  ///
  /// - Throws: `AuditError` `.cannotRead`; `LibraryError` when the catalogue cannot be read.
  func isCatalogueBehind(_ reader: CatalogueReader?) throws -> Bool {
    guard let catalogue, let reader else { return false }
    let lag = try snapshot.lag(of: catalogue.positions, journal: catalogue.decided)
    return try lag.isThere
      || reader.look(up: lag.published.map { [UInt8]($0.utf8) }).contains(.unknown)
  }

  /// Reads the whole log for those of some files that its outcome records name, or its `withdrawn` ones.
  ///
  /// - Parameter paths: The paths below the library, by their bytes.
  /// - Returns: The files at these paths, with the digests of all their records, and which were withdrawn.
  /// - Throws: `AuditError` `.cannotRead`.
  package func recordedFiles(among paths: Set<[UInt8]>) throws(AuditError) -> RecordedFiles {
    var recorded = RecordedFiles()
    let placements = try snapshot.placements()
    for file in snapshot.files {
      try snapshot.forEach(in: file, only: [.outcome, .restored, .relabelled, .withdrawn]) {
        entry in
        if entry.event == .withdrawn, let change: AuditFileChange = entry.body(),
          paths.contains(change.output.path.bytes)
        {
          recorded.withdraw(change.output.path.bytes)
        }
        entry.forEachWrittenFile(placements) { path, sha256 in
          if paths.contains(path) { recorded.add(path, sha256: sha256) }
        }
      }
    }
    return recorded
  }
}

/// The last record of a run.
package struct RunEnd: Sendable, Hashable {
  package var run: String
  /// The content of the catalogue as the run ended, if the record has it.
  package var catalogue: CatalogueContent?
}

/// Files that outcome records name, each with its digest; only those that were asked for.
package struct RecordedFiles: Sendable {
  private var files: [[UInt8]: Set<String>] = [:]
  private var withdrawn: Set<[UInt8]> = []

  /// Notes that a person has withdrawn the asset of a file; what is published anew has another path.
  mutating func withdraw(_ path: [UInt8]) { withdrawn.insert(path) }

  /// Whether a person has withdrawn the asset of a file, by the bytes of its path below the library.
  func isWithdrawn(_ path: [UInt8]) -> Bool { withdrawn.contains(path) }

  /// Adds a file by the bytes of its path below the library and its SHA-256 in hexadecimal.
  mutating func add(_ path: [UInt8], sha256: String) {
    files[path, default: []].insert(sha256)
  }

  /// Whether a record names a file by the bytes of its path below the library, with this SHA-256.
  package func has(_ path: [UInt8], sha256: String) -> Bool {
    files[path]?.contains(sha256) ?? false
  }

  /// Whether a record names a file by the bytes of its path below the library.
  func has(_ path: [UInt8]) -> Bool { files[path] != nil }
}

extension AuditEntry {
  /// Calls `body` with the output and the thumbnails of an outcome record, with the file of a `restored` one, and with
  /// the renamed file of a `relabelled` one: the bytes of the path below the library, and the SHA-256 in hexadecimal.
  /// Of another record it is not called.
  package func forEachWrittenFile(
    _ placements: AssetPlacements,
    _ body: (_ path: [UInt8], _ sha256: String) -> Void
  ) {
    for file in writtenFiles { body(placements.path(file.path, ofAsset: asset).bytes, file.sha256) }
  }
}
