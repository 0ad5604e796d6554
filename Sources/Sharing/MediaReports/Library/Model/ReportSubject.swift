package import MediaAudit
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

/// A record in words.
package struct ReportRecord: Sendable, Hashable {
  package var run: String
  package var file: String
  package var sequence: Int
  package var time: String
  package var event: AuditEvent
  /// The record's contents in words; escaped.
  package var text: String

  /// Puts a record of a run into words; nil for one that says nothing about an asset.
  init?(_ entry: AuditEntry, file: AuditFileName, of user: String?) {
    guard let text = ReportWording.record(entry, of: user) else { return nil }
    self.init(entry, file: file, text: text)
  }

  init(_ entry: AuditEntry, file: AuditFileName, text: String) {
    run = ReportText.line(entry.run, limit: 100)
    self.file = file.text
    sequence = entry.sequence
    time = entry.shownTime
    event = entry.event
    self.text = text
  }
}

/// All that the log says about one asset.
package struct ReportSubject: Sendable, Hashable {
  package var asset: String
  /// In the order of the log: each decision in force, and all that followed for the asset.
  package var records: [ReportRecord] = []
  /// There are more records than are listed.
  package var isCut = false
}

extension ReportModel {
  /// Beyond it an asset's records are not listed.
  private static let maximumRecordCount = 1000

  /// Reads the records of the scope once more, for every record that concerns the asset.
  func subject(_ asset: String) throws(AuditError) -> ReportSubject {
    var subject = ReportSubject(asset: ReportText.line(asset, limit: 100))
    for file in files {
      var items: Set<SubjectItem> = []
      try forEachRecord(in: file) { entry in
        guard let item = ReportItem(entry, placements: placements), item.localIdentifier == asset
        else { return }
        items.insert(SubjectItem(source: item.source, path: item.path))
      }
      let sources = Set(items.map(\.source))
      var user: String?
      try forEachRecord(in: file) { entry in
        let text: String?
        switch entry.event {
        case .decision, .source, .shown, .transition:
          text = entry.source.map(sources.contains) == true ? ReportWording.record(entry, of: user) : nil
        case .access:
          let isItem = entry.source.flatMap { source in
            entry.path.map { items.contains(SubjectItem(source: source, path: $0)) }
          }
          text = isItem == true ? ReportWording.record(entry) : nil
        case .outcome:
          let item = ReportItem(entry, placements: placements)
          text = item?.localIdentifier == asset ? ReportWording.record(entry) : nil
        case .superseded, .restored, .relabelled, .withdrawn, .added, .placed:
          text =
            entry.asset == asset
              || entry.body(of: AuditPlacement.self)?.place == .duplicate(of: asset)
            ? ReportWording.record(entry) : nil
        case .stacked, .unstacked, .distinguished, .rotated:
          let edit: LibraryEdit? = entry.body()
          text = edit?.assets.contains(asset) == true ? ReportWording.record(entry) : nil
        case .run:
          user = ReportRun(entry, file: file.name.text)?.knownUser
          text = ReportWording.record(entry)
        case .rebuilt, .migrated, .end: text = ReportWording.record(entry)
        default: text = nil
        }
        guard let text else { return }
        guard subject.records.count < Self.maximumRecordCount else {
          subject.isCut = true
          return
        }
        subject.records.append(ReportRecord(entry, file: file.name, text: text))
      }
    }
    return subject
  }
}

private struct SubjectItem: Hashable {
  var source: SourceID
  var path: ItemPath
}
