package import MediaAudit
package import MediaModel

/// What a library's log says of a source in the newest records of its listings.
package struct ListedSource: Sendable, Hashable {
  /// The absolute path of the folder that was listed last, which may be gone; nil for a source that was a
  /// camera in every run.
  package var folder: [UInt8]?
  /// The metadata policy of the last run that listed the source; nil when a version made that run that did
  /// not record it.
  package var metadataPolicy: MetadataPolicy?
}

extension LibraryLog {
  /// Finds what the newest runs recorded of each source that they listed.
  ///
  /// The whole log is read, in which only lines that look like such a record are parsed: nothing else says which
  /// names sources have had.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func listedSources() throws(AuditError) -> [SourceID: ListedSource] {
    let snapshot = try LogSnapshot(folder, keepingOpen: descriptor)
    var sources: [SourceID: ListedSource] = [:]
    let mayBeSource = AuditEntry.mayBe(.source)
    for file in snapshot.files.reversed() {
      var listed: [SourceID: ListedSource] = [:]
      try snapshot.forEach(in: file, where: mayBeSource) { entry in
        guard let listing: AuditListing = entry.body() else { return }
        listed[listing.source] = ListedSource(
          folder: listing.folder ?? listed[listing.source]?.folder,
          metadataPolicy: listing.metadataPolicy
        )
      }
      sources.merge(listed) { newer, older in
        ListedSource(folder: newer.folder ?? older.folder, metadataPolicy: newer.metadataPolicy)
      }
    }
    return sources
  }
}

extension LibraryLog {
  /// The usage descriptions that decisions of the log rest on, of which a long one is cut, and the heads of the store of
  /// answers that the runs quote, with the names of their files.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  package func quotedAnswers() throws(AuditError) -> (
    texts: [String], heads: [(file: String, head: String)]
  ) {
    let snapshot = try LogSnapshot(folder, keepingOpen: descriptor)
    var texts: [String: String] = [:]
    var heads: [(file: String, head: String)] = []
    for file in snapshot.files {
      try snapshot.forEach(in: file, only: [.decision]) { entry in
        guard let decision: SourceDecision = entry.body(), let sha256 = decision.usageTextSHA256 else {
          return
        }
        texts[sha256] = decision.usageText
      }
      if let head = try snapshot.opening(of: file)?.opening?.answersHead {
        heads.append((file.name.text, head))
      }
    }
    return (Array(texts.values), heads)
  }

  /// The digest of the manifest of the newest run that has kept its text, and the sources that this run was not allowed
  /// whole: denied, limited or not decided.
  ///
  /// - Returns: Nil when no run has kept one.
  /// - Throws: `AuditError` `.cannotRead`.
  package func newestRefusals() throws(AuditError) -> (
    manifestSHA256: String, sources: Set<SourceID>
  )? {
    let snapshot = try LogSnapshot(folder, keepingOpen: descriptor)
    for file in snapshot.files.reversed() {
      guard let opening = try snapshot.opening(of: file)?.opening, opening.manifestBytes != nil
      else { continue }
      var sources: Set<SourceID> = []
      try snapshot.forEach(in: file, only: [.decision]) { entry in
        guard let decision: SourceDecision = entry.body(), decision.accessLevel == .readWrite,
          decision.verdict != .allow || decision.authorizationStatus != .authorized
        else { return }
        sources.insert(decision.source)
      }
      return (opening.manifestSHA256, sources)
    }
    return nil
  }
}
