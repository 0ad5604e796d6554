internal import ArgumentParser
internal import MediaSandbox

/// The process that sets the times of staged files; `run` starts it, it is of no use to a person.
struct TimesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: FileTimesProcess.argument,
    abstract: "Set the times of the files of a batch.",
    discussion: "Started by run with a folder; exits with 64 otherwise.",
    shouldDisplay: false
  )

  @Argument(help: "The folder of a self-test.")
  var stage: String?

  func run() throws {
    let code = FileTimesProcess.run(stage: stage.map { SelfTestStage(folder: $0) })
    if code != 0 { throw ExitCode(code) }
  }
}
