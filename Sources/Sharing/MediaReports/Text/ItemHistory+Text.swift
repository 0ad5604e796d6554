internal import MediaAudit
internal import MediaLibrary
internal import MediaModel
package import MediaSyntax

extension ItemHistory {
  /// Lines for a person.
  ///
  /// - Parameters:
  ///   - library: The library as the person named it, for the command that proves the records.
  ///   - isThere: Whether the library has a file at a path below it.
  ///   - width: In columns.
  /// - Returns: What the file is now, its files in the library, and each record.
  package func lines(library: String, isThere: (String) -> Bool, width: Int) -> [String] {
    let reason = item?.reason.map { " (\($0.rawValue))" } ?? ""
    let outcome = item?.outcome.rawValue ?? "no outcome"
    var lines = ["\"\(shownPath)\" (\(source.displayName)): \(outcome)\(reason)"]
    func title(_ name: String) -> String { "  " + TextLayout.padded(name, to: 11) }
    func add(_ name: String, _ text: String) {
      lines += TextLayout.wrapped(text, to: width, first: title(name), rest: title(""))
    }
    if let message { add("why", message) }
    if let asset = item?.asset {
      add("asset", "\(ReportText.line(asset.localIdentifier)), \(ReportText.line(asset.label))")
      for path in originals(of: asset).sorted() {
        lines.append(
          title("original") + ReportText.path(path.utf8)
            + (isThere(path) ? "" : ": not there now. mediabatch verify \(ShellWord.quoted(library))")
        )
      }
      for (_, path) in asset.thumbnailPaths.sorted(by: { $0.key < $1.key }) {
        lines.append(title("thumbnail") + ReportText.path(path.utf8))
      }
      add("policy", asset.policy.rawValue + (asset.degraded ? "; the asset is incomplete" : ""))
    }
    if let selection { add("selected", selection.text) }
    if let lastRun {
      add("run", "\(lastRun.identifier), \(ReportWording.machine(lastRun))")
      if let signature = lastRun.signature { add("signed", "by " + ReportWording.signer(signature)) }
    }
    lines.append(isCut ? "The newest records:" : "Records:")
    for record in records {
      lines += TextLayout.wrapped(record.text, to: width, first: "  \(record.time)  ", rest: "    ")
    }
    lines.append("Proof:")
    lines.append(
      "  mediabatch audit prove \(ShellWord.quoted(library)) "
        + "\(ShellWord.option("--path", shownPath)) \(ShellWord.option("--source", source.name))"
    )
    return lines
  }

  /// The paths of an asset's originals below the library; those of one that was withdrawn lie elsewhere.
  private func originals(of asset: KnownAsset) -> [String] {
    item?.reason == .withdrawn ? [] : asset.resources.map(\.path)
  }

  /// The same as an object.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "source": .string(source.kind.rawValue), "sourceName": .string(source.name),
      "path": .string(shownPath),
      "outcome": JSONValue(item?.outcome.rawValue), "reason": JSONValue(item?.reason?.rawValue),
      "message": JSONValue(message), "run": .string(ReportText.line(run)),
      "asset": .null, "selection": selection?.json ?? .null, "recordsAreCut": .bool(isCut),
      "user": JSONValue(lastRun?.user), "host": JSONValue(lastRun?.host),
      "signature": lastRun?.signature?.json ?? .null,
    ]
    if let asset = item?.asset {
      members["asset"] = [
        "localIdentifier": .string(ReportText.line(asset.localIdentifier)),
        "label": .string(ReportText.line(asset.label)),
        "metadataPolicy": .string(asset.policy.rawValue), "degraded": .bool(asset.degraded),
        "originals": .array(originals(of: asset).map { .string(ReportText.path($0.utf8)) }),
        "thumbnails": .array(
          asset.thumbnailPaths.values.sorted().map { .string(ReportText.path($0.utf8)) }
        ),
      ]
    }
    members["records"] = .array(records.map(\.json))
    return .object(members)
  }
}

extension ReportRecord {
  /// The record as a report and a history of an item have it.
  var json: JSONValue {
    [
      "run": .string(run), "file": .string(file), "seq": JSONValue(sequence),
      "time": .string(time), "event": .string(event.rawValue), "text": .string(text),
    ]
  }
}
