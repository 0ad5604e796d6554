internal import ArgumentParser
internal import MediaConsent
internal import MediaSandbox

/// The process that opens a source's files for a person's page; `run --web` and `access ask --web` start it,
/// it is of no use to a person.
struct ViewerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ViewerProcess.argument,
    abstract: "Show names and pictures of a source on a page.",
    discussion: "Started by run with a folder and a socket; exits with 64 otherwise.",
    shouldDisplay: false
  )

  @Argument(help: "The folder of a self-test.")
  var stage: String?

  func run() throws {
    let code = ViewerProcess.run(stage: stage.map { SelfTestStage(folder: $0) })
    if code != 0 { throw ExitCode(code) }
  }
}
