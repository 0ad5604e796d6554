internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

/// A dry run's plan as people and programs read it.
enum PlanText {
  /// Returns a line per source, each followed by a line per item that is not unchanged, and notes about what is in
  /// the library.
  static func text(_ plan: DryRun, _ notes: [String]) -> String {
    var text = ""
    for source in plan.sources {
      let items = plan.items.filter { $0.source == source.source }
      text += "\(source.source.displayName): \(source.reason.decisionText)"
      if source.verdict == .allow { text += "; \(counts(items, ignored: source.ignored))" }
      text += "\n"
      for item in items where item.outcome != .unchanged { text += line(item) + "\n" }
    }
    for advice in plan.advice { text += "\(advice.sentence)\n  \(advice.command)\n" }
    for note in notes { text += note + "\n" }
    let unreadCount = plan.items.count { $0.outcome == nil }
    if unreadCount > 0 {
      let items = Quantity.text(unreadCount, "item")
      text +=
        "Only reading tells the outcome of \(items): whether the content is intact, of the format that the "
      text += "name says, and new to the library.\n"
    }
    return text + "No media were opened, and nothing was written.\n"
  }

  private static func counts(_ items: [DryRun.Item], ignored: Int) -> String {
    let media = items.compactMap(\.expected?.mediaType)
    let unknown = items.count { $0.expected.map { $0.mediaType == nil } ?? false }
    let parts = [
      (items.count { $0.outcome == .unchanged }, "unchanged", "unchanged"),
      (items.count { $0.outcome == .failedBefore }, "failed before", "failed before"),
      (media.count { $0 == .image }, "picture", "pictures"),
      (media.count { $0 == .video }, "video", "videos"),
      (media.count { $0 == .audio }, "sound", "sounds"),
      (unknown, "other name", "other names"), (ignored, "ignored", "ignored"),
    ]
    return Quantity.text(items.count, "item")
      + parts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined()
  }

  private static func line(_ item: DryRun.Item) -> String {
    let reason = item.reason.map { " (\($0.rawValue))" } ?? ""
    var line = "  "
    switch (item.outcome, item.expected?.outcome) {
    case (let outcome?, _): line += outcome.rawValue + reason
    case (nil, .imported?): line += "import"
    case (nil, .skipped?):
      line += "skip" + (item.expected?.reason.map { " (\($0.rawValue))" } ?? "")
    case (nil, _): line += "read"
    }
    line += "  \(item.path.text)"
    if let destination = item.expected?.destination {
      line += "  → \(EscapedText.printable(destination))"
    }
    if let counterpart = item.expected?.counterpart { line += "  with \(counterpart.text)" }
    return line
  }

  /// Returns the plan as one object; `onReading` marks an item whose outcome only reading can tell.
  static func object(_ plan: DryRun, _ notes: [String]) -> JSONValue {
    [
      "schema": "mediabatch.plan/1",
      "exitCode": plan.exitCode.json,
      "problems": SummaryJSON.problems(plan.problems),
      "rulesWithoutMatch": SummaryJSON.rules(plan.problems.compactMap(\.rule)),
      "notes": notes.json,
      "sources": .array(plan.sources.map(SummaryJSON.source)),
      "items": .array(
        plan.items.map { item in
          [
            "source": .string(item.source.kind.rawValue),
            "sourceName": .string(item.source.name), "path": .string(item.path.text),
            "plan": .string(item.plan), "reason": JSONValue(item.reason?.rawValue),
            "expected": item.expected.map(expected) ?? .null,
          ]
        }
      ),
    ]
  }

  private static func expected(_ expected: DryRun.Expectation) -> JSONValue {
    [
      "outcome": JSONValue(expected.outcome?.rawValue),
      "reason": JSONValue(expected.reason?.rawValue),
      "mediaType": JSONValue(expected.mediaType?.rawValue), "label": JSONValue(expected.label),
      "destination": JSONValue(expected.destination),
      "counterpart": JSONValue(expected.counterpart?.text),
    ]
  }
}
