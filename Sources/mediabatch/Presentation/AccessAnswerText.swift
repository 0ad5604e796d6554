internal import MediaModel
internal import MediaPermissions
internal import MediaSyntax

/// A stored answer as people and programs read it.
enum AccessAnswerText {
  /// `2026-11-21T07:05:12Z`
  ///
  /// Source: RFC 3339 section 5.6.
  private static func timestamp(_ seconds: Int64) -> String {
    let (microseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let time = CalendarTime(
      microsecondsSince1970: overflows ? (seconds < 0 ? .min : .max) : microseconds
    )
    return time.timestamp.dropLast(8) + "Z"
  }

  /// `2026-11-21 07:05:12 UTC`
  static func time(_ seconds: Int64) -> String {
    timestamp(seconds).replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  /// `authorized`, `limited to 3 patterns`, with its end: for one line.
  static func status(_ answer: StoredAnswer) -> String {
    var text = answer.status.name
    if answer.status == .limited {
      text += " to \(AccessOutlook.count(answer.selection.count, "pattern"))"
    }
    if answer.isForOneRun { text += ", for one run" }
    if let end = answer.expiresAt { text += ", until \(time(end))" }
    return text
  }

  /// Describes who answered, and how.
  static func reason(_ reason: AnswerReason) -> String {
    switch reason {
    case .userConsent: "asked by a run"
    case .userSet: "with \"mediabatch access\""
    }
  }

  static func object(_ answer: StoredAnswer) -> [String: JSONValue] {
    let binding = answer.binding
    return [
      "client": .string(binding.client),
      "source": .string(binding.source.rawValue),
      "accessLevel": .string(binding.level.name),
      "authorizationStatus": .string(answer.status.name),
      "selection": answer.status == .limited
        ? .array(answer.selection.map { .string($0) }) : .null,
      "reason": .string(answer.reason.rawValue),
      "decidedAt": .string(timestamp(answer.decidedAt)),
      "expiresAt": JSONValue(answer.expiresAt.map(timestamp)),
      "forOneRun": .bool(answer.isForOneRun),
      "folder": binding.folder.map { folder in
        [
          "path": .string(EscapedText.percentEscaped(folder.path)),
          "device": JSONValue(String(folder.device)), "inode": JSONValue(String(folder.inode)),
        ]
      } ?? .null,
      "manifest": .string(EscapedText.percentEscaped(binding.manifestPath)),
      "usageTextSHA256": .string(binding.usageTextSHA256),
    ]
  }
}
