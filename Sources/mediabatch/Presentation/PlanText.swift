internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

/// A dry run's plan as people and programs read it.
enum PlanText {
  /// Returns a line per source, each followed by a line per item that is not unchanged.
  static func text(_ plan: DryRun) -> String {
    var text = ""
    for source in plan.sources {
      let items = plan.items.filter { $0.source == source.source }
      text += "\(source.source.displayName): \(source.authorizationStatus.name), "
      text += "\(source.verdict.rawValue) (\(source.reason.rawValue))"
      if source.verdict == .allow {
        let reading = items.count { $0.outcome == nil }
        let unchanged = items.count { $0.outcome == .unchanged }
        text += "; \(items.count) items, \(reading) to read, \(unchanged) unchanged"
      }
      text += "\n"
      for item in items where item.outcome != .unchanged {
        let reason = item.reason.map { " (\($0.rawValue))" } ?? ""
        text += "  \(item.plan)\(reason)  \(item.path.text)\n"
      }
    }
    for advice in plan.advice { text += "\(advice.sentence)\n  \(advice.command)\n" }
    return text + "Nothing was opened or written.\n"
  }

  /// Returns the plan as one object; `onReading` marks an item whose outcome only reading can tell.
  static func object(_ plan: DryRun) -> JSONValue {
    [
      "schema": "mediabatch.plan/1",
      "exitCode": JSONValue(Int(plan.exitCode.rawValue)),
      "problems": SummaryJSON.problems(plan.problems),
      "sources": .array(plan.sources.map(SummaryJSON.source)),
      "items": .array(
        plan.items.map { item in
          [
            "source": .string(item.source.rawValue), "path": .string(item.path.text),
            "plan": .string(item.plan), "reason": JSONValue(item.reason?.rawValue),
          ]
        }
      ),
    ]
  }
}
