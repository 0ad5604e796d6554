internal import ArgumentParser
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline

struct AccessDenyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny",
    abstract: "Refuse a source, until the answer is taken back.",
    discussion: """
      It counts for every manifest of this client, and for all its sources of this kind.

      EXAMPLES
        mediabatch access deny manifest.json microphone
        mediabatch access deny manifest.json library --no-wait

      It takes back what was granted for those. If init has named the client, it also counts for the same folder in \
      another place. \(AccessWaiting.discussion)
      """
  )

  @OptionGroup var options: AccessOptions

  @OptionGroup var subject: SourceArgument

  @OptionGroup var level: AccessLevelOption

  @OptionGroup var waiting: AccessWaiting

  func run() throws {
    let loaded = try options.loaded(signature: .none)
    let named = try loaded.sources(subject.required())
    let subjects = try loaded.manifest.sources(deniedWith: named[0], at: level.value)
      .map { try AccessSubject(loaded, $0, level.value) }
    try subjects[0].store(subjects.map { $0.answer(.denied) }, action: "deny", format: options.format)
    try waiting.waitForRuns([subjects[0].binding])
  }
}
