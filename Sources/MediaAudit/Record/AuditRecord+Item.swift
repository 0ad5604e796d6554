internal import MediaDigest
package import MediaModel
internal import MediaSyntax

/// A file that a run wrote, or a part of a library that it removed.
package struct AuditOutput: Sendable, Hashable {
  /// Relative to the library.
  package var path: ItemPath
  /// The digest of the bytes written, hexadecimal.
  package var sha256: String
  package var bytes: Int
  /// The size of a thumbnail; nil for every other file.
  package var pixelSize: PixelSize?

  package init(path: ItemPath, sha256: String, bytes: Int, pixelSize: PixelSize? = nil) {
    self.path = path
    self.sha256 = sha256
    self.bytes = bytes
    self.pixelSize = pixelSize
  }

  /// Creates the file at a path below the library, as the catalogue has it.
  package init(published path: String, sha256: String, bytes: Int64) {
    self.init(path: ItemPath(bytes: [UInt8](path.utf8)), sha256: sha256, bytes: Int(bytes))
  }

  var value: JSONValue {
    var members: [String: JSONValue] = [
      "path": AuditRecord.path(path), "sha256": .string(sha256), "bytes": JSONValue(bytes),
    ]
    if let pixelSize {
      members["width"] = JSONValue(pixelSize.width)
      members["height"] = JSONValue(pixelSize.height)
    }
    return .object(members)
  }
}

/// The source file's digest, which under `strip` must not let anyone match the file.
package enum AuditSourceDigest: Sendable, Hashable {
  /// SHA-256 of the file, hexadecimal; under `keep` only.
  case sha256(String)
  /// HMAC-SHA-256 of the file's SHA-256 with the catalogue's key, hexadecimal; under `strip`.
  case hmac(String)

  var sha256: JSONValue? { if case .sha256(let text) = self { .string(text) } else { nil } }
  var hmac: JSONValue? { if case .hmac(let text) = self { .string(text) } else { nil } }
}

/// The outcome of one item, with all files that were written for it.
package struct AuditOutcome: Sendable, Hashable {
  package var source: SourceKind
  package var path: ItemPath
  package var outcome: ItemOutcome
  package var reason: ItemReason?
  /// Where it failed; nil when it did not.
  package var step: ItemStep?
  /// The format of the content of an item that failed, where it is known.
  package var format: MediaFormat?
  /// The asset's localIdentifier: the one made, or for `duplicate` the one that was there.
  package var asset: String?
  package var role: ResourceRole?
  package var output: AuditOutput?
  package var sourceDigest: AuditSourceDigest?
  package var metadataPolicy: MetadataPolicy?
  package var removed: [RemovedMetadata] = []
  /// The thumbnails made for it, by the name of their spec.
  package var thumbnails: [String: AuditOutput] = [:]
  /// Its asset lacks a resource that its source had.
  package var degraded = false
  /// The asset that the file's earlier content became, when this content became another.
  package var olderVersion: String?
  /// The part of its own asset whose place it takes.
  package var replaces: Replacement?
  /// The keyed digest of its content identifier, hexadecimal; nil without one.
  package var contentDigest: String?
  /// The keyed digest of its burst's identifier, hexadecimal; nil without one.
  package var burstDigest: String?
  /// Its outcome stands in an earlier record: its asset was published anew with its other half.
  package var isAgain = false
  /// Written by the run after one that was killed.
  package var recovered = false

  /// The number of audio tracks removed because the microphone is refused; nil for all but videos.
  var mutedTrackCount: Int? {
    guard role == .video || role == .pairedVideo else { return nil }
    return removed.first { $0.name == RemovedMetadata.audioTrack }?.count
  }
}

// In an extension, so that the initializer with every property stays beside it.
extension AuditOutcome {
  package init(source: SourceKind, path: ItemPath, outcome: ItemOutcome) {
    self.source = source
    self.path = path
    self.outcome = outcome
  }
}

extension AuditRecord {
  /// A file that is about to be opened; flushed before it is.
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
    basis: DecisionReason
  ) -> AuditRecord {
    AuditRecord(
      .access,
      [
        "source": .string(source.rawValue), "path": Self.path(path), "size": .integer(size),
        "modified": .integer(modified), "changed": .integer(changed),
        "device": number(device), "inode": number(inode), "basis": .string(basis.rawValue),
      ]
    )
  }

  /// Records the outcome of an item.
  ///
  /// The kinds of removed metadata are classes, or tags of the closed table with their class.
  package static func outcome(_ item: AuditOutcome) -> AuditRecord {
    var thumbnails: [JSONValue] = []
    for (name, output) in item.thumbnails.sorted(by: { $0.key < $1.key }) {
      guard case .object(var members) = output.value else { continue }
      members["name"] = safe(name)
      thumbnails.append(.object(members))
    }
    return AuditRecord(
      .outcome,
      [
        "source": .string(item.source.rawValue), "path": path(item.path),
        "outcome": .string(item.outcome.rawValue),
        "reason": item.reason.map { .string($0.rawValue) },
        "step": item.step.map { .string($0.rawValue) },
        "format": item.format.map { .string($0.rawValue) },
        "asset": item.asset.map { safe($0) },
        "role": item.role.map { .string($0.rawValue) },
        "output": item.output?.value,
        "sourceSHA256": item.sourceDigest?.sha256, "sourceHMAC": item.sourceDigest?.hmac,
        "metadataPolicy": item.metadataPolicy.map { .string($0.rawValue) },
        "removed": item.removed.isEmpty ? nil : removed(item.removed),
        "muted": item.mutedTrackCount.map { .integer(Int64($0)) },
        "thumbnails": thumbnails.isEmpty ? nil : .array(thumbnails),
        "degraded": item.degraded ? true : nil,
        "olderVersion": item.olderVersion.map { safe($0) },
        "replaces": item.replaces.map { .string($0.rawValue) },
        "contentIdentifierHMAC": item.contentDigest.map { .string($0) },
        "burstIdentifierHMAC": item.burstDigest.map { .string($0) },
        "again": item.isAgain ? true : nil,
        "recovered": item.recovered ? true : nil,
      ]
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
  package static func superseded(asset: String, output: AuditOutput) -> AuditRecord {
    AuditRecord(.superseded, ["asset": safe(asset), "output": output.value])
  }

  /// An asset's lost original that was published again at its place, with the bytes that it had.
  package static func restored(asset: String, output: AuditOutput) -> AuditRecord {
    AuditRecord(.restored, ["asset": safe(asset), "output": output.value])
  }

  /// A published file that the catalogue had forgotten, with the bytes that the log says.
  package static func adopted(output: AuditOutput) -> AuditRecord {
    AuditRecord(.adopted, ["output": output.value])
  }

  /// A file that is about to be moved to `Quarantine`, with the bytes that it has and not the ones that
  /// were published.
  package static func quarantined(output: AuditOutput, as name: String) -> AuditRecord {
    AuditRecord(.quarantined, ["output": output.value, "folder": safe(name)])
  }

  /// A published file that is about to be moved to a folder below the library, because a person takes its
  /// asset out; flushed before it is.
  package static func withdrawn(
    asset: String,
    output: AuditOutput,
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
