internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSyntax

/// The output of a command that changed an answer.
struct AccessResult {
  /// The command's own name.
  let action: String
  let subject: AccessSubject
  let before: StoredAnswer?
  /// Nil when the answer was taken back.
  let after: StoredAnswer?
  /// The same answer about the other sources of the kind.
  var alike: [StoredAnswer] = []
  /// The answers for other manifests of the client that a denial took back.
  var others: [StoredAnswer] = []
  var added: [String] = []
  var removed: [String] = []
  /// The store's, after the change.
  let head: String?

  func write(format: OutputFormat) {
    let effect = subject.effect
    format.print(
      [
        "schema": AccessStore.schema, "exitCode": 0, "action": .string(action),
        "before": before.map { .object($0.object) } ?? .null,
        "answer": after.map { .object($0.object) } ?? .null,
        "added": added.json,
        "removed": removed.json,
        "alike": .array(alike.map { .object($0.object) }),
        "takenBack": .array(others.map { .object($0.object) }),
        "nextRun": effect.nextRun?.object ?? .null,
        "notes": effect.lines.json,
        "head": JSONValue(head),
      ],
      text + effect.lines
    )
  }

  private var text: [String] {
    let client = EscapedText.printable(subject.loaded.manifest.client.name)
    let old = before?.statusText ?? AuthorizationStatus.undecidedText
    let new = after?.statusText ?? AuthorizationStatus.undecidedText
    var lines = ["\(client), \(subject.source.displayName), \(subject.level.name): \(new) (was: \(old))"]
    lines += alike.map { "  the same for  \($0.binding.source.displayName)" }
    lines += added.map { "  added    \(EscapedText.printable($0))" }
    lines += removed.map { "  removed  \(EscapedText.printable($0))" }
    lines += others.map { other in
      "  taken back from  \(EscapedText.percentEscaped(other.binding.manifestPath)) "
        + "(was: \(other.statusText))"
    }
    if let before, let after, before.status == .denied, after.status != .denied,
      !before.binding.hasKey(of: after.binding)
    {
      let whose =
        before.binding.client == after.binding.client
        ? "the client's other manifests" : "other manifests of this folder"
      lines.append(
        "  still denied for \(whose), at  "
          + EscapedText.percentEscaped(before.binding.manifestPath)
      )
    }
    return lines
  }
}
