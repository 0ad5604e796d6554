internal import ArgumentParser
internal import MediaSandbox
internal import MediaWatch

/// The process that notices changes in sources; `watch` starts it, it is of no use to a person.
struct WatcherCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: WatcherProcess.argument,
    abstract: "Notice changes in the folders of granted sources.",
    discussion: "Started by watch with folders; exits with 64 otherwise.",
    shouldDisplay: false
  )

  @Argument(help: "The folder of a self-test.")
  var stage: String?

  func run() throws {
    let code = WatcherProcess.run(stage: stage.map { SelfTestStage(folder: $0) })
    if code != 0 { throw ExitCode(code) }
  }
}
