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
      With a manifest: those of its client, compared with what it shows now. Without: all of them, \
      each compared with the manifest that it was given for.
      """
  )

  @Argument(help: "The manifest, a JSON file.")
  var manifest: String?

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    let loaded = try manifest.map { try LoadedManifest.orExit($0, format: format) }
    try AccessStore.with(.readOnly, format: format) { store, location in
      let answers = try store?.answers(client: loaded?.manifest.client.identifier) ?? []
      let head = try store?.verify()
      var standings = AccessStandings(loaded)
      let rows = answers.map { (answer: $0, standing: standings.standing(of: $0)) }
      switch format {
      case .text:
        for row in rows { Console.output(Self.text(row.answer, row.standing)) }
        if rows.isEmpty {
          Console.output(
            "There are no stored answers\(loaded == nil ? "" : " of this client") in "
              + "\"\(EscapedText.percentEscaped(location))\"."
          )
        }
      case .json:
        Console.output([
          "schema": AccessStore.schema, "exitCode": 0, "action": "list",
          "store": .string(EscapedText.percentEscaped(location)),
          "transitions": JSONValue(head?.records ?? 0), "head": JSONValue(head?.head),
          "answers": .array(
            rows.map { row in
              .object(AccessAnswerText.object(row.answer).merging(row.standing.members) { $1 })
            }
          ),
        ])
      }
    }
  }

  private static func text(_ answer: StoredAnswer, _ standing: AccessStanding) -> String {
    let binding = answer.binding
    let folder = binding.folder.map { EscapedText.percentEscaped($0.path) } ?? "none"
    var lines = [
      "\(EscapedText.printable(binding.client)), \(binding.source.displayName), "
        + "\(binding.level.name): \(AccessAnswerText.status(answer))",
      "  since     \(AccessAnswerText.time(answer.decidedAt)), "
        + AccessAnswerText.reason(answer.reason),
      "  folder    \(folder)",
      "  manifest  \(EscapedText.percentEscaped(binding.manifestPath))",
      "  counts    \(standing.text)",
    ]
    lines += answer.selection.map { "  selected  \(EscapedText.printable($0))" }
    return lines.joined(separator: "\n")
  }
}
