internal import ArgumentParser
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline

struct AccessDenyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny",
    abstract: "Refuse a source, until the answer is taken back.",
    discussion: """
      A denial is the client's: it counts for every manifest of the same client and all sources of the kind, and \
      takes back what was granted for the others. \(AccessWaiting.discussion)

      EXAMPLES
        mediabatch access deny manifest.json microphone
        mediabatch access deny manifest.json library --no-wait
      """
  )

  @OptionGroup var options: AccessOptions

  @Argument(help: "The source, by its name or as camera, library or microphone.")
  var source: SourceWord

  @OptionGroup var level: AccessLevelOption

  @OptionGroup var waiting: AccessWaiting

  func run() throws {
    let loaded = try options.loaded()
    let subject = try AccessSubject(loaded, loaded.source(source, takesFirst: true), level.value)
    try subject.store(subject.answer(.denied), action: "deny", format: options.format)
    try waiting.waitForRuns([subject.binding])
  }
}
