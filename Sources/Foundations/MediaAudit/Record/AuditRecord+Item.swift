internal import MediaDigest
package import MediaModel
internal import MediaSyntax

extension SourceDigest {
  /// The members of a record that has the digest, one of which is nil.
  var sha256: JSONValue? { isKeyed ? nil : .string(Hexadecimal.text(bytes)) }
  var hmac: JSONValue? { isKeyed ? .string(Hexadecimal.text(bytes)) : nil }
}

/// A file that is about to be opened; flushed before it is.
///
/// A file that is no item has a second record, with its SHA-256, when it was read.
package struct AuditAccess: RecordBody, Hashable {
  package static let events = [AuditEvent.access]

  package var source = SourceID.camera
  package var path = ItemPath(bytes: [])
  /// In bytes.
  package var size: Int64 = 0
  /// When its content was changed, in nanoseconds since 1970-01-01T00:00:00Z.
  package var modified: Int64 = 0
  /// When its status was changed, as ``modified``; nil in a log of a version that did not write it.
  package var changed: Int64?
  package var device: UInt64 = 0
  package var inode: UInt64 = 0
  /// The row of the decision table that allows it.
  package var basis: DecisionReason?
  /// Hexadecimal.
  package var sha256: String?

  package init() {}

  package mutating func list(_ fields: inout RecordFields) {
    fields.source(&source)
    fields.needed("path", &path)
    fields.needed("size", &size)
    fields.needed("modified", &modified)
    fields.field("changed", &changed)
    fields.needed("device", &device)
    fields.needed("inode", &inode)
    fields.field("basis", &basis)
    fields.field("sha256", &sha256)
  }
}

/// What becomes of a file of the library that was published before.
///
/// `superseded`: it is removed now, because it was written anew elsewhere. `restored`: a lost original that was published
/// again at its place, with the bytes that it had; with a ``fingerprint`` a thumbnail that was made again from the
/// asset's published original, at another place, because it was lost or its asset was turned. `adopted`: the catalogue
/// had forgotten it; its bytes are what the log says. `relabelled`: it is about to be renamed. `quarantined`: it is about
/// to be moved aside, with the bytes that it has and not the ones that were published. `withdrawn`: it is about to be moved aside, because a person takes its
/// asset out. Where something is about to happen the record is flushed before it does.
package struct AuditFileChange: RecordBody, Hashable {
  package static let events: [AuditEvent] = [
    .superseded, .restored, .adopted, .relabelled, .quarantined, .withdrawn,
  ]

  package var event = AuditEvent.adopted
  /// The localIdentifier; empty for a file that is adopted or quarantined.
  package var asset = ""
  package var output = OutputFile(path: ItemPath(bytes: []), sha256: "", bytes: 0)
  /// Of one that is renamed, whose ``output`` has the new path: the path that it had, below the library.
  package var previousPath = ItemPath(bytes: [])
  /// The folder below the library to which it is moved aside.
  package var folder: String?
  /// The settings of a thumbnail.
  package var fingerprint: String?

  package init() {}

  package init(
    _ event: AuditEvent,
    _ output: OutputFile,
    of asset: String = "",
    to folder: String? = nil
  ) {
    (self.event, self.output, self.asset, self.folder) = (event, output, asset, folder)
  }

  package mutating func list(_ fields: inout RecordFields) {
    fields.event(&event)
    if event != .adopted, event != .quarantined { fields.needed("asset", &asset) }
    if event == .relabelled { fields.needed("previousPath", &previousPath) }
    fields.needed("output", &output)
    fields.field("folder", &folder)
    fields.field("fingerprint", &fingerprint)
  }

  /// The settings of the thumbnail that was made again; nil for any other file.
  package var thumbnailSpec: AuditThumbnailSpec? {
    let parts = output.path.bytes.split(separator: UInt8.slash)
    guard event == .restored, let fingerprint, parts.count == 4,
      parts[0].elementsEqual("Thumbnails".utf8)
    else { return nil }
    return AuditThumbnailSpec(name: String(decoding: parts[1], as: UTF8.self), fingerprint: fingerprint)
  }
}

extension AuditRecord {
  /// Records the outcome of an item.
  ///
  /// The kinds of removed metadata are classes, or tags of the closed table with their class.
  package static func outcome(_ item: Outcome) -> AuditRecord {
    var members: [Member] = []
    members.reserveCapacity(20)
    for field in Outcome.fields(in: .log) {
      if let value = value(of: field.form, in: item) {
        members.append(Member(key: field.name, value: value))
      }
    }
    return AuditRecord(.outcome, members)
  }

  private static func value(of form: Outcome.Form, in item: Outcome) -> JSONValue? {
    switch form {
    case .word(let word): word.text(item).map { .string($0) }
    case .text(let text): item[keyPath: text].map { safe($0) }
    case .flag(let flag): item[keyPath: flag] ? true : nil
    case .digest(let digest): item[keyPath: digest].map { .string(Hexadecimal.text($0)) }
    case .file(let file): item[keyPath: file]?.json
    case .path: item.path.json
    case .sourceDigest(let isKeyed):
      isKeyed ? item.sourceDigest?.hmac : item.sourceDigest?.sha256
    case .removed: item.removed.isEmpty ? nil : removed(item.removed)
    case .mutedTracks: item.mutedTrackCount.map { .integer(Int64($0)) }
    case .trailerRemoved: item.isTrailerRemoved ? true : nil
    case .thumbnails: item.thumbnails.isEmpty ? nil : thumbnails(item.thumbnails)
    }
  }

  private static func thumbnails(_ thumbnails: [Outcome.Thumbnail]) -> JSONValue {
    .array(
      thumbnails.sorted { $0.name < $1.name }.map { thumbnail in
        var members = thumbnail.file.members
        members["name"] = safe(thumbnail.name)
        return .object(members)
      }
    )
  }

  /// SHA-256, hexadecimal, of the paths' bytes in ascending order, a NUL byte after each.
  package static func listSHA256(_ paths: some Sequence<ItemPath>) -> String {
    var hasher = SHA256()
    var previous: ItemPath?
    for path in paths {
      // Those of a listing are in order, and sorting would need them all at once.
      if let previous, path < previous { return listSHA256(paths.sorted()) }
      path.bytes.withUnsafeBytes { hasher.update($0) }
      [0 as UInt8].withUnsafeBytes { hasher.update($0) }
      previous = path
    }
    return RecordHash(&hasher).text
  }

  private static func removed(_ kinds: [RemovedMetadata]) -> JSONValue {
    // The closed table has no more of them, and the rows of a batch are a run's own.
    .array(
      kinds.prefix(MetadataTag.count).map { kind in
        // Its names are ASCII; one that is not is made up, and takes more once it is escaped.
        let limit = kind.name.utf8.allSatisfy { $0 < 0x80 } ? 48 : 32
        var members: [String: JSONValue] = [
          "name": safe(kind.name, limit: limit), "count": JSONValue(kind.count),
        ]
        if let tag = MetadataTag(named: kind.name), kind.name != tag.metadataClass.rawValue {
          members["class"] = .string(tag.metadataClass.rawValue)
        }
        return .object(members)
      }
    )
  }
}
