internal import ArgumentParser
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline

struct AccessGrantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Allow a source, as the manifest shows it now.",
    discussion: """
      A grant is this manifest's: the answers for other manifests of the same client stay as they \
      are.

      EXAMPLES
        mediabatch access grant manifest.json camera
        mediabatch access grant manifest.json camera --for 30d
      """
  )

  @OptionGroup var options: AccessOptions

  @Argument(help: "The source, by its name or as camera, library or microphone.")
  var source: SourceWord

  @OptionGroup var level: AccessLevelOption

  @OptionGroup var term: AccessTerm

  func run() throws {
    let format = options.format
    let loaded = try options.loaded()
    let subject = try AccessSubject(loaded, loaded.source(source), level.value)
    try subject.stopUnlessGrantable(format: format)
    try subject.store(
      subject.answer(
        .authorized,
        expiresAt: term.duration.map { AccessSubject.now + $0.seconds },
        isForOneRun: term.once
      ),
      action: "grant",
      format: format
    )
  }
}

extension AccessSubject {
  /// Stores an answer and says what was there before.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - action: The command's word.
  ///   - earlier: The client's answers about the source when a person was asked; nil where nobody was.
  ///   - format: How it is said.
  /// - Returns: False when another answer was stored since then that allows less; nothing is stored then.
  /// - Throws: The command's end, for a store that cannot be used.
  @discardableResult
  func store(
    _ answer: StoredAnswer,
    action: String,
    after earlier: [StoredAnswer]? = nil,
    format: OutputFormat
  ) throws -> Bool {
    let result = try AccessStore.with(.create, format: format) { store, _ -> AccessResult? in
      let before = applicable
      if let earlier {
        let current =
          try store?.answers(client: binding.client)
          .filter { $0.concerns(source, level) } ?? []
        guard answer.mayBeStored(besides: current, askedAfter: earlier) else { return nil }
      }
      let others = try store?.record(answer) ?? []
      return AccessResult(
        action: action,
        subject: self,
        before: before,
        after: answer,
        others: others,
        head: try store?.head
      )
    }
    result?.write(format: format)
    return result != nil
  }
}
