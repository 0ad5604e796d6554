internal import ArgumentParser
internal import MediaPhotosLibrary

/// The process that reads the database of a Photos library; `run` starts it, it is of no use to a person.
struct PhotosReaderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: PhotosReaderProcess.argument,
    abstract: "Read the database of a Photos library.",
    discussion: "Started by run with a folder; exits with 64 otherwise.",
    shouldDisplay: false
  )

  func run() throws {
    let code = PhotosReaderProcess.run()
    if code != 0 { throw ExitCode(code) }
  }
}
