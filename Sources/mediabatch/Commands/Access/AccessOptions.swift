internal import ArgumentParser
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline

/// The options of every command about one manifest.
struct AccessOptions: ParsableArguments {
  @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument

  @Option(help: .rare("Also apply this policy file of an organization; may be repeated."))
  var policy: [PathArgument] = []

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  /// Loads the manifest, or ends the command with its mistakes.
  ///
  /// - Parameter signature: `none` for what takes access back, which nobody has to sign.
  /// - Returns: The manifest.
  /// - Throws: The end of the command.
  func loaded(signature: LoadedManifest.SignatureNeed = .needed) throws -> LoadedManifest {
    try LoadedManifest.orExit(manifest, policies: policy, signature: signature, format: format)
  }
}

/// The level of the source that a command is about.
struct AccessLevelOption: ParsableArguments {
  @Option(
    name: .customLong("level"),
    help: .rare("What the photo library allows, by default readWrite.")
  )
  var chosen: AccessLevel?

  var value: AccessLevel { chosen ?? .readWrite }

  /// - Throws: A `ValidationError` for another source than the one that has levels, since no rule knows of arguments.
  func require(_ source: SourceID?, _ words: String) throws {
    if source?.kind == .library { return }
    throw ValidationError(
      "\(words) is only for the photo library: name the source library, or one of that kind by its name."
    )
  }
}

/// How a command that takes an answer back waits for runs that go on.
struct AccessWaiting: ParsableArguments {
  static let discussion =
    "A run that is going on opens no further file of the source. The command returns when the run has closed the files "
    + "that it reads."

  /// The seconds after which the command returns all the same.
  private static let seconds = 10

  @Flag(help: .rare("Return at once, also while a run reads files of the source."))
  var noWait = false

  /// Waits for the runs that read files of these sources, and says if one still does.
  func waitForRuns(_ bindings: [AnswerBinding]) throws {
    guard !noWait, !bindings.isEmpty, let store = try? AnswerStore.ownLocation() else { return }
    for binding in bindings {
      let isFree = OpenFilesMark.waitForRuns(
        of: binding.client,
        source: binding.source.kind,
        store: store,
        seconds: Self.seconds
      )
      guard !isFree else { continue }
      Console.note(
        "A run still reads files of the \(binding.source.displayName) that it had opened before; it opens no others."
      )
    }
  }
}

/// The time for which a grant counts.
struct AccessTerm: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: "How long it counts, such as 30d, 12h or 45m; by default until it is changed."
  )
  var duration: AccessDuration?

  @Flag(help: "It counts only for the next run.")
  var once = false
}

/// A duration as a person types it.
struct AccessDuration: ExpressibleByArgument {
  let seconds: Int64

  /// At least a second, at most 100 years: a number and `s`, `m`, `h` or `d`.
  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = argument.last.flatMap({ units[$0] }),
      argument.utf8.dropLast().allSatisfy(\.isASCIIDigit),
      let number = Int64(argument.dropLast())
    else { return nil }
    let (seconds, overflows) = number.multipliedReportingOverflow(by: unit)
    guard !overflows, (1...36_525 * 86_400).contains(seconds) else { return nil }
    self.seconds = seconds
  }
}

extension SourceKind: ExpressibleByArgument {}

/// A source as a person names it: by its name, or by its kind's word where the manifest has one of that kind.
struct SourceWord: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard SourceID.isName(argument) else { return nil }
    text = argument
  }

  /// The word of a kind.
  init(_ kind: SourceKind) { text = kind.rawValue }

  static var defaultCompletionKind: CompletionKind { .list(SourceKind.allCases.map(\.rawValue)) }
}

extension SourceID {
  /// Whether a person's word means this one of some sources.
  func isMeant(by word: SourceWord, among sources: some Collection<SourceID>) -> Bool {
    if isCalled(word.text) { return true }
    return kind.rawValue == word.text && !sources.contains { $0.isCalled(word.text) }
      && sources.count { $0.kind == kind } == 1
  }
}

extension LoadedManifest {
  /// The source that a person means, which a kind's word may be though the manifest declares none of that kind.
  ///
  /// - Throws: A `ValidationError` for a word that names no source, or several, since no rule knows the manifest.
  func source(_ word: SourceWord) throws -> SourceID {
    let sources = try sources(word)
    if sources.count == 1 { return sources[0] }
    let names = Quantity.list(sources.map { "\"\(EscapedText.printable($0.name))\"" })
    throw ValidationError(
      "The manifest has several sources of the kind \(word.text): \(names). Name one of them with --source."
    )
  }

  /// The sources that a person means: that of the name, or all of a kind by its word where none has it for a name; never
  /// none.
  ///
  /// - Throws: A `ValidationError` for a word that names no source, since no rule knows the manifest.
  func sources(_ word: SourceWord) throws -> [SourceID] {
    if let source = manifest.sources.named(word.text) { return [source] }
    guard let kind = SourceKind(rawValue: word.text) else {
      let names = manifest.sources.keys.map(\.name)
      let words = names + SourceKind.allCases.map(\.rawValue).filter { !names.contains($0) }
      throw ValidationError(
        "The manifest has no source \"\(EscapedText.printable(word.text))\". Name one of: "
          + "\(words.map { EscapedText.printable($0) }.joined(separator: ", "))."
      )
    }
    let sources = manifest.sources.of(kind).map(\.key)
    return sources.isEmpty ? [SourceID(kind)] : sources
  }
}

extension AccessLevel: ExpressibleByArgument {
  package init?(argument: String) {
    guard let level = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = level
  }

  package static var allValueStrings: [String] { allCases.map(\.name) }

  // The parser would describe each value by the number that it stands for.
  package static var allValueDescriptions: [String: String] { [:] }
}
