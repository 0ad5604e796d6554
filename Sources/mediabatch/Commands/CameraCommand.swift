internal import ArgumentParser
internal import MediaCameras

/// The process that reads a camera; `run` starts it, it is of no use to a person.
struct CameraCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CameraProcess.argument,
    abstract: "Read the files of a camera.",
    discussion: "Started by run with a camera; exits with 64 otherwise.",
    shouldDisplay: false
  )

  func run() throws {
    let code = CameraProcess.run()
    if code != 0 { throw ExitCode(code) }
  }
}
