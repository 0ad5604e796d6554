internal import ArgumentParser
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSyntax

struct AccessListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the stored answers, and which of them still count.",
    discussion: """
      Without a manifest it shows all of them.

      EXAMPLES
        mediabatch access list
        mediabatch access list manifest.json

      With a manifest it shows those of its client, also for the client's other manifests, and denials of its folder \
      in another place, compared with the manifest as it is now. Without one, each is compared with the manifest that it \
      was given for.
      """
  )

  @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument?

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  func run() throws {
    let loaded = try manifest.map { try LoadedManifest.orExit($0, signature: .none, format: format) }
    try AccessStore.with(.readOnly, format: format) { store, location in
      let folders = loaded.map { AccessState($0).context.folders } ?? [:]
      let answers = try store?.answers(client: loaded?.manifest.client.identifier, of: folders) ?? []
      let head = try store?.verify()
      var manifests = AnsweredManifests(loaded)
      let rows = answers.map { (answer: $0, validity: manifests.validity(of: $0)) }
      let storePath = EscapedText.percentEscaped(location)
      let absence =
        "There are no stored answers\(loaded == nil ? "" : " of this client") in \"\(storePath)\". "
        + "What manifests allow is in the log: mediabatch report LIBRARY"
      format.print(
        [
          "schema": AccessStore.schema, "exitCode": 0, "action": "list", "store": .string(storePath),
          "transitions": JSONValue(head?.records ?? 0), "head": JSONValue(head?.head),
          "answers": .array(
            rows.map { row in
              .object(row.answer.object.merging(row.validity.members) { $1 })
            }
          ),
        ],
        rows.isEmpty ? [absence] : rows.map { Self.text($0.answer, $0.validity) }
      )
    }
  }

  private static func text(_ answer: StoredAnswer, _ validity: AnswerValidity) -> String {
    let binding = answer.binding
    let folder = binding.folder.map { EscapedText.percentEscaped($0.path) } ?? "none"
    var lines = [
      "\(EscapedText.printable(binding.client)), \(binding.source.displayName), "
        + "\(binding.level.name): \(answer.statusText)",
      "  since     \(StoredAnswer.timeText(answer.decidedAt)), \(answer.reason.text)",
      "  folder    \(folder)",
      "  manifest  \(EscapedText.percentEscaped(binding.manifestPath))",
      "  counts    \(validity.text)",
    ]
    lines += answer.selection.map { "  selected  \(EscapedText.printable($0))" }
    return lines.joined(separator: "\n")
  }
}

/// Compares answers with manifests as they are now, each of which is read once.
private struct AnsweredManifests {
  private typealias Present = (manifest: Manifest, context: PermissionContext)

  /// The manifest that a person named; nil to compare each answer with its own.
  private let named: Present?
  private var cache: [[UInt8]: Present?] = [:]
  private let now = AccessSubject.now

  init(_ loaded: LoadedManifest?) {
    named = loaded.map { ($0.manifest, AccessState($0).context) }
  }

  mutating func validity(of answer: StoredAnswer) -> AnswerValidity {
    AnswerValidity(of: answer, now: now) { named ?? manifest(at: answer.binding.manifestPath) }
  }

  private mutating func manifest(at path: [UInt8]) -> Present? {
    if let cached = cache[path] { return cached }
    let entry = (try? LoadedManifest(path: path)).map { ($0.manifest, AccessState($0).context) }
    cache[path] = .some(entry)
    return entry
  }
}
