internal import ArgumentParser
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSyntax

struct AccessResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Take answers back: the status is notDetermined again.",
    discussion: """
      Those for a manifest, or for one of its sources: the grants and limits that were given for it, \
      and its client's denials, which count for it too, those of a source's whole kind. Or every answer of a client \
      (--client), or of everybody (--all). Without SOURCE of all of them. \(AccessWaiting.discussion)

      EXAMPLES
        mediabatch access reset manifest.json
        mediabatch access reset manifest.json camera
      """
  )

  @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument?

  @OptionGroup var subject: SourceArgument

  @Option(help: "addOnly or readWrite of the photo library; else both.")
  var level: AccessLevel?

  @Option(help: "Of the client with this identifier.")
  var client: String?

  @Flag(help: "Of every client.")
  var all = false

  @OptionGroup var waiting: AccessWaiting

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func validate() throws {
    let choices = [manifest != nil, client != nil, all].count { $0 }
    guard choices == 1 else {
      // No rule knows of arguments.
      throw ValidationError("Name a manifest, or --client IDENTIFIER, or --all.")
    }
  }

  func run() throws {
    let loaded = try manifest.map { try LoadedManifest.orExit($0, format: format) }
    let identifier = loaded?.manifest.client.identifier ?? client
    let sources = try subject.word.flatMap { try loaded?.sources($0) }
    if let source = sources?.first, let level { try AccessSubject.require(level, of: source) }
    let (removed, head) = try AccessStore.with(.existing, format: format) { store, _ in
      let answers = try store?.answers(client: identifier) ?? []
      let chosen = answers.filter { answer in
        isMeant(answer, among: sources)
          && (level == nil || answer.binding.level == level)
          && (loaded == nil || answer.status == .denied
            || answer.binding.manifestPath == loaded?.resolvedPath)
      }
      for answer in chosen { try store?.reset(answer.binding) }
      return (chosen, try store?.head)
    }
    try report(removed, head: head, loaded)
    try waiting.waitForRuns(removed.map(\.binding))
  }

  /// Whether an answer is about the source that was named; a denial is about all sources of its kind.
  private func isMeant(_ answer: StoredAnswer, among sources: [SourceID]?) -> Bool {
    guard let word = subject.word else { return true }
    let source = answer.binding.source
    guard let sources else { return [source.name, source.kind.rawValue].contains(word.text) }
    return sources.contains { source == $0 || answer.status == .denied && source.kind == $0.kind }
  }

  private func report(_ removed: [StoredAnswer], head: String?, _ loaded: LoadedManifest?) throws {
    var notes: [String] = []
    if let loaded {
      for answer in removed {
        let subject = try AccessSubject(loaded, answer.binding.source, answer.binding.level)
        notes += subject.effect.lines
      }
    }
    let lines = removed.map { answer in
      let client = EscapedText.printable(answer.binding.client)
      return "\(client), \(answer.binding.source.displayName), \(answer.binding.level.name): "
        + "notDetermined (was: \(answer.statusText))"
    }
    format.print(
      [
        "schema": AccessStore.schema, "exitCode": 0, "action": "reset",
        "removed": .array(removed.map { .object($0.object) }),
        "notes": notes.json, "head": JSONValue(head),
      ],
      lines.isEmpty ? ["There was no such answer; nothing was changed."] : lines + notes
    )
  }
}
