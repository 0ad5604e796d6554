package import MediaAudit
internal import MediaModel
package import MediaSyntax

/// Records of a log as events of the Open Cybersecurity Schema Framework, one JSON object each.
///
/// A record about a file or a folder is of the class File System Activity (1001) with the profiles
/// `security_control` and `host`; the first and the last of a run are of Application Lifecycle (6002). All
/// others are about no file and have no event: see ``withoutEvent``.
///
///     {"activity_id":14,"category_uid":1,"class_uid":1001,"file":{"name":"IMG_0001.JPG",…},"metadata":
///      {"uid":"5f1c…",…},"severity_id":1,"time":1763689479201,"type_uid":100114,…}
///
/// (A real line has no breaks.) `metadata.uid` is the record's hash, and `unmapped` has `index`, its number
/// in the library's tree, and each member of the record that has no place in the class.
///
/// Source: the OCSF schema 1.5.0, classes `file_activity` and `application_lifecycle`.
package struct OCSFEvents {
  /// The version of the schema.
  package static let schemaVersion = "1.5.0"

  /// The number of records that have no event, by their kind: those about no file, and those of which only
  /// a hash may be shown.
  package private(set) var withoutEvent: [AuditEvent: Int] = [:]
  /// The number of events that were made.
  package private(set) var count = 0

  /// The facts of the run whose file is read, from its first record.
  private var run = Run()

  private struct Run {
    var file = ""
    var opening: AuditOpening?
    /// The folders of the sources, as they were opened.
    var folders: [SourceID: ItemPath] = [:]
  }

  package init() {}

  /// Makes the event of the next record of a log.
  ///
  /// - Parameters:
  ///   - record: The record; those of a library come in their order, without a gap.
  ///   - library: The library's identifier, empty when it is not known.
  /// - Returns: The event; nil for a record that is counted in ``withoutEvent``.
  package mutating func event(of record: ShownRecord, library: String) -> JSONValue? {
    if record.file != run.file {
      run = Run()
      run.file = record.file
    }
    guard let event = activity(of: record, library) else {
      withoutEvent[record.entry.event, default: 0] += 1
      return nil
    }
    count += 1
    return event
  }

  private mutating func activity(
    of record: ShownRecord,
    _ library: String
  ) -> JSONValue? {
    let entry = record.named
    if let opening = entry.opening { run.opening = opening }
    if let listing: AuditListing = entry.body() {
      run.folders[listing.source] = listing.resolvedPath
    }
    guard var event = OCSFActivity(of: entry, folders: run.folders) else { return nil }
    let time = entry.time ?? ""
    let host = run.opening?.host ?? "unknown"
    event.members["time"] = .integer((ReportTime.microseconds(of: time) ?? 0) / 1000)
    event.members["device"] = [
      "type_id": 0, "type": "Unknown",
      (host.hasPrefix(ShownRecord.hiddenPrefix) ? "name" : "hostname"): .string(host),
    ]
    var actor: [String: JSONValue] = ["app_name": "mediabatch"]
    if let opening = run.opening { actor["user"] = ["name": .string(opening.user)] }
    event.members["actor"] = .object(actor)
    var metadata: [String: JSONValue] = [
      "version": .string(Self.schemaVersion),
      "product": [
        "name": "mediabatch", "vendor_name": "mediabatch",
        "version": .string(run.opening?.tool ?? BuildInfo.version),
      ],
      "profiles": event.isAboutFile ? ["security_control", "host"] : ["host"],
      "uid": .string(record.hash), "event_code": .string(entry.event.rawValue),
      "log_name": .string(record.file), "log_provider": "mediabatch",
      "original_time": .string(time), "sequence": JSONValue(entry.sequence),
      "correlation_uid": .string(entry.run),
    ]
    if run.opening != nil { metadata["log_version"] = .string(AuditRecord.schema) }
    event.members["metadata"] = .object(metadata)
    var unmapped = record.entry.fields.filter {
      !Self.mapped.contains($0.key) && !event.uses.contains($0.key)
    }
    unmapped["index"] = JSONValue(record.index)
    if unmapped["sourceName"] == nil, let source = entry.source {
      unmapped["sourceName"] = .string(source.name)
    }
    if !library.isEmpty { unmapped["library"] = .string(library) }
    if let opening = run.opening {
      unmapped["client"] = [
        "identifier": .string(opening.clientIdentifier), "name": .string(opening.clientName),
      ]
    }
    event.members["unmapped"] = .object(unmapped)
    return .object(event.members)
  }

  /// Members of every record that the event has elsewhere.
  private static let mapped: Set = ["event", "run", "seq", "time"]
}
