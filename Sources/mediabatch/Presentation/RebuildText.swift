internal import MediaLibrary
internal import MediaMaintenance
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

/// The result of a rebuild, as text and as JSON.
enum RebuildText {
  static func lines(_ rebuild: Rebuild) -> [String] {
    guard let counts = rebuild.counts else { return [] }
    // Nothing needs the rows of finished batches.
    var lines = rebuild.losses.filter { $0.kind != .finishedBatches }.map { "not known: \($0.text)." }
    lines += rebuild.findings.map { "damaged: \($0.path): \($0.detail)" }
    lines += rebuild.unrecorded.map { "unrecorded: \($0): the log has no record of it" }
    for difference in rebuild.comparison?.differences ?? [] {
      lines.append("differs: \(text(difference))")
    }
    if rebuild.keptAssets > 0 {
      lines.append(
        "kept: \(Quantity.text(rebuild.keptAssets, "asset")) of the old catalogue whose files are there, though the "
          + "log has no record of them"
      )
    }
    if let difference = rebuild.logDifference { lines.append("audit: \(difference)") }
    let withdrawn = counts.withdrawn > 0 ? "\(counts.withdrawn) withdrawn, " : ""
    lines.append(
      Quantity.text(counts.assets, "asset") + " with " + Quantity.text(counts.resources, "file")
        + " and " + Quantity.text(counts.thumbnails, "thumbnail") + ", " + withdrawn
        + Quantity.text(counts.items, "item") + " of " + Quantity.text(counts.runs, "run") + "."
    )
    lines.append(comparison(rebuild))
    if let backup = rebuild.kept { lines.append("The old catalogue is kept as \(backup).") }
    if !rebuild.findings.isEmpty || !rebuild.unrecorded.isEmpty {
      lines.append("Run `mediabatch verify` on the library.")
    }
    return lines
  }

  private static func comparison(_ rebuild: Rebuild) -> String {
    guard let comparison = rebuild.comparison else {
      return "There was no catalogue to compare it with."
    }
    if let reason = comparison.unreadable {
      return "The old catalogue cannot be read to its end: \(reason)"
    }
    let count = comparison.differences.count
    return count == 0
      ? "It has the same rows as the old catalogue."
      : "It differs from the old catalogue in \(count) row\(count == 1 ? "" : "s")."
  }

  private static func text(_ difference: CatalogueComparison.Difference) -> String {
    let row = difference.row.isEmpty ? difference.table : "\(difference.table) \(difference.row)"
    return switch difference.kind {
    case .gone: "\(row): only before"
    case .new: "\(row): only now"
    case .changed: "\(row): \(difference.columns.joined(separator: ", "))"
    }
  }

  static func object(_ rebuild: Rebuild) -> JSONValue {
    [
      "schema": "mediabatch.rebuild/1",
      "exitCode": rebuild.exitCode.json,
      "counts": rebuild.counts.map { counts in
        [
          "runs": JSONValue(counts.runs), "assets": JSONValue(counts.assets),
          "resources": JSONValue(counts.resources), "thumbnails": JSONValue(counts.thumbnails),
          "withdrawn": JSONValue(counts.withdrawn), "items": JSONValue(counts.items),
        ]
      } ?? .null,
      "kept": JSONValue(rebuild.kept),
      "keptAssets": JSONValue(rebuild.keptAssets),
      "notKnown": .array(
        rebuild.losses.map { loss in
          [
            "kind": .string(loss.kind.rawValue), "count": JSONValue(loss.count),
            "text": .string(loss.text),
          ]
        }
      ),
      "damaged": .array(rebuild.findings.map { ["path": .string($0.path), "detail": .string($0.detail)] }),
      "unrecorded": rebuild.unrecorded.json,
      "comparison": rebuild.comparison.map { comparison in
        [
          "unreadable": JSONValue(comparison.unreadable),
          "differences": .array(
            comparison.differences.map { difference in
              [
                "kind": .string(difference.kind.rawValue), "table": .string(difference.table),
                "row": .string(difference.row),
                "columns": difference.columns.json,
              ]
            }
          ),
        ]
      } ?? .null,
      "audit": .object(
        EndedLogText.members(rebuild.log)
          .merging(["difference": JSONValue(rebuild.logDifference)]) { $1 }
      ),
      "problems": SummaryJSON.problems(rebuild.problems),
    ]
  }
}
