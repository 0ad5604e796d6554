internal import ArgumentParser
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline

struct AccessLimitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limit",
    abstract: "Allow only some items of the photo library, or change which.",
    discussion: """
      A PATTERN is a path relative to the photo library's folder, with *, ?, [...] and **.

      EXAMPLES
        mediabatch access limit manifest.json '2026/harbour*'
        mediabatch access limit manifest.json --add 2026/a.jpg
        mediabatch access limit manifest.json --source Takeout 'album:Summer'

      Patterns are written as in a manifest's "selection". They are the whole selection; --add and --remove change the \
      stored one. Nothing in the folder is looked at. \(AccessWaiting.discussion)
      """
  )

  @OptionGroup var options: AccessOptions

  @OptionGroup var named: SourceOption

  @Argument(help: "The items that are allowed.", transform: checkedPattern)
  var pattern: [String] = []

  @Option(
    help: "Add a pattern to the stored selection; may be repeated.",
    transform: checkedPattern
  )
  var add: [String] = []

  @Option(help: "Remove a pattern from the stored selection; may be repeated.")
  var remove: [String] = []

  @Flag(help: "Allow no items.")
  var none = false

  @OptionGroup var term: AccessTerm

  @OptionGroup var waiting: AccessWaiting

  func validate() throws {
    let choices = [!pattern.isEmpty, !add.isEmpty || !remove.isEmpty, none]
    guard choices.count(where: \.self) == 1 else {
      // No rule knows of arguments.
      throw ValidationError(
        "Name the patterns of the whole selection, or change the stored selection with --add and --remove, "
          + "or store none with --none."
      )
    }
  }

  private static func checkedPattern(_ text: String) throws -> String {
    do {
      return try SelectionPattern(text).text
    } catch {
      throw OptionWordError(description: "\(error.message).")
    }
  }

  func run() throws {
    let format = options.format
    let loaded = try options.loaded()
    let source = try loaded.source(named.source ?? SourceWord(.library))
    guard source.kind == .library else {
      throw ValidationError("Only the photo library can be limited, not the \(source.displayName).")
    }
    let subject = try AccessSubject(loaded, source, .readWrite)
    try subject.stopUnlessGrantable(format: format)
    let applicable = subject.applicable
    let result = try AccessStore.with(.create, format: format) { store, _ in
      let before = try store?.answer(for: subject.binding)
      let oldSelection = before?.status == .limited ? before?.selection ?? [] : []
      let isWhole = none || !pattern.isEmpty
      let selection = try newSelection(before, subject, isWhole: isWhole)
      // An edit leaves the time that was set before.
      let previous = isWhole ? nil : before
      let answer = subject.answer(
        .limited,
        selection: selection,
        expiresAt: term.duration.map { AccessSubject.now + $0.seconds } ?? previous?.expiresAt,
        isForOneRun: term.once || previous?.isForOneRun == true
      )
      try store?.record(answer)
      return AccessResult(
        action: "limit",
        subject: subject,
        before: before ?? applicable,
        after: answer,
        added: SelectionEdit.without(oldSelection, selection),
        removed: SelectionEdit.without(selection, oldSelection),
        head: try store?.head
      )
    }
    result.write(format: format)
    try waiting.waitForRuns([subject.binding])
  }

  /// - Throws: A `ValidationError`, since no rule knows what is stored.
  private func newSelection(
    _ before: StoredAnswer?,
    _ subject: AccessSubject,
    isWhole: Bool
  ) throws -> [String] {
    let problem: String
    do throws(SelectionEditError) {
      let selection =
        try isWhole
        ? SelectionEdit.unique(pattern)
        : SelectionEdit.edited(before, for: subject.binding, removing: remove, adding: add)
      if selection.count <= SelectionPattern.maximumCount { return selection }
      problem =
        "A selection has at most \(SelectionPattern.maximumCount) patterns, not \(selection.count)."
    } catch {
      problem =
        switch error {
        case .noSelection(let status):
          "There is no stored selection to change: the stored answer is \(status.name). Name the "
            + "patterns of the whole selection."
        case .changed(let changes):
          "The stored selection does not count any more, since \(changes.sentence). Name the "
            + "patterns of the whole selection."
        case .unknownPattern(let pattern):
          "\"\(EscapedText.printable(pattern))\" is not in the stored selection; nothing was "
            + "changed. See `mediabatch access list`."
        }
    }
    throw ValidationError(problem)
  }
}
