internal import MediaModel
package import MediaSyntax

extension StoredAnswer {
  /// `2026-11-21T07:05:12Z`
  ///
  /// Source: RFC 3339 section 5.6.
  package static func timestamp(_ seconds: Int64) -> String {
    let (microseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let time = CalendarTime(microsecondsSince1970: overflows ? (seconds < 0 ? .min : .max) : microseconds)
    return time.timestamp.dropLast(8) + "Z"
  }

  /// `2026-11-21 07:05:12 UTC`
  package static func timeText(_ seconds: Int64) -> String {
    timestamp(seconds).substituting("T", by: " ").substituting("Z", by: " UTC")
  }

  /// The status with its end, for one line: `authorized`, `limited to 3 patterns, for one run`.
  package var statusText: String {
    var text = status.name
    if status == .limited { text += " to \(NextRunEffect.count(of: selection))" }
    if isForOneRun { text += ", for one run" }
    if let end = expiresAt { text += ", until \(Self.timeText(end))" }
    return text
  }

  /// When and about what it was given, behind a sentence that says what was answered; `changes` are those since.
  package func circumstances(_ changes: [AnswerBinding.Change]) -> String {
    var text = " on " + Self.timeText(decidedAt)
    if let folder = binding.folder {
      text += ", for \"\(EscapedText.percentEscaped(folder.path))\""
      if changes.contains(.folderMoved) { text += ", where the folder was then" }
    }
    guard let words = binding.usageText else { return text }
    return text + ", as the answer to \"\(EscapedText.printable(words, limit: 300))\""
  }

  /// The answer in the output of `access`.
  package var object: [String: JSONValue] {
    [
      "client": .string(binding.client),
      "source": .string(binding.source.kind.rawValue),
      "sourceName": .string(binding.source.name),
      "accessLevel": .string(binding.level.name),
      "authorizationStatus": .string(status.name),
      "selection": status == .limited
        ? .array(selection.map { .string($0) }) : .null,
      "reason": .string(reason.rawValue),
      "shownCount": JSONValue(shownCount),
      "decidedAt": .string(Self.timestamp(decidedAt)),
      "expiresAt": JSONValue(expiresAt.map(Self.timestamp)),
      "forOneRun": .bool(isForOneRun),
      "folder": binding.folder.map { folder in
        [
          "path": .string(EscapedText.percentEscaped(folder.path)),
          "device": JSONValue(String(folder.device)), "inode": JSONValue(String(folder.inode)),
        ]
      } ?? .null,
      "manifest": .string(EscapedText.percentEscaped(binding.manifestPath)),
      "usageTextSHA256": .string(binding.usageTextSHA256),
      "usageTextLanguage": JSONValue(binding.usageTextLanguage),
    ]
  }
}

extension AnswerReason {
  /// The way in which the person answered.
  package var text: String {
    switch self {
    case .userConsent: "asked at the terminal"
    case .picker: "asked in a browser"
    case .userSet: "with `mediabatch access`"
    }
  }
}
