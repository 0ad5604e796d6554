internal import ArgumentParser
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSyntax

struct AccessResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Take answers back, so that a person is asked again.",
    discussion: """
      It takes back the answers about all sources of a manifest, or about SOURCE.

      EXAMPLES
        mediabatch access reset manifest.json
        mediabatch access reset manifest.json camera

      These are the grants and limits that were given for the manifest, and the denials that count for it: those of \
      its client, of a source's whole kind, and of its folder in another place. --client takes back all answers of a \
      client, and --all those of every client. \(AccessWaiting.discussion)
      """
  )

  @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument?

  @OptionGroup var subject: SourceArgument

  @Option(help: .rare("The level of the photo library; by default both."))
  var level: AccessLevel?

  @Option(help: "Take back all answers of the client with this identifier.")
  var client: String?

  @Flag(help: "Take back the answers of every client.")
  var all = false

  @OptionGroup var waiting: AccessWaiting

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  func validate() throws {
    let choices = [manifest != nil, client != nil, all].count { $0 }
    guard choices == 1 else {
      // No rule knows of arguments.
      throw ValidationError("Name a manifest, or --client IDENTIFIER, or --all.")
    }
  }

  func run() throws {
    let loaded = try manifest.map { try LoadedManifest.orExit($0, signature: .none, format: format) }
    let identifier = loaded?.manifest.client.identifier ?? client
    let context = loaded.map { AccessState($0).context }
    let named = try bindings(loaded, context)
    let (removed, head) = try AccessStore.with(.existing, format: format) { store, _ in
      let answers = try store?.answers(client: identifier, of: context?.folders ?? [:]) ?? []
      let chosen = answers.filter { answer in
        isMeant(answer, among: named, answers)
          && (level == nil || answer.binding.level == level)
          && (loaded == nil || answer.status == .denied
            || answer.binding.manifestPath == loaded?.resolvedPath)
      }
      for answer in chosen { try store?.reset(answer.binding) }
      return (chosen, try store?.head)
    }
    try report(removed, head: head, loaded, context)
    try waiting.waitForRuns(removed.map(\.binding))
  }

  /// The bindings that answers about the sources which were named would have now; nil without a source or a manifest.
  private func bindings(
    _ loaded: LoadedManifest?,
    _ context: PermissionContext?
  ) throws -> [AnswerBinding]? {
    guard let loaded, let context, let word = subject.word else { return nil }
    let sources = try loaded.sources(word)
    if let level { try AccessSubject.require(level, of: sources[0]) }
    return sources.flatMap { source in
      AccessLevel.allCases.map { context.binding(of: source, level: $0, in: loaded.manifest) }
    }
  }

  /// Whether an answer is about a source that was named: of a manifest, or of the client's answers.
  private func isMeant(
    _ answer: StoredAnswer,
    among named: [AnswerBinding]?,
    _ answers: [StoredAnswer]
  ) -> Bool {
    guard let word = subject.word?.text else { return true }
    if let named { return named.contains(where: answer.concerns) }
    return answers.contains { other in
      var binding = other.binding
      binding.level = answer.binding.level
      return (binding.source.isCalled(word) || binding.source.kind.rawValue == word)
        && answer.concerns(binding)
    }
  }

  private func report(
    _ removed: [StoredAnswer],
    head: String?,
    _ loaded: LoadedManifest?,
    _ context: PermissionContext?
  ) throws {
    var notes: [String] = []
    if let loaded, let context {
      for answer in removed {
        let source = context.source(of: answer, in: loaded.manifest)
        let subject = try AccessSubject(loaded, source, answer.binding.level)
        notes += subject.effect.lines
      }
    }
    let lines = removed.map { answer in
      let identifier = answer.binding.client
      let known = loaded.flatMap {
        $0.manifest.client.identifier == identifier ? $0.manifest.client.name : nil
      }
      let client = EscapedText.printable(known ?? identifier)
      return "\(client), \(answer.binding.source.displayName), \(answer.binding.level.name): "
        + "\(AuthorizationStatus.undecidedText) (was: \(answer.statusText))"
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
