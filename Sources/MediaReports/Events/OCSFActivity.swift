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
    _ decision: JSONValue?,
    by: JSONValue? = nil,
    row: JSONValue? = nil
  ) {
    guard let decision else { return }
    var authorization: [String: JSONValue] = ["decision": decision]
    var policy: [String: JSONValue] = [:]
    if let by { policy["name"] = by }
    if case .integer(let row)? = row { policy["uid"] = .string("row \(row)") }
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
  ///   - event: The kind of the record.
  ///   - members: Its members, as they may be shown.
  ///   - folders: The folders of the sources, as the run opened them.
  init?(of event: AuditEvent, _ members: [String: JSONValue], folders: [String: OCSFName]) {
    guard let activity = Self.activity(of: event, members, folders: folders) else { return nil }
    self = activity
  }

  private static func activity(
    of event: AuditEvent,
    _ members: [String: JSONValue],
    folders: [String: OCSFName]
  ) -> OCSFActivity? {
    let source = members["source"]?.text
    switch event {
    case .run:
      return lifecycle(3, "Start", .success, uses: ["tool", "host", "user", "schema", "client"])
    case .end:
      guard case .integer(let code)? = members["exitCode"] else { return nil }
      var activity = lifecycle(4, "Stop", code == 0 ? .success : .failure, uses: ["exitCode"])
      activity.members["status_code"] = .string(String(code))
      return activity
    case .decision: return source.map { decision(members, on: $0, folders) }
    case .transition: return source.map { transition(members, of: $0, folders) }
    case .source: return source.map { opening(members, of: $0, folders) }
    case .access: return source.flatMap { access(members, below: folders[$0]) }
    case .outcome: return outcome(members, below: source.flatMap { folders[$0] })
    case .superseded: return published(4, "Delete", members)
    case .restored: return published(1, "Create", members)
    case .quarantined, .withdrawn: return published(5, "Rename", members, .quarantined)
    case .relabelled: return relabelling(members)
    case .added: return addition(members, to: folders[SourceKind.library.rawValue])
    case .candidates, .shown, .unchanged, .adopted, .dated, .stacked, .unstacked, .rebuilt,
      .migrated, .merged, .placed, .key:
      return nil
    }
  }

  /// The verdict on a source.
  private static func decision(
    _ members: [String: JSONValue],
    on source: String,
    _ folders: [String: OCSFName]
  ) -> OCSFActivity {
    let isAllowed = members["decision"] == "allow"
    var activity = fileActivity(
      99,
      "Decision",
      OCSFFile.folder(of: source, folders),
      isAllowed ? .success : .failure,
      isAllowed ? .allowed : .unauthorized
    )
    activity.authorize(members["reason"], by: members["decidedBy"], row: members["row"])
    activity.members["status_code"] = members["reason"]
    return activity
  }

  /// A change of a source's status.
  private static func transition(
    _ members: [String: JSONValue],
    of source: String,
    _ folders: [String: OCSFName]
  ) -> OCSFActivity {
    let isAllowed = ["authorized", "limited"].contains(members["to"]?.text)
    var activity = fileActivity(
      99,
      "Transition",
      OCSFFile.folder(of: source, folders),
      .success,
      isAllowed ? .allowed : .revoked
    )
    activity.members["status_code"] = members["reason"]
    return activity
  }

  /// The opening of a source's folder.
  private static func opening(
    _ members: [String: JSONValue],
    of source: String,
    _ folders: [String: OCSFName]
  ) -> OCSFActivity {
    var file = OCSFFile.folder(of: source, folders)
    file["uid"] = OCSFFile.identifier(members)
    var activity = fileActivity(14, "Open", file, .success, .allowed)
    activity.authorize(members["basis"])
    activity.uses = ["resolvedPath", "device", "inode"]
    return activity
  }

  /// The opening of a source's file; nil without its path.
  private static func access(
    _ members: [String: JSONValue],
    below folder: OCSFName?
  ) -> OCSFActivity? {
    guard let path = OCSFName(members["path"]) else { return nil }
    var file = OCSFFile.regular(path, below: folder)
    file["size"] = members["size"]
    file["hashes"] = OCSFFile.hashes(members["sha256"])
    file["uid"] = OCSFFile.identifier(members)
    if case .integer(let modified)? = members["modified"] {
      file["modified_time"] = .integer(modified / 1_000_000)
    }
    var activity = fileActivity(14, "Open", file, .success, .allowed)
    activity.authorize(members["basis"])
    activity.uses = ["path", "size", "device", "inode", "sha256"]
    return activity
  }

  /// The reading of a source's file, and the file that it became.
  private static func outcome(_ members: [String: JSONValue], below folder: OCSFName?)
    -> OCSFActivity?
  {
    guard let path = OCSFName(members["path"]),
      let outcome = members["outcome"]?.text.flatMap({ ItemOutcome(rawValue: $0) })
    else { return nil }
    var file = OCSFFile.regular(path, below: folder)
    file["hashes"] = OCSFFile.hashes(members["sourceSHA256"])
    let (status, disposition): (Status, Disposition) =
      switch outcome {
      case .imported, .unchanged, .duplicate: (.success, .allowed)
      case .skipped: (.other(outcome.rawValue), .leftOut)
      case .refused: (.failure, .unauthorized)
      case .unsupported, .failed, .failedBefore: (.failure, .failed)
      }
    var activity = fileActivity(2, "Read", file, status, disposition)
    activity.members["status_code"] = members["reason"] ?? members["outcome"]
    if let step = members["step"]?.text { activity.members["status_detail"] = .string(step) }
    activity.uses = ["path", "sourceSHA256"]
    if let written = OCSFFile.written(members["output"]) {
      activity.members["file_result"] = .object(written)
      activity.uses.insert("output")
    }
    return activity
  }

  /// Something that happens to a file of the library.
  private static func published(
    _ number: Int,
    _ caption: String,
    _ members: [String: JSONValue],
    _ disposition: Disposition = .allowed
  ) -> OCSFActivity? {
    guard let written = OCSFFile.written(members["output"]) else { return nil }
    var activity = fileActivity(number, caption, written, .success, disposition)
    activity.uses = ["output"]
    return activity
  }

  /// A file of the library that got another name; nil without the former one.
  private static func relabelling(_ members: [String: JSONValue]) -> OCSFActivity? {
    guard let previous = OCSFName(members["previousPath"]) else { return nil }
    guard var activity = published(5, "Rename", members) else { return nil }
    let renamed = activity.members["file"]
    activity.members["file_result"] = renamed
    activity.members["file"] = .object(OCSFFile.regular(previous, below: nil))
    activity.uses = ["output", "previousPath"]
    return activity
  }

  /// A file that was added to the photo library, whose folder it is; the record's own source is the camera.
  private static func addition(
    _ members: [String: JSONValue],
    to folder: OCSFName?
  ) -> OCSFActivity? {
    guard let path = OCSFName(members["addedPath"]) else { return nil }
    var file = OCSFFile.regular(path, below: folder)
    file["size"] = members["bytes"]
    file["hashes"] = OCSFFile.hashes(members["sourceSHA256"])
    var activity = fileActivity(1, "Create", file, .success, .allowed)
    activity.uses = ["addedPath", "bytes", "sourceSHA256"]
    return activity
  }
}
