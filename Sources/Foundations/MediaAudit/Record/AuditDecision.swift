package import MediaModel

/// The record of a decision has all of it.
extension SourceDecision: RecordBody {
  package static let events = [AuditEvent.decision]

  package mutating func list(_ fields: inout RecordFields) {
    fields.source(&source)
    fields.needed("authorizationStatus", &authorizationStatus)
    fields.told("authorizationStatusValue", authorizationStatus.rawValue)
    fields.field("accessLevel", &accessLevel)
    fields.field("availability", &availability)
    fields.needed("decision", &verdict)
    fields.needed("reason", &reason)
    fields.told("photosErrorCode", reason.photosErrorCode)
    fields.field("row", &row)
    fields.field("decidedBy", &decidedBy)
    fields.field("basis", &basis)
    fields.field("signature", &signature)
    fields.field("usageKey", &usageKey)
    fields.field("usageTextSHA256", &usageTextSHA256)
    fields.text("usageText", &usageText, limit: 500)
    fields.field("usageTextLanguage", &usageTextLanguage)
    fields.field("required", &required)
  }
}

/// An allowed source, right before it is listed for the first time.
package struct AuditListing: RecordBody {
  package static let events = [AuditEvent.source]

  package var source = SourceID.camera
  /// The manifest's own words for the folder.
  package var path: ItemPath?
  /// The path that was opened, after the one symlink that a source's own path may be.
  package var resolvedPath: ItemPath?
  /// Of the opened folder, as ``inode``.
  package var device: UInt64 = 0
  package var inode: UInt64 = 0
  package var basis: DecisionReason?
  /// A digest of all that an item's failure depends on besides its file; nil in a log of a version that did not
  /// write it.
  package var conditions: String?
  /// The policy under which the run writes the source's files; nil in a log of a version that did not write it.
  package var metadataPolicy: MetadataPolicy?
  /// The name of the time zone by which its dates are completed; nil for a source that is called by its kind's word.
  package var timeZone: String?

  package init() {}

  package mutating func list(_ fields: inout RecordFields) {
    fields.source(&source)
    fields.field("path", &path)
    fields.field("resolvedPath", &resolvedPath)
    fields.field("device", &device)
    fields.field("inode", &inode)
    fields.field("basis", &basis)
    fields.field("conditions", &conditions)
    fields.field("metadataPolicy", &metadataPolicy)
    fields.field("timeZone", &timeZone)
  }

  /// The absolute path of the folder that was opened; nil for a camera, which has none.
  package var folder: [UInt8]? {
    resolvedPath?.bytes.first == .slash ? resolvedPath?.bytes : nil
  }
}

/// A number of things of one source.
///
/// `candidates`: the files of a listed source among which its limit chooses. `shown`: the names that a person was shown
/// on a page, to pick from. `unchanged`: the items that were not opened, or left out for another reason.
package struct AuditCount: RecordBody {
  package static let events: [AuditEvent] = [.candidates, .shown, .unchanged]

  package var event = AuditEvent.unchanged
  package var source = SourceID.camera
  package var count = 0
  /// Of candidates. Takes the place of ``AuditListing/conditions``: whether a file is among the first depends on all
  /// others.
  package var conditions: String?
  /// Of names: when the answer was given on which the run rests, as RFC 3339 has it; nil for a page of this run.
  package var answeredAt: String?
  /// Of items: what ``AuditRecord/listSHA256(_:)`` says of their paths.
  package var listSHA256: String?
  /// Of items: `failedBefore`, or with a reason `skipped`; nil for unchanged ones.
  package var outcome: ItemOutcome?
  package var reason: ItemReason?

  package init() {}

  package init(_ event: AuditEvent, of source: SourceID, _ count: Int) {
    (self.event, self.source, self.count) = (event, source, count)
  }

  package mutating func list(_ fields: inout RecordFields) {
    fields.event(&event)
    fields.source(&source)
    fields.field("count", &count)
    fields.field("conditions", &conditions)
    fields.field("answeredAt", &answeredAt)
    fields.field("listSHA256", &listSHA256)
    fields.field("outcome", &outcome)
    fields.field("reason", &reason)
  }
}

/// A change of a status or a stored answer that was seen while the run went on, or that a person gave at its prompt.
package struct AuditTransition: RecordBody {
  package static let events = [AuditEvent.transition]

  package var source = SourceID.camera
  package var accessLevel = AccessLevel.readWrite
  package var from: AuthorizationStatus?
  package var to: AuthorizationStatus?
  package var reason: DecisionReason?
  /// How the person answered, as ``MediaModel/SourceDecision/basis``; nil when it was not an answer.
  package var basis: String?
  /// How many items of the source were found and then not opened any more.
  package var refusedItems = 0

  package init() {}

  package mutating func list(_ fields: inout RecordFields) {
    fields.source(&source)
    fields.field("accessLevel", &accessLevel)
    fields.field("from", &from)
    fields.field("to", &to)
    fields.field("reason", &reason)
    fields.field("basis", &basis)
    fields.field("refusedItems", &refusedItems)
  }
}
