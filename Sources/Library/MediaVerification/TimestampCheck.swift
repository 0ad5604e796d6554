internal import MediaAudit
internal import MediaDigest
internal import MediaModel

/// Holds the timestamps of a log against its signed heads.
enum TimestampCheck {
  /// Checks each timestamp in the folder of a log.
  ///
  /// - Parameters:
  ///   - folder: The folder of the log.
  ///   - authorities: Trusted certificates in PEM, one of which has to have issued each signer's; nil when
  ///     nothing is said of whom to trust.
  /// - Returns: The timestamps, none after a difference, and the first difference.
  /// - Throws: `AuditError` `.cannotRead`; ``TimestampFailure`` when nothing can read a timestamp.
  static func check(
    _ folder: AuditFolder,
    authorities: [UInt8]?
  ) throws -> (timestamps: [AuditTimestamp], difference: AuditDifference?) {
    var timestamps: [AuditTimestamp] = []
    let timestampFiles = try folder.timestamps(limit: Timestamp.maximumByteCount)
      .compactMap { name, bytes in AuditFileName(timestampText: name).map { ($0, bytes) } }
      .sorted { $0.0 < $1.0 }
    // Read behind them: a head is there before its timestamp is.
    let heads = timestampFiles.isEmpty ? [:] : try folder.signedHeads()
    for (name, bytes) in timestampFiles {
      func difference(_ kind: AuditDifference.Kind, _ detail: String) -> AuditDifference {
        AuditDifference(kind: kind, file: name.timestampText, detail: detail)
      }
      guard let head = heads[name.headText], !head.isEmpty else {
        return ([], difference(.added, "its signed head is missing"))
      }
      guard !bytes.isEmpty else { return ([], difference(.changed, "it is no timestamp")) }
      do {
        let timestamp = try Timestamp(bytes)
        try timestamp.verify(imprint: imprint(of: head), authorities: authorities)
        timestamps.append(
          AuditTimestamp(
            file: name.timestampText,
            time: timestamp.time,
            signer: timestamp.signer,
            isTrusted: authorities != nil
          )
        )
      } catch {
        guard error.kind != .unavailable else { throw TimestampFailure(error) }
        return error.kind == .otherAuthority
          ? ([], difference(.otherAuthority, "\(error)"))
          : ([], difference(.changed, "its timestamp does not hold: \(error)"))
      }
    }
    if authorities != nil, timestamps.isEmpty {
      return (
        [], AuditDifference(kind: .missing, file: "", detail: "no signed head has a timestamp")
      )
    }
    return (timestamps, nil)
  }

  /// What a timestamp of a head is about: SHA-256 of its file, so that other programs check it as a file.
  static func imprint(of head: String) -> [UInt8] { SHA256.hash(Array(head.utf8)) }
}

extension Timestamp {
  /// When it was made, in the form of a record's time.
  var time: String {
    let microseconds = seconds.multipliedReportingOverflow(by: 1_000_000).partialValue
    return CalendarTime(microsecondsSince1970: microseconds).timestamp
  }
}
