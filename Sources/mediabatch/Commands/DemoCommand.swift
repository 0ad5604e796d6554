internal import ArgumentParser
internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaSandbox

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Try everything on a few pictures, in a new folder.",
    discussion: """
      It copies pictures of the program into the folder, and makes a library, a gallery and a report of them.

      EXAMPLES
        mediabatch demo
        mediabatch demo /tmp/try

      The same command once more imports nothing again.
      """
  )

  @Argument(help: "The folder to make.", completion: .directory)
  var folder = PathArgument(Array("mediabatch-demo".utf8))

  @Option(
    help: .rare("The folder of demo.json and its media, if they are not installed.", valueName: "folder"),
    completion: .directory
  )
  var media: PathArgument?

  func run() throws {
    try Console.endingOnError {
      do {
        try copyMedia()
      } catch let error as FileSystemError {
        throw CommandFailure(
          "\(shownFolder): \(error.reason(besides: shownFolder)). Name another folder.",
          .cannotWrite
        )
      }
    }
    let manifest = within("demo.json")
    Console.output("$ mediabatch run \(ShellWord.quoted(shown("demo.json")))")
    try perform("run", [manifest, Array("--no-input".utf8)])
    let title = Array("--title=The lighthouse".utf8)
    try perform("gallery", [within("Library"), within("Gallery"), title], isSilent: true)
    let output = Array("--output".utf8)
    try perform("report", [within("Library"), output, within("report.html")], isSilent: true)
    Console.output(tour)
  }

  /// Runs a command of this program in a process of its own, and ends with its code where that is an error.
  private func perform(_ command: String, _ arguments: [[UInt8]], isSilent: Bool = false) throws {
    let silence = isSilent ? try? FileSystem.openDevice(Array("/dev/null".utf8)) : nil
    let code = try ChildCommand.run([Array(command.utf8)] + arguments, output: silence?.raw)
    if code != RunExitCode.success.rawValue { throw ExitCode(code) }
  }

  private func within(_ name: String) -> [UInt8] { folder.bytes + [UInt8.slash] + Array(name.utf8) }

  private func shown(_ name: String) -> String { EscapedText.percentEscaped(within(name)) }

  private var shownFolder: String { "\"\(EscapedText.percentEscaped(folder.bytes))\"" }

  private var tour: String {
    """

    Look at:
      \(shown("Gallery/index.html"))   the pictures, in a browser
      \(shown("report.html"))          what was allowed, read and removed, in a browser
      \(shown("Library/Originals"))    the files, named by their labels
      \(shown("demo.json"))            the manifest, which says what may be read and why

    The camera was allowed: its photos came in without place, camera or names.
    The photo library was allowed in part: five files; the run could not open the others.
    The microphone was not allowed: its folder was never looked at.

    Your own photos:  mediabatch init FOLDER
    Remove all this:  rm -r \(ShellWord.quoted(EscapedText.percentEscaped(folder.bytes)))
    """
  }

  // MARK: - Media

  /// Copies manifest, labels and media; a file that is there stays.
  private func copyMedia() throws {
    let from = try source()
    try FileSystem.makeFolder(in: FileSystem.openPath([UInt8.dot]), folder.bytes)
    let to = try FileSystem.openFolder(folder.bytes)
    let isMade = (try? FileSystem.status(in: to, name: Array("demo.json".utf8))) != nil
    guard try isMade || FileSystem.entries(of: to).isEmpty else {
      throw CommandFailure(
        "\(shownFolder) is not empty, and no demo has made it. Nothing was made: name a new folder."
      )
    }
    for name in ["labels.csv", "demo.json"] {
      let bytes = try FileSystem.readSmallFile(from.path + [UInt8.slash] + Array(name.utf8), limit: 1 << 20)
      // In a checkout the library lies beside the folder of the manifest.
      let text = String(decoding: bytes, as: UTF8.self).replacing("../demo-output/Library", with: "Library")
      try newFile(in: to, Array(name.utf8))?.write(Array(text.utf8))
    }
    let name = Array("media".utf8)
    try copy(
      FileSystem.openForReading(beneath: from, name, crossMounts: true, isFolder: true),
      into: FileSystem.openOrMakeFolder(in: to, name, crossMounts: true)
    )
  }

  /// The folder of the pictures: the one that was named, or that below the prefix of the program.
  private func source() throws -> Descriptor {
    if let media { return try FileSystem.openFolder(media.bytes) }
    let installed =
      try WorkerProcess.ownFile().split(separator: UInt8.slash).dropLast(2)
      .flatMap { [UInt8.slash] + $0 } + Array("/share/mediabatch/demo".utf8)
    guard let folder = try? FileSystem.openFolder(installed) else {
      throw CommandFailure(
        "The pictures of the demo are not in \"\(EscapedText.percentEscaped(installed))\". Install the whole "
          + "program, or name the folder Manifests of its source code with --media.",
        .sourceUnavailable
      )
    }
    return folder
  }

  private func copy(_ from: Descriptor, into to: Descriptor) throws {
    for entry in try FileSystem.entries(of: from) {
      let original = try FileSystem.openForReading(beneath: from, entry.name, crossMounts: true)
      if try original.status().kind == .folder {
        try copy(original, into: FileSystem.openOrMakeFolder(in: to, entry.name, crossMounts: true))
      } else if let copy = try newFile(in: to, entry.name) {
        _ = try FileSystem.copy(original, to: copy)
      }
    }
  }

  /// A file that was made by this call; nil where there is one.
  private func newFile(in folder: Descriptor, _ name: [UInt8]) throws(FileSystemError) -> Descriptor? {
    do {
      return try FileSystem.createFile(in: folder, name)
    } catch {
      guard error.errno == EEXIST else { throw error }
      return nil
    }
  }
}
