internal import ArgumentParser
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSyntax

struct AccessExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain step by step why a source is allowed or refused.",
    discussion: """
      Without SOURCE it explains each source that the manifest declares or needs. It changes nothing.

      EXAMPLES
        mediabatch access explain manifest.json
        mediabatch access explain manifest.json camera

      Of the folders of allowed sources it checks only whether they are there.
      """
  )

  @OptionGroup var options: AccessOptions

  @OptionGroup var subject: SourceArgument

  @OptionGroup var level: AccessLevelOption

  func run() throws {
    let loaded = try options.loaded()
    let named = try subject.word.map { try loaded.sources($0) }
    if level.value == .addOnly { try level.require(named?.first, "--level addOnly") }
    // A damaged store ends the command before anything is explained.
    try AccessStore.with(.readOnly, format: options.format) { _, _ in }
    let decided = AccessState(loaded)
    let planned = decided.permissions.all
    let subjects: [(SourceID, AccessLevel)] =
      named?.map { ($0, level.value) } ?? planned.map { ($0.source, $0.level) }
    let explanations = subjects.map { source, level in
      DecisionExplanation(
        loaded.manifest,
        decided.context,
        source,
        level,
        planned: planned.first { $0.source == source && $0.level == level }
      )
    }
    options.format.print(
      [
        "schema": AccessStore.schema, "exitCode": 0, "action": "explain",
        "manifest": ["path": .string(loaded.path), "sha256": .string(loaded.sha256)],
        "client": .string(loaded.manifest.client.identifier),
        "sources": .array(explanations.map(\.object)),
      ],
      [explanations.map(\.text).joined(separator: "\n\n")]
    )
  }
}
