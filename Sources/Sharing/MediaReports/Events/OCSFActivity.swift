internal import MediaAudit
internal import MediaModel
internal import MediaSyntax

/// The part of an event that depends on the kind of its record.
struct OCSFActivity {
  var members: [String: JSONValue]
  /// Members of the record that it has.
  var uses: Set<String> = []
  var isAboutFile = true

  private enum Status {
    case success, failure
    /// What the class has no word for.
    case other(String)
  }

  /// What became of a request, with the numbers of the schema.
  private struct Disposition {
    var action: (id: Int, caption: String)
    var disposition: (id: Int, caption: String)

    static let allowed = Disposition(action: (1, "Allowed"), disposition: (1, "Allowed"))
    static let unauthorized = Disposition(action: (2, "Denied"), disposition: (26, "Unauthorized"))
    static let revoked = Disposition(action: (2, "Denied"), disposition: (24, "Access Revoked"))
    static let failed = Disposition(action: (1, "Allowed"), disposition: (27, "Error"))
    static let leftOut = Disposition(action: (3, "Observed"), disposition: (16, "No Action"))
    static let quarantined = Disposition(action: (1, "Allowed"), disposition: (3, "Quarantined"))
  }

  /// Adds the decision that an activity rests on.
  private mutating func authorize(
    _ decision: DecisionReason?,
    by: String? = nil,
    row: Int? = nil
  ) {
    guard let decision else { return }
    var authorization: [String: JSONValue] = ["decision": .string(decision.rawValue)]
    var policy: [String: JSONValue] = [:]
    if let by { policy["name"] = .string(by) }
    if let row { policy["uid"] = .string("row \(row)") }
    if !policy.isEmpty { authorization["policy"] = .object(policy) }
    members["authorizations"] = [.object(authorization)]
  }

  private static func fileActivity(
    _ number: Int,
    _ caption: String,
    _ file: [String: JSONValue],
    _ status: Status,
    _ disposition: Disposition
  ) -> OCSFActivity {
    var activity = base(
      (1, "System Activity"),
      (1001, "File System Activity"),
      number,
      number == 99 ? "Other" : caption,
      status
    )
    // The schema wants the source's own word with the number 99.
    activity.members["activity_name"] = .string(caption)
    activity.members["file"] = .object(file)
    activity.members["action_id"] = JSONValue(disposition.action.id)
    activity.members["action"] = .string(disposition.action.caption)
    activity.members["disposition_id"] = JSONValue(disposition.disposition.id)
    activity.members["disposition"] = .string(disposition.disposition.caption)
    return activity
  }

  private static func lifecycle(
    _ number: Int,
    _ caption: String,
    _ status: Status,
    uses: Set<String>
  ) -> OCSFActivity {
    var activity = base(
      (6, "Application Activity"),
      (6002, "Application Lifecycle"),
      number,
      caption,
      status
    )
    activity.members["app"] = ["name": "mediabatch", "vendor_name": "mediabatch"]
    activity.uses = uses
    activity.isAboutFile = false
    return activity
  }

  private static func base(
    _ category: (id: Int, caption: String),
    _ kind: (id: Int, caption: String),
    _ number: Int,
    _ caption: String,
    _ status: Status
  ) -> OCSFActivity {
    let (statusNumber, statusCaption, severity) =
      switch status {
      case .success: (1, "Success", (1, "Informational"))
      case .failure: (2, "Failure", (2, "Low"))
      case .other(let word): (99, word, (1, "Informational"))
      }
    return OCSFActivity(members: [
      "activity_id": JSONValue(number), "activity_name": .string(caption),
      "category_uid": JSONValue(category.id), "category_name": .string(category.caption),
      "class_uid": JSONValue(kind.id), "class_name": .string(kind.caption),
      "type_uid": JSONValue(kind.id * 100 + number),
      "type_name": .string("\(kind.caption): \(caption)"),
      "status_id": JSONValue(statusNumber), "status": .string(statusCaption),
      "severity_id": JSONValue(severity.0), "severity": .string(severity.1),
    ])
  }
}

extension OCSFActivity {
  /// What a record tells; nil for one that is about no file and no run, or lacks a member that it has to have.
  ///
  /// - Parameters:
  ///   - entry: The record, as it may be shown.
  ///   - folders: The folders of the sources, as the run opened them.
  init?(of entry: AuditEntry, folders: [SourceID: ItemPath]) {
    guard let activity = Self.activity(of: entry, folders) else { return nil }
    self = activity
  }

  private static func activity(
    of entry: AuditEntry,
    _ folders: [SourceID: ItemPath]
  ) -> OCSFActivity? {
    switch entry.event {
    case .run:
      return lifecycle(3, "Start", .success, uses: ["tool", "host", "user", "schema", "client"])
    case .end:
      return entry.exitCode.map { code in
        var activity = lifecycle(4, "Stop", code == 0 ? .success : .failure, uses: ["exitCode"])
        activity.members["status_code"] = .string(String(code))
        return activity
      }
    case .decision: return entry.body().map { decision($0, folders) }
    case .transition: return entry.body().map { transition($0, folders) }
    case .source: return entry.body().map { opening($0, folders) }
    case .access: return entry.body().map { access($0, folders) }
    case .outcome: return entry.item.map { outcome($0, folders) }
    case .superseded: return published(4, "Delete", entry)
    case .restored: return published(1, "Create", entry)
    case .quarantined, .withdrawn: return published(5, "Rename", entry, .quarantined)
    case .relabelled: return relabelling(entry)
    case .added: return entry.body().map { addition($0, to: folders[.library]) }
    // The others are about no single file that was touched.
    default: return nil
    }
  }

