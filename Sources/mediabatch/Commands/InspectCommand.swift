internal import ArgumentParser
internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPipeline
internal import MediaSyntax

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "List metadata of files, and what strip would remove.",
    discussion: """
      It writes nothing.

      EXAMPLES
        mediabatch inspect photo.jpg
        mediabatch inspect photo.jpg --show-values
        mediabatch inspect --private Photos

      A confined worker reads each file. What is needed to show the picture is not listed. The command exits with 3 \
      when a file could not be inspected, and with 66 when one is not there.
      """
  )

  @Argument(help: "The files, or folders with files.", completion: .file())
  var files: [PathArgument]

  @Flag(help: "Print the values too, which may be private.")
  var showValues = false

  @Flag(
    name: .customLong("private"),
    help: "List only what is about people, places, devices and times."
  )
  var showsPrivateOnly = false

  @Option(
    help: .rare("What strip would keep, as in the manifest: copyright,location:coarse …"),
    transform: StripOptions.init(except:)
  )
  var except = StripOptions()

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  /// The files beneath a folder in the order of their paths; any other path itself, and a folder that
  /// cannot be listed, which is then said of it.
  private static func files(at path: [UInt8]) -> [[UInt8]] {
    guard (try? FileSystem.status(ofPath: path))?.kind == .folder else { return [path] }
    let start = path.last == .slash ? path : path + [UInt8.slash]
    var files: [[UInt8]] = []
    do {
      let root = try FileSystem.openFolder(path)
      try FileSystem.forEachFile(beneath: root, [UInt8.dot]) { file in
        // Without the "./" of the topmost folder.
        files.append(start + file.dropFirst(2))
      }
    } catch {
      return [path]
    }
    return files.sorted { $0.lexicographicallyPrecedes($1) }
  }

  func run() throws {
    let paths = files.map(\.bytes).flatMap(Self.files)
    let totals: InspectTotals
    var objects: [JSONValue] = []
    do {
      let inspection = try Inspection(
        paths,
        options: except,
        showsValues: showValues,
        isPrivateOnly: showsPrivateOnly
      )
      totals = try inspection.inspect { file in
        if let line = InspectText.problem(file) { Console.note(line) }
        switch format {
        case .text:
          if file.problem == nil { Console.write(InspectText.table(file)) }
        case .json: objects.append(InspectJSON.object(file))
        }
      }
    } catch {
      Console.note(error.description)
      return try error.exitCode.exit()
    }
    switch format {
    case .text:
      if totals.inspected > 0 { Console.output(InspectText.totals(totals)) }
    case .json: Console.output(InspectJSON.object(objects, totals, options: except))
    }
    try totals.exitCode.exit()
  }
}
