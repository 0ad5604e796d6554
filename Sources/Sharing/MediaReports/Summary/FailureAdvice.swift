internal import MediaModel

/// Messages for a person about items that were not imported, or were imported without thumbnails.
package enum FailureAdvice {
  /// Says what happened, to which file, and what to do, in one line that is already escaped.
  ///
  ///     "beach.jpg" (camera) was not imported: damaged (its EXIF block ends early).
  ///     Copy it from its device again, or export it again.
  ///
  /// (On one line.) `format` is that of the content, as far as it is known: a film is not exported as
  /// a picture. `detail` adds to the cause, in a worker's or a library's own words, at most 200
  /// characters of it; the values of metadata never belong there. `settings` is what the manifest has set
  /// already.
  static func message(
    reason: ItemReason,
    path: ItemPath,
    source: SourceID,
    format: MediaFormat? = nil,
    detail: String = "",
    settings: AdvisedSettings = AdvisedSettings()
  ) -> String {
    let advice = advice(reason, source, format, settings, detail: detail)
    var cause = advice.cause
    let words = words(detail, reason: reason)
    if !words.isEmpty { cause += " (\(words))" }
    return "\"\(ReportText.path(path.bytes))\" (\(source.displayName)) was \(ending(reason)): "
      + "\(cause). \(advice.action)"
  }

  /// Says it of an item of a run or a report, with the words about its cause.
  static func message(
    of item: RunReport.Failure,
    _ settings: AdvisedSettings = AdvisedSettings()
  ) -> String {
    message(
      reason: item.reason,
      path: item.path,
      source: item.source,
      format: item.format,
      detail: item.detail,
      settings: settings
    )
  }

  /// Says of the items of one group how many they are, why they were left out, and what to do.
  static func message(_ group: RunReport.LeftOut, _ settings: AdvisedSettings) -> String {
    message(of: group.count, reason: group.reason, source: group.source, format: nil, settings: settings)
  }

  /// Says of so many items why they were not imported, and what to do; `detail` is one that tells their cause.
  static func message(
    of count: Int,
    reason: ItemReason,
    source: SourceID,
    format: MediaFormat?,
    detail: String = "",
    settings: AdvisedSettings = AdvisedSettings()
  ) -> String {
    let advice = advice(reason, source, format, settings, detail: detail)
    return "\(Quantity.text(count, "file")) \(ending(reason)) (\(source.displayName)): \(advice.cause). "
      + action(advice.action, of: count)
  }

  /// Says of so many items of a group what became of them and why, without their number, and what to do.
  static func sentences(
    of count: Int,
    reason: ItemReason,
    source: SourceID,
    format: MediaFormat?,
    settings: AdvisedSettings = AdvisedSettings()
  ) -> (what: String, remedy: String) {
    let advice = advice(reason, source, format, settings)
    let files = count == 1 ? "file" : "files"
    return (
      "\(files) of the \(source.displayName) \(ending(reason)): \(advice.cause).",
      action(advice.action, of: count)
    )
  }

  /// What to do about so many files.
  private static func action(_ action: String, of count: Int) -> String {
    for verb in ["To import ", "To have "] where count != 1 && action.hasPrefix(verb + "it") {
      return verb + "one" + action.dropFirst(verb.count + 2)
    }
    return action
  }

  /// The cause of a reason, without a full stop, for a file of no source in particular.
  static func cause(_ reason: ItemReason) -> String { advice(reason, .camera, nil).cause }

  /// The words of a worker or a library about a cause, escaped and at most 200 characters, without the
  /// codes in front, which the cause says already, and without a full stop.
  static func words(_ detail: String, reason: ItemReason) -> String {
    plain(coded(ReportText.line(detail, limit: 200)).words, reason)
  }

  private static func plain(_ words: String, _ reason: ItemReason) -> String {
    var words = words
    while words.last == "." || words.last == " " { words.removeLast() }
    return reason == .damaged ? Damage.explained(words) : words
  }

  /// What is wrong with a file of an export or a gallery, for a person: for escaped words with codes in front, such
  /// as `stripUnsupported: tga files`, what the first one means with the rest in parentheses; others as they are.
  package static func explained(_ text: String) -> String {
    let (reason, _, rest) = coded(text)
    guard let reason else { return text }
    let words = plain(rest, reason)
    let cause = reason == .damaged ? "it is damaged" : cause(reason)
    return words.isEmpty ? cause : "\(cause) (\(words))"
  }

  /// The first and the last of the codes with which the words of a worker or a decoder begin, and the rest.
  private static func coded(_ text: String) -> (reason: ItemReason?, last: String, words: String) {
    var (reason, last, words) = (ItemReason?.none, "", text[...])
    while let colon = words.firstRange(of: ": ") {
      let code = String(words[..<colon.lowerBound])
      guard let known = ItemReason(rawValue: code) ?? workerCodes[code] else { break }
      (reason, last, words) = (reason ?? known, code, words[colon.upperBound...])
    }
    return (reason, last, String(words))
  }

  /// The codes of a worker's errors that are not reasons.
  private static let workerCodes: [String: ItemReason] = [
    "residue": .stripUnsupported, "unsupported": .decoderMissing, "audioRefused": .microphoneRefused,
    "internal": .workerCrashed,
  ]

  /// Says of no file in particular what a reason means.
  static func sentence(_ reason: ItemReason) -> String {
    "A file was \(ending(reason)): \(advice(reason, .camera, nil).cause)."
  }

  /// The end of an item, as a participle.
  private static func ending(_ reason: ItemReason) -> String {
    switch reason.outcome {
    case .imported: "imported without thumbnails"
    case .skipped: "left out"
    case .refused: "refused"
    default: "not imported"
    }
  }

  private static func advice(
    _ reason: ItemReason,
    _ source: SourceID,
    _ format: MediaFormat?,
    _ settings: AdvisedSettings = AdvisedSettings(),
    detail: String = ""
  ) -> (cause: String, action: String) {
    guard let advice = table[reason] else { return ("could not be imported", "Run again.") }
    if reason == .thumbnailMissing, let undecoded = undecoded[coded(detail).last] { return undecoded }
    return whereSet(reason, source, settings, cause: advice.cause)
      ?? advice.bySource[source.kind] ?? (advice.cause, advice.action(format))
  }
}
