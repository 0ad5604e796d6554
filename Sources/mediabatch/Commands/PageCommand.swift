internal import ArgumentParser
internal import MediaPicking
internal import MediaSandbox
internal import MediaWeb

/// The process that shows a page to a person's browser; `run --web` and `access ask --web` start it, it is
/// of no use to a person.
struct PageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: PageTask.processArgument,
    abstract: "Ask a person on a page in a browser.",
    discussion: "Started by run with a socket that listens; exits with 64 otherwise.",
    shouldDisplay: false
  )

  @Argument(help: "The folder of a self-test.")
  var stage: String?

  func run() throws {
    let code = stage.map { PageProcess.selfTest(SelfTestStage(folder: $0)) } ?? PageProcess.run()
    if code != 0 { throw ExitCode(code) }
  }
}
