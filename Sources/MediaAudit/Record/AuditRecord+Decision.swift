package import MediaModel
internal import MediaSyntax

extension AuditRecord {
  /// Records the decision about one source, and the row of the decision table that made it.
  ///
  /// `row` is the 1-based row of the decision table. `availability` is nil while nothing has looked,
  /// since a refused source is never looked at. `usageTextSHA256` is the SHA-256 of the usage
  /// description's UTF-8 bytes, hexadecimal; nil when the manifest has none; of
  /// `usageText`, the description itself, at most 500 characters are kept. `decidedBy` is who said the
  /// status: `policy`, `manifest`, `storedAnswer` or `picking`; nil when it is undecided. `basis` is how a
  /// person answered or picked: `userConsent`, `picker` or `userSet`; nil when nobody did.
  package static func decision(
    source: SourceKind,
    status: AuthorizationStatus,
    level: AccessLevel,
    verdict: Verdict,
    reason: DecisionReason,
    row: Int,
    decidedBy: String? = nil,
    basis: String? = nil,
    availability: Availability? = nil,
    usageKey: UsageDescriptionKey,
    usageTextSHA256: String?,
    usageText: String? = nil,
    required: Bool
  ) -> AuditRecord {
    AuditRecord(
      .decision,
      [
        "source": .string(source.rawValue),
        "authorizationStatus": .string(status.name),
        "authorizationStatusValue": JSONValue(status.rawValue),
        "accessLevel": .string(level.name),
        "availability": availability.map { .string($0.rawValue) },
        "decision": .string(verdict.rawValue),
        "reason": .string(reason.rawValue),
        "photosErrorCode": reason.photosErrorCode.map { JSONValue($0) },
        "row": JSONValue(row),
        "decidedBy": decidedBy.map { .string($0) },
        "basis": basis.map { .string($0) },
        "usageKey": .string(usageKey.rawValue),
        "usageTextSHA256": usageTextSHA256.map { .string($0) },
        "usageText": usageText.map { safe($0, limit: 500) },
        "required": .bool(required),
      ]
    )
  }

  /// An allowed source, right before it is listed for the first time.
  ///
  /// `path` is the manifest's own words for the folder, `resolvedPath` the bytes of the path that was
  /// opened, after the one symlink that a source's own path may be; `device` and `inode` are of the
  /// opened folder (`st_dev`, `st_ino`). `conditions` is a digest of all that an item's failure depends on
  /// besides its file, `metadataPolicy` the policy under which the run writes its files.
  package static func source(
    _ source: SourceKind,
    path: String,
    resolvedPath: [UInt8],
    device: UInt64,
    inode: UInt64,
    basis: DecisionReason,
    conditions: String? = nil,
    metadataPolicy: MetadataPolicy? = nil
  ) -> AuditRecord {
    AuditRecord(
      .source,
      [
        "source": .string(source.rawValue),
        "path": .string(EscapedText.percentEscaped(path.utf8)),
        "resolvedPath": .string(EscapedText.percentEscaped(resolvedPath)),
        "device": number(device), "inode": number(inode),
        "basis": .string(basis.rawValue),
        "conditions": conditions.map { .string($0) },
        "metadataPolicy": metadataPolicy.map { .string($0.rawValue) },
      ]
    )
  }

  /// The files of a listed source among which its limit chooses.
  ///
  /// `conditions` takes the place of that of the source's record: whether a file is among the first
  /// depends on all others.
  package static func candidates(
    source: SourceKind,
    count: Int,
    conditions: String
  ) -> AuditRecord {
    AuditRecord(
      .candidates,
      [
        "source": .string(source.rawValue), "count": .integer(Int64(count)),
        "conditions": .string(conditions),
      ]
    )
  }

  /// The number of names that a person was shown on a page, to pick from.
  ///
  /// `answeredAt` is when the answer was given on which the run rests, as RFC 3339 has it; nil for a page of
  /// this run.
  package static func shown(
    source: SourceKind,
    count: Int,
    answeredAt: String? = nil
  ) -> AuditRecord {
    AuditRecord(
      .shown,
      [
        "source": .string(source.rawValue), "count": .integer(Int64(count)),
        "answeredAt": answeredAt.map { .string($0) },
      ]
    )
  }

  /// A change of a status or a stored answer that was seen while the run went on.
  ///
  /// `basis` is how the person answered, as in a decision's record; nil when it was not an answer.
  /// `refusedItems` is how many items of the source were found and then not opened any more.
  package static func transition(
    source: SourceKind,
    level: AccessLevel,
    from old: AuthorizationStatus,
    to new: AuthorizationStatus,
    reason: DecisionReason,
    basis: String? = nil,
    refusedItems: Int = 0
  ) -> AuditRecord {
    AuditRecord(
      .transition,
      [
        "source": .string(source.rawValue), "accessLevel": .string(level.name),
        "from": .string(old.name), "to": .string(new.name), "reason": .string(reason.rawValue),
        "basis": basis.map { .string($0) },
        "refusedItems": JSONValue(refusedItems),
      ]
    )
  }
}
