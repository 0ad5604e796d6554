package import MediaModel

/// What a log says behind what a catalogue of its library knows, as one does not that is of an earlier day.
///
/// A command that was killed leaves nothing of it: the catalogue knows a run before its log has more than the records
/// with which it begins, a decision is in the journal before it is in the log, and a published file is in the catalogue
/// before its outcome is in the log.
package struct CatalogueLag {
  /// Whether there is a file of a run that the catalogue does not know, or behind what it knows of the newest one that
  /// it does a decision of a person that is not in its journal.
  package private(set) var isThere = false
  /// The files that the catalogue does not know and that are copies: each begins as that of another run does.
  package private(set) var copies: [AuditFileName] = []
  /// The paths below the library of the files that are published behind what the catalogue knows of that newest one,
  /// each of which it has to know.
  package private(set) var published: [String] = []

  /// Reads the records that the catalogue does not know.
  ///
  /// - Parameters:
  ///   - files: The log's files.
  ///   - positions: The ends of the log's files that the catalogue knows.
  ///   - journal: The assets of the decisions in its batches that are not done.
  ///   - open: Opens one of the files.
  /// - Throws: ``AuditError`` `.cannotRead`.
  package init(
    in files: [AuditFileName],
    behind positions: [AuditPosition],
    journal: Set<String>,
    open: (AuditFileName) throws(AuditError) -> any AuditBytes
  ) throws(AuditError) {
    let (names, runs) = (Set(positions.map(\.file)), Set(positions.map(\.run)))
    for file in files where !names.contains(file.text) {
      let bytes = try open(file)
      guard let run = try bytes.firstRun() else { continue }
      if run != file.run || runs.contains(run) {
        copies.append(file)
      } else if try !bytes.hasOnlyOpening() {
        isThere = true
      }
    }
    let ends = positions.compactMap { position in
      AuditFileName(text: position.file).map { (file: $0, position: position) }
    }
    guard let last = ends.max(by: { $0.file < $1.file }), files.contains(last.file) else { return }
    let bytes = try open(last.file)
    if bytes.size <= last.position.bytes { return }
    var (isDecided, published) = (false, published)
    try AuditEntry.forEach(
      in: bytes,
      from: last.position.records + 1,
      only: AuditEntry.decisions.union([.outcome, .restored])
    ) { entry in
      if let asset = entry.decidedAsset, !journal.contains(asset) { isDecided = true }
      if let file: AuditFileChange = entry.body(), file.thumbnailSpec != nil {
        published.append(file.output.published)
      }
      if let item = entry.item { published += item.files.map(\.published) }
    }
    (isThere, self.published) = (isThere || isDecided, published)
  }
}
