internal import ArgumentParser
internal import MediaConsent

/// The process in which a person picks single files; `run` starts it, it is of no use to a person.
struct PickerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: PickerProcess.argument,
    abstract: "Let a person pick files whose names alone are read.",
    discussion: "Started by run with a folder and a terminal; exits with 64 otherwise.",
    shouldDisplay: false
  )

  func run() throws {
    let code = PickerProcess.run()
    if code != 0 { throw ExitCode(code) }
  }
}
