internal import ArgumentParser
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

struct CleanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove a library's superseded files now; a run does it when it starts.",
    discussion: "Finishes an interrupted run first. Each removed file gets a record in the log."
  )

  @Argument(help: "The library's folder.")
  var library: String

  @Flag(help: "Wait while a run holds the library.")
  var wait = false

  @OptionGroup var key: AuditKeyOptions

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    let cleaning = try Cleaning(
      library: [UInt8](library.utf8),
      waits: wait,
      signer: key.signer()
    )
    for problem in cleaning.problems { Console.note(problem.message) }
    switch format {
    case .json:
      Console.output([
        "schema": "mediabatch.clean/1",
        "exitCode": JSONValue(Int(cleaning.exitCode.rawValue)),
        "removed": .array(cleaning.removed.map { .string($0) }),
        "problems": SummaryJSON.problems(cleaning.problems),
      ])
    case .text:
      for path in cleaning.removed { Console.output("removed: \(path)") }
      if cleaning.exitCode == .success {
        let count = cleaning.removed.count
        Console.output("\(count) superseded file\(count == 1 ? "" : "s") removed.")
      }
    }
    try cleaning.exitCode.exit()
  }
}
