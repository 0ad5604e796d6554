internal import ArgumentParser
internal import MediaSandbox
internal import MediaWorkerProtocol

/// A confined process of this program, which other commands start; it is of no use to a person.
struct ServiceCommand<Service: ConfinedService>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Service.Terms.argument,
      abstract: "Serve another command, confined.",
      discussion: "Started by other commands with a task; exits with 64 otherwise.",
      shouldDisplay: false
    )
  }

  @Argument(help: "The folder of a self-test.")
  var stage: String?

  func run() throws {
    let code = Service.run(stage: stage.map { SelfTestStage(folder: $0) })
    if code != 0 { throw ExitCode(code) }
  }
}
