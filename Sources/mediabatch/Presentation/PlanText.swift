internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

/// A dry run's plan as people and programs read it.
enum PlanText {
  /// Writes a line per source, each followed by a line per item that is not unchanged, and notes about what is in
  /// the library.
  static func write(_ plan: DryRun, _ notes: [String], to sink: ReportSink) throws {
    var unreadCount = 0
    for source in plan.sources {
      sink.text("\(source.source.displayName): \(source.reason.decisionText)")
      var counts = Counts()
      plan.forEachItem(of: source.source) { counts.add($0) }
      if source.verdict == .allow { sink.text("; \(counts.text(ignored: source.ignored))") }
      sink.text("\n")
      plan.forEachItem(of: source.source) { item in
        if item.outcome != .unchanged { sink.text(line(item) + "\n") }
      }
      unreadCount += counts.unread
    }
    for advice in plan.advice { sink.text(advice.text + "\n") }
    for note in notes { sink.text(note + "\n") }
    if unreadCount > 0 {
      let items = Quantity.text(unreadCount, "item")
      sink.text(
        "Only reading tells the outcome of \(items): whether the content is intact, of the format that the "
          + "name says, and new to the library.\n"
      )
    }
    sink.text("No media were opened, and nothing was written.\n")
    try sink.finish()
  }

  /// The numbers of a source's items.
  private struct Counts {
    private var all = 0
    private var unchanged = 0
    private var failedBefore = 0
    private var media: [MediaType: Int] = [:]
    private var unknown = 0
    /// Those of which only reading can tell the outcome.
    private(set) var unread = 0

    mutating func add(_ item: DryRun.Item) {
      all += 1
      if item.outcome == .unchanged { unchanged += 1 }
      if item.outcome == .failedBefore { failedBefore += 1 }
      if item.outcome == nil { unread += 1 }
      guard let expected = item.expected else { return }
      if let type = expected.mediaType { media[type, default: 0] += 1 } else { unknown += 1 }
    }

    func text(ignored: Int) -> String {
      let parts = [
        (unchanged, "unchanged", "unchanged"), (failedBefore, "failed before", "failed before"),
        (media[.image] ?? 0, "picture", "pictures"), (media[.video] ?? 0, "video", "videos"),
        (media[.audio] ?? 0, "sound", "sounds"), (unknown, "other name", "other names"),
        (ignored, "ignored", "ignored"),
      ]
      return Quantity.text(all, "item")
        + parts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined()
    }
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

  /// Writes the plan as one object; `onReading` marks an item whose outcome only reading can tell.
  static func writeObject(_ plan: DryRun, _ notes: [String], to sink: ReportSink) throws {
    var object = JSONPieces.object(sink, inLines: false)
    object.add("exitCode", plan.exitCode.json)
    object.begin("items")
    var items = JSONPieces.array(sink, inLines: false)
    plan.forEachItem { item in
      items.add([
        "source": .string(item.source.kind.rawValue),
        "sourceName": .string(item.source.name), "path": .string(item.path.text),
        "plan": .string(item.plan), "reason": JSONValue(item.reason?.rawValue),
        "expected": item.expected.map(expected) ?? .null,
      ])
    }
    items.close()
    object.add("notes", notes.json)
    object.add("problems", SummaryJSON.problems(plan.problems))
    object.add("rulesWithoutMatch", SummaryJSON.rules(plan.problems.compactMap(\.rule)))
    object.add("schema", "mediabatch.plan/1")
    object.add("sources", .array(plan.sources.map(SummaryJSON.source)))
    object.close()
    sink.text("\n")
    try sink.finish()
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
