internal import ArgumentParser
internal import Glibc
internal import MediaModel
internal import MediaPipeline

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "List what files say about themselves, and what strip would remove.",
    discussion: """
      A confined worker reads each file; nothing is written. What is needed to show the picture is \
      not listed. Exits with 3 when a file could not be inspected, 66 when one is not there.
      """
  )

  @Argument(help: "Photos to look into.")
  var files: [String]

  @Flag(help: "Print the values too; they are private.")
  var showValues = false

  @Option(
    help: "What strip would keep, as in the manifest: copyright,location:coarse …",
    transform: { try StripOptions(except: $0) }
  )
  var except = StripOptions()

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    let paths = ArgumentBytes.bytes(of: files)
    var totals = InspectTotals()
    var objects: [JSONValue] = []
    do {
      let inspection = try Inspection(paths, options: except, showsValues: showValues)
      try inspection.inspect { file in
        totals.add(file)
        if let line = InspectText.problem(file) { Console.note(line) }
        switch format {
        case .text:
          if file.problem == nil { Console.write(InspectText.table(file), to: STDOUT_FILENO) }
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

/// What all files together come to.
struct InspectTotals {
  private(set) var files = 0
  private(set) var inspected = 0
  private(set) var entries = 0
  private(set) var removed = 0
  private(set) var exitCode = RunExitCode.success

  mutating func add(_ file: InspectedFile) {
    files += 1
    entries += file.entries.count
    removed += file.removedCount
    guard let problem = file.problem else {
      inspected += 1
      return
    }
    if problem.isMissing {
      exitCode = .sourceUnavailable
    } else if exitCode == .success {
      exitCode = .itemsFailed
    }
  }
}
