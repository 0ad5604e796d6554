internal import ArgumentParser
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline

struct AccessGrantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Allow a source of a manifest.",
    discussion: """
      It counts for this manifest, as it is now.

      EXAMPLES
        mediabatch access grant manifest.json camera
        mediabatch access grant manifest.json camera --for 30d
        mediabatch access grant manifest.json --source "Anna's Takeout"

      The answers for other manifests of the same client stay as they are.
      """
  )

  @OptionGroup var options: AccessOptions

  @OptionGroup var subject: SourceArgument

  @OptionGroup var level: AccessLevelOption

  @OptionGroup var term: AccessTerm

  func run() throws {
    let format = options.format
    let loaded = try options.loaded()
    let source = try loaded.source(subject.required())
    let subject = try AccessSubject(loaded, source, level.value)
    try subject.stopUnlessGrantable(format: format)
    try subject.store(
      [
        subject.answer(
          .authorized,
          expiresAt: term.duration.map { AccessSubject.now + $0.seconds },
          isForOneRun: term.once
        )
      ],
      action: "grant",
      format: format
    )
  }
}

extension AccessSubject {
  /// Stores answers and says what was there before.
  ///
  /// - Parameters:
  ///   - answers: The answer about this source, then those of a denial about the others of its kind.
  ///   - action: The command's word.
  ///   - earlier: The client's answers about each source when a person was asked; nil where nobody was.
  ///   - format: How it is said.
  /// - Returns: False when another answer was stored since then that allows less; nothing is stored then.
  /// - Throws: The command's end, for a store that cannot be used.
  @discardableResult
  func store(
    _ answers: [StoredAnswer],
    action: String,
    after earlier: [[StoredAnswer]]? = nil,
    format: OutputFormat
  ) throws -> Bool {
    let result = try AccessStore.with(.create, format: format) { store, _ -> AccessResult? in
      let before = applicable
      if let earlier {
        let folders = answers.reduce(into: [:]) { $0[$1.binding.source] = $1.binding.folder }
        let stored = try store?.answers(client: binding.client, of: folders) ?? []
        let mayBeStored = zip(answers, earlier).allSatisfy { answer, earlier in
          let current = stored.filter { $0.concerns(answer.binding) }
          return answer.mayBeStored(besides: current, askedAfter: earlier)
        }
        guard mayBeStored else { return nil }
      }
      let others = try store?.record(answers) ?? []
      return AccessResult(
        action: action,
        subject: self,
        before: before,
        after: answers.first,
        alike: Array(answers.dropFirst()),
        others: others,
        head: try store?.head
      )
    }
    result?.write(format: format)
    return result != nil
  }
}
