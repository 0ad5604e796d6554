internal import MediaMaintenance
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

extension RepairCommand {
  /// Removes the superseded files of the library, and mends nothing.
  func removeSuperseded() throws {
    let cleaning = try Cleaning(
      library: library.bytes,
      removesReplaced: replaced,
      waits: wait,
      signer: key.signer()
    )
    try cleaning.end(
      library,
      format,
      object: [
        "schema": "mediabatch.clean/1",
        "removed": cleaning.removed.json,
        "replaced": JSONValue(cleaning.replaced),
      ],
      lines: Self.lines(cleaning)
    )
  }

  private static func lines(_ cleaning: Cleaning) -> [String] {
    var lines = cleaning.removed.map { "removed: \($0)" }
    guard cleaning.exitCode == .success else { return lines }
    lines.append(Quantity.text(cleaning.removed.count, "outdated file") + " removed.")
    if cleaning.replaced > 0 {
      lines.append("Replaced originals that are kept: \(cleaning.replaced). --replaced removes them.")
    }
    return lines
  }
}
