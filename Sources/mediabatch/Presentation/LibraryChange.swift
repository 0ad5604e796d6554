internal import MediaMaintenance
internal import MediaModel
internal import MediaReports
internal import MediaSyntax

extension Console {
  /// Writes the messages of problems for people.
  static func note(_ problems: [RunReport.Problem]) { note(problems.map(\.message)) }
}

/// What a command has done to a library without a run; all such commands end in the same way.
protocol LibraryChange {
  var log: EndedLog? { get }
  var problems: [RunReport.Problem] { get }
  var exitCode: RunExitCode { get }
}

extension AssetEdit: LibraryChange {}
extension Cleaning: LibraryChange {}
extension Repair: LibraryChange {}

extension LibraryChange {
  /// Prints the problems and the result, and exits.
  ///
  /// - Parameters:
  ///   - library: The library, for the line about the new head of its log.
  ///   - format: How the result is printed.
  ///   - object: The members of JSON that are the command's own.
  ///   - lines: The lines of text that are the command's own.
  /// - Throws: The command's end.
  func end(
    _ library: LibraryArgument,
    _ format: OutputFormat,
    object: [String: JSONValue],
    lines: [String]
  ) throws {
    Console.note(problems)
    let members: [String: JSONValue] = [
      "exitCode": exitCode.json, "audit": EndedLogText.object(log),
      "problems": SummaryJSON.problems(problems),
    ]
    format.print(
      .object(members.merging(object) { $1 }),
      lines + EndedLogText.lines(log, library: library.bytes)
    )
    try exitCode.exit()
  }
}
