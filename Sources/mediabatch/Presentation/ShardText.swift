internal import MediaModel
internal import MediaSharding
internal import MediaSyntax

/// Plans and merges, as text and as JSON.
enum ShardText {
  // MARK: A plan

  static func lines(_ plan: Plan, in folder: PlanFolder) -> [String] {
    let items = plan.shards.reduce(0) { $0 + $1.items }
    let bytes = plan.shards.reduce(Int64(0)) { $0 + $1.bytes }
    let largest = plan.shards.map(\.items).max() ?? 0
    let planArgument = ShellWord.quoted(folder.shown)
    return [
      "\(Quantity.text(items, "item")), \(Quantity.text(Int(clamping: bytes), "byte")), in "
        + "\(Quantity.text(plan.shards.count, "shard")) of at most \(Quantity.text(largest, "item")).",
      "Plan \(plan.sha256)",
      "Import each shard, on any machine that has the folder and the sources:",
      "  mediabatch shards run \(planArgument) --shard 1",
      "then make one library of them:",
      "  mediabatch shards merge \(planArgument)",
    ]
  }

  static func object(_ plan: Plan, in folder: PlanFolder) -> JSONValue {
    [
      "schema": "mediabatch.planned/1",
      "plan": .string(folder.shown),
      "planSHA256": .string(plan.sha256),
      "shards": .array(
        plan.shards.enumerated().map { index, shard in
          [
            "shard": JSONValue(index + 1), "items": JSONValue(shard.items),
            "bytes": .integer(shard.bytes),
          ]
        }
      ),
    ]
  }

  // MARK: A shard

  /// A shard that is finished already.
  static func object(_ receipt: Receipt) -> JSONValue {
    var outcomes: [String: JSONValue] = [:]
    for outcome in ItemOutcome.allCases {
      outcomes[outcome.rawValue] = JSONValue(receipt.counts[outcome] ?? 0)
    }
    return [
      "schema": "mediabatch.shard/1",
      "shard": JSONValue(receipt.shard),
      "attempt": JSONValue(receipt.attempt),
      "exitCode": receipt.exitCode.json,
      "assets": JSONValue(receipt.assets),
      "counts": .object(outcomes),
    ]
  }

  // MARK: A merge

  /// A merge that was not done.
  static func object(_ error: ShardingError) -> JSONValue {
    [
      "schema": "mediabatch.merge/1",
      "exitCode": error.exitCode.json,
      "missing": JSONValue(error.missing),
      "message": .string(error.description),
    ]
  }

  static func lines(
    _ result: ShardMerge.Result,
    _ counts: [ItemOutcome: Int],
    _ assets: Int,
    _ library: MergePlace
  ) -> [String] {
    let outcomes = ItemOutcome.allCases.compactMap { outcome in
      counts[outcome].map { "\($0) \(outcome.rawValue)" }
    }
    var lines = [
      "\(library.shown): \(Quantity.text(assets, "asset")); items: \(outcomes.joined(separator: ", ")).",
      "\(Quantity.text(result.linked, "file")) of the shards linked, \(Quantity.text(result.copied, "file")) copied.",
    ]
    if result.duplicates > 0 {
      lines.append("\(Quantity.text(result.duplicates, "asset")) left out, since another shard has the same.")
    }
    if let failed = counts[.failed], failed > 0 {
      lines.append(
        "\(Quantity.text(failed, "file")) failed. Which, and why: mediabatch report "
          + "\(ShellWord.quoted(library.shown)) --output report.html"
      )
    }
    lines.append("Check it: mediabatch verify \(ShellWord.quoted(library.shown))")
    return lines
  }

  static func object(
    _ result: ShardMerge.Result,
    _ counts: [ItemOutcome: Int],
    _ assets: Int,
    _ library: MergePlace,
    _ plan: Plan,
    _ exitCode: RunExitCode
  ) -> JSONValue {
    var outcomes: [String: JSONValue] = [:]
    for outcome in ItemOutcome.allCases {
      outcomes[outcome.rawValue] = JSONValue(counts[outcome] ?? 0)
    }
    return [
      "schema": "mediabatch.merge/1",
      "library": .string(library.shown),
      "planSHA256": .string(plan.sha256),
      "exitCode": exitCode.json,
      "assets": JSONValue(assets),
      "counts": .object(outcomes),
      "linked": JSONValue(result.linked),
      "copied": JSONValue(result.copied),
      "duplicates": JSONValue(result.duplicates),
      "moved": JSONValue(result.moved),
      "importedAgain": JSONValue(result.left),
    ]
  }
}
