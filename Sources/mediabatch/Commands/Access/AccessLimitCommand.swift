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
      PATTERNs are written as in a manifest's "selection": relative to the photo library's folder, \
      with * ? [...] and **. They are the whole selection; --add and --remove change the one that is \
      stored. Nothing in the folder is looked at.
      """
  )

  @OptionGroup var options: AccessOptions

  @Argument(help: "The items: all of the new selection.")
  var pattern: [String] = []

  @Option(help: "Adds a pattern to the stored selection; may be repeated.")
  var add: [String] = []

  @Option(help: "Takes a pattern out of the stored selection; may be repeated.")
  var remove: [String] = []

  @OptionGroup var term: AccessTerm

  func validate() throws {
    let edits = !add.isEmpty || !remove.isEmpty
    guard pattern.isEmpty == edits else {
      throw ValidationError(
        "Name the patterns of the whole selection, or change the stored one with --add and --remove."
      )
    }
    for text in pattern + add {
      do {
        _ = try SelectionPattern(text)
      } catch {
        throw ValidationError("\"\(EscapedText.printable(text))\": \(error.message).")
      }
    }
  }

  func run() throws {
    let format = options.format
    let loaded = try options.loaded()
    let subject = try AccessSubject(loaded, .library, .readWrite)
    try subject.stopUnlessGrantable(format: format)
    let result = try AccessStore.with(.create, format: format) { store, _ in
      let before = try store?.answer(
        client: subject.binding.client,
        source: .library,
        level: .readWrite
      )
      let old = before?.status == .limited ? before?.selection ?? [] : []
      let selection = try pattern.isEmpty ? edited(before, subject) : Self.unique(pattern)
      guard selection.count <= SelectionPattern.maximumCount else {
        throw ValidationError(
          "A selection has at most \(SelectionPattern.maximumCount) patterns, not \(selection.count)."
        )
      }
      // An edit leaves the time that was set before.
      let kept = pattern.isEmpty ? before : nil
      let answer = subject.answer(
        .limited,
        selection: selection,
        expiresAt: term.duration.map { AccessSubject.now + $0.seconds } ?? kept?.expiresAt,
        isForOneRun: term.once || kept?.isForOneRun == true
      )
      try store?.record(answer)
      return AccessResult(
        action: "limit",
        subject: subject,
        before: before,
        after: answer,
        added: Self.without(old, selection),
        removed: Self.without(selection, old),
        head: try store?.head
      )
    }
    result.say(format: format)
  }

  /// The stored selection with what is added and without what is removed.
  ///
  /// The stored selection must still count: patterns for another folder mean other items.
  private func edited(_ before: StoredAnswer?, _ subject: AccessSubject) throws -> [String] {
    guard let before, before.status == .limited else {
      let status = before?.status ?? .notDetermined
      throw ValidationError(
        "There is no stored selection to change: the stored answer is \(status.name). Name the "
          + "patterns of the whole selection."
      )
    }
    let changes = before.binding.changes(to: subject.binding)
    guard changes.isEmpty else {
      throw ValidationError(
        "The stored selection does not count any more, since "
          + changes.sentence
          + ". Name the patterns of the whole selection."
      )
    }
    if let unknown = Self.without(before.selection, remove).first {
      throw ValidationError(
        "\"\(EscapedText.printable(unknown))\" is not in the stored selection; nothing was changed. "
          + "See \"mediabatch access list\"."
      )
    }
    return Self.unique(Self.without(remove, before.selection) + add)
  }

  /// Each pattern once, compared by bytes: two that are equal for Unicode may name two files.
  private static func unique(_ patterns: [String]) -> [String] {
    var seen: Set<[UInt8]> = []
    return patterns.filter { seen.insert([UInt8]($0.utf8)).inserted }
  }

  private static func without(_ others: [String], _ patterns: [String]) -> [String] {
    let others = Set(others.map { [UInt8]($0.utf8) })
    return patterns.filter { !others.contains([UInt8]($0.utf8)) }
  }
}