  /// The verdict on a source.
  private static func decision(
    _ decision: SourceDecision,
    _ folders: [SourceID: ItemPath]
  ) -> OCSFActivity {
    let isAllowed = decision.verdict == .allow
    var activity = fileActivity(
      99,
      "Decision",
      OCSFFile.folder(of: decision.source, at: folders[decision.source]),
      isAllowed ? .success : .failure,
      isAllowed ? .allowed : .unauthorized
    )
    activity.authorize(decision.reason, by: decision.decidedBy, row: decision.row)
    activity.members["status_code"] = .string(decision.reason.rawValue)
    return activity
  }

  /// A change of a source's status.
  private static func transition(
    _ transition: AuditTransition,
    _ folders: [SourceID: ItemPath]
  ) -> OCSFActivity {
    let isAllowed = transition.to == .authorized || transition.to == .limited
    var activity = fileActivity(
      99,
      "Transition",
      OCSFFile.folder(of: transition.source, at: folders[transition.source]),
      .success,
      isAllowed ? .allowed : .revoked
    )
    activity.members["status_code"] = (transition.reason?.rawValue).map(JSONValue.string)
    return activity
  }

  /// The opening of a source's folder.
  private static func opening(
    _ listing: AuditListing,
    _ folders: [SourceID: ItemPath]
  ) -> OCSFActivity {
    var file = OCSFFile.folder(of: listing.source, at: folders[listing.source])
    file["uid"] = OCSFFile.identifier(listing.device, listing.inode)
    var activity = fileActivity(14, "Open", file, .success, .allowed)
    activity.authorize(listing.basis)
    activity.uses = ["resolvedPath", "device", "inode"]
    return activity
  }

  /// The opening of a source's file.
  private static func access(
    _ access: AuditAccess,
    _ folders: [SourceID: ItemPath]
  ) -> OCSFActivity {
    var file = OCSFFile.regular(access.path, below: folders[access.source])
    file["size"] = .integer(access.size)
    file["hashes"] = access.sha256.map(OCSFFile.hashes)
    file["uid"] = OCSFFile.identifier(access.device, access.inode)
    file["modified_time"] = .integer(access.modified / 1_000_000)
    var activity = fileActivity(14, "Open", file, .success, .allowed)
    activity.authorize(access.basis)
    activity.uses = ["path", "size", "device", "inode", "sha256"]
    return activity
  }

  /// The reading of a source's file, and the file that it became.
  private static func outcome(
    _ item: Outcome,
    _ folders: [SourceID: ItemPath]
  ) -> OCSFActivity {
    var file = OCSFFile.regular(item.path, below: folders[item.source])
    file["hashes"] = OCSFFile.hashes(item.sourceDigest)
    let (status, disposition): (Status, Disposition) =
      switch item.outcome {
      case .imported, .unchanged, .duplicate: (.success, .allowed)
      case .skipped: (.other(item.outcome.rawValue), .leftOut)
      case .refused: (.failure, .unauthorized)
      case .unsupported, .failed, .failedBefore: (.failure, .failed)
      }
    var activity = fileActivity(2, "Read", file, status, disposition)
    activity.members["status_code"] = .string(item.reason?.rawValue ?? item.outcome.rawValue)
    if let step = item.step { activity.members["status_detail"] = .string(step.rawValue) }
    activity.uses = ["path", "sourceSHA256"]
    if let output = item.output {
      activity.members["file_result"] = .object(OCSFFile.written(output))
      activity.uses.insert("output")
    }
    return activity
  }

  /// Something that happens to a file of the library.
  private static func published(
    _ number: Int,
    _ caption: String,
    _ entry: AuditEntry,
    _ disposition: Disposition = .allowed
  ) -> OCSFActivity? {
    guard let change: AuditFileChange = entry.body() else { return nil }
    let file = OCSFFile.written(change.output)
    var activity = fileActivity(number, caption, file, .success, disposition)
    activity.uses = ["output"]
    return activity
  }

  /// A file of the library that got another name.
  private static func relabelling(_ entry: AuditEntry) -> OCSFActivity? {
    guard let rename = entry.rename, var activity = published(5, "Rename", entry) else {
      return nil
    }
    activity.members["file_result"] = activity.members["file"]
    activity.members["file"] = .object(OCSFFile.regular(rename.previousPath))
    activity.uses.insert("previousPath")
    return activity
  }

  /// A file that was added to the photo library, whose folder it is; the record's own source is the camera.
  private static func addition(_ addition: AuditAddition, to folder: ItemPath?) -> OCSFActivity {
    var file = OCSFFile.regular(addition.addedPath, below: folder)
    file["size"] = JSONValue(addition.bytes)
    file["hashes"] = OCSFFile.hashes(addition.sourceDigest)
    var activity = fileActivity(1, "Create", file, .success, .allowed)
    activity.uses = ["addedPath", "bytes", "sourceSHA256"]
    return activity
  }
}
