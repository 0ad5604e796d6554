internal import ArgumentParser
internal import MediaCameras
internal import MediaSandbox

/// The process that reads a camera; `run` starts it, it is of no use to a person.
struct CameraCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CameraProcess.argument,
    abstract: "Read the files of a camera.",
    discussion: "Started by run with a camera; exits with 64 otherwise.",
    shouldDisplay: false
  )

  @Argument(help: "The folder of a self-test.")
  var stage: String?

  func run() throws {
    let code = CameraProcess.run(stage: stage.map { SelfTestStage(folder: $0) })
    if code != 0 { throw ExitCode(code) }
  }
}
