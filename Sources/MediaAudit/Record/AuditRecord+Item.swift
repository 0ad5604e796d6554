internal import MediaDigest
package import MediaModel
internal import MediaSyntax

extension OutputFile {
  var value: JSONValue { .object(members) }

  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "path": AuditRecord.path(path), "sha256": .string(sha256), "bytes": JSONValue(bytes),
    ]
    if let pixelSize {
      members["width"] = JSONValue(pixelSize.width)
      members["height"] = JSONValue(pixelSize.height)
    }
    return members
  }
}

extension SourceDigest {
  /// The members of a record that has the digest, one of which is nil.
  var sha256: JSONValue? { isKeyed ? nil : .string(Hexadecimal.text(bytes)) }
  var hmac: JSONValue? { isKeyed ? .string(Hexadecimal.text(bytes)) : nil }
}

extension AuditRecord {
  /// A file that is about to be opened; flushed before it is. A file that is no item has a second record with its
  /// SHA-256, hexadecimal, when it was read.
  ///
  /// `size` is in bytes, `modified` (of its content) and `changed` (of its status) in nanoseconds since
  /// 1970-01-01T00:00:00Z; `basis` is the row of the decision table that allows it.
  package static func access(
    source: SourceKind,
    path: ItemPath,
    size: Int64,
    modified: Int64,
    changed: Int64,
    device: UInt64,
    inode: UInt64,
    basis: DecisionReason,
    sha256: String? = nil
  ) -> AuditRecord {
    AuditRecord(
      .access,
      [
        "source": .string(source.rawValue), "path": Self.path(path), "size": .integer(size),
        "modified": .integer(modified), "changed": .integer(changed),
        "device": number(device), "inode": number(inode), "basis": .string(basis.rawValue),
        "sha256": sha256.map { .string($0) },
      ]
    )
  }

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
    case .file(let file): item[keyPath: file]?.value
    case .path: path(item.path)
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

  /// Items of one source that were not opened: how many, and the hash of their sorted list.
  ///
  /// `listSHA256` is what ``listSHA256(_:)`` says of their paths; `outcome` is `unchanged`,
  /// `failedBefore`, or with a reason `skipped`.
  package static func unchanged(
    source: SourceKind,
    count: Int,
    listSHA256: String,
    outcome: ItemOutcome = .unchanged,
    reason: ItemReason? = nil
  ) -> AuditRecord {
    AuditRecord(
      .unchanged,
      [
        "source": .string(source.rawValue), "count": JSONValue(count),
        "listSHA256": .string(listSHA256),
        "outcome": outcome == .unchanged ? nil : .string(outcome.rawValue),
        "reason": reason.map { .string($0.rawValue) },
      ]
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

  /// An asset's older file that is removed now, because it was written anew elsewhere.
  package static func superseded(asset: String, output: OutputFile) -> AuditRecord {
    AuditRecord(.superseded, ["asset": safe(asset), "output": output.value])
  }

  /// An asset's lost original that was published again at its place, with the bytes that it had; with the settings of
  /// a thumbnail, one that was lost and made again from the asset's published original, at another place.
  package static func restored(
    asset: String,
    output: OutputFile,
    fingerprint: String? = nil
  ) -> AuditRecord {
    AuditRecord(
      .restored,
      [
        "asset": safe(asset), "output": output.value,
        "fingerprint": fingerprint.map { safe($0) },
      ]
    )
  }

  /// A published file that the catalogue had forgotten, with the bytes that the log says.
  package static func adopted(output: OutputFile) -> AuditRecord {
    AuditRecord(.adopted, ["output": output.value])
  }

  /// A file that is about to be moved to `Quarantine`, with the bytes that it has and not the ones that
  /// were published.
  package static func quarantined(output: OutputFile, as name: String) -> AuditRecord {
    AuditRecord(.quarantined, ["output": output.value, "folder": safe(name)])
  }

  /// A published file that is about to be moved to a folder below the library, because a person takes its
  /// asset out; flushed before it is.
  package static func withdrawn(
    asset: String,
    output: OutputFile,
    as name: String
  ) -> AuditRecord {
    AuditRecord(
      .withdrawn,
      ["asset": safe(asset), "output": output.value, "folder": safe(name)]
    )
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
