package import MediaModel

/// The first place at which a log is not what was written.
package struct AuditDifference: Sendable, Hashable, CustomStringConvertible {
  package enum Kind: String, CaseIterable, Sendable, Hashable {
    /// A record's bytes are others.
    case changed
    /// A record is gone from the middle.
    case removed
    /// A record or a file that the run did not write.
    case added
    /// A record or a file that is not where the run wrote it.
    case moved
    /// The file ends before its last known record, between two records.
    case cut
    /// The file ends before its last known record, within a record.
    case torn
    /// Log and catalogue fit, and are older than a head that was signed or kept.
    case rolledBack
    /// A whole file is gone.
    case missing
    /// The head that a witness kept is not one of this log.
    case unexpectedHead
    /// The log is that of another library than the expected one.
    case otherLibrary
    /// A timestamp is another authority's than those that are trusted.
    case otherAuthority
  }

  package var kind: Kind
  /// The file's name in the folder of the log; empty when it concerns the whole log.
  package var file: String
  /// 1-based; nil when it concerns the whole file.
  package var line: Int?
  /// The `seq` of the record that it concerns: for `removed`, `cut` the first that is gone, for
  /// `added`, `moved` the one at the line, where it can be read.
  package var sequence: Int?
  /// The finding, without any text of the log itself.
  package var detail: String

  package init(kind: Kind, file: String, line: Int? = nil, sequence: Int? = nil, detail: String) {
    self.kind = kind
    self.file = file
    self.line = line
    self.sequence = sequence
    self.detail = detail
  }

  /// A line for a person: `000001-7d2c91f0.ndjson, line 5: changed: record 5 …`.
  package var description: String {
    // Of the whole log the detail says what is missing: often its end alone.
    if file.isEmpty, kind == .missing { return "The log: \(detail)." }
    let subject = file.isEmpty ? "The log" : line.map { "\(file), line \($0)" } ?? file
    return "\(subject): \(kind.rawValue): \(detail)."
  }
}

/// Where the head of a witness was found.
package enum AuditHeadPosition: Sendable, Hashable {
  /// It is the log's last record: nothing was written since.
  case last
  /// It is the last record of an earlier run, after which the log went on.
  case endOfRun(file: String)
  /// It is a tree of this many records, after which the log went on within a run.
  case tree(size: Int)
}

/// A timestamp of a signed head whose signature is good.
package struct AuditTimestamp: Sendable, Hashable {
  /// The file's name in the folder of the log.
  package var file: String
  /// When it was made, in the form of ``AuditTime/text``.
  package var time: String
  /// The subject of the certificate that has signed it.
  package var signer: String
  /// Whether an authority that the caller trusts has issued that certificate.
  package var isTrusted: Bool

  package init(file: String, time: String, signer: String, isTrusted: Bool) {
    self.file = file
    self.time = time
    self.signer = signer
    self.isTrusted = isTrusted
  }
}

/// The result of verifying a log.
package struct AuditVerification: Sendable, Hashable {
  /// Files that were read to their end without a difference.
  package var files = 0
  /// Records of all files that fit, up to the first difference.
  package var records = 0
  /// SHA-256 of the last of them, hexadecimal; 64 zeros for an empty log.
  package var head = RecordHash.zero.text
  /// The tree of these records, whose size is their number.
  package var tree = TreeFrontier().head
  /// Bytes of torn last lines that a crash left, in all files; no difference.
  package var tornBytes = 0
  /// Nil when everything is as it was written.
  package var difference: AuditDifference?
  /// Where each witness's head is, in the order in which they were given; empty after a difference.
  package var expectedHeads: [AuditHeadPosition] = []
  /// The newest signed head, when it is that of the records before it and its signature is good.
  package var signedHead: SignedHead?
  /// The key whose signature that is.
  package var signer: VerifierKey?
  package var signature = SignatureState.unsigned

  /// The names in the folder of the log that no run gives, escaped, in the order of their bytes.
  package var otherNames: [String] = []

  /// The timestamps of signed heads, in the order of the runs; empty after a difference.
  package var timestamps: [AuditTimestamp] = []

  /// The records that were searched for, by the names of their files; up to a difference.
  package var matches: [String: FoundRecords] = [:]

  package init() {}

  /// The number of records after those that the newest signature covers.
  package var unsignedRecords: Int { records - (signedHead?.tree.size ?? 0) }

  /// Whether a trusted signature covers some of the records only.
  package var isTrustedInPart: Bool { signature == .trusted && unsignedRecords > 0 }
}
