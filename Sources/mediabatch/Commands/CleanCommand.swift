internal import ArgumentParser
internal import MediaMaintenance
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

struct CleanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove a library's superseded files now; a run does it when it starts.",
    discussion: """
      Finishes an interrupted run first. Each removed file gets a record in the log, whose new head is \
      printed; where there is nothing to do, the log stays as it is. Originals that a newer version has \
      replaced (onSourceChanged: replace) stay unless --replaced is given.

      EXAMPLES
        mediabatch clean Library
        mediabatch clean Library --replaced
      """
  )

  @Argument(help: "The library's folder.", completion: .directory)
  var library: PathArgument

  @Flag(help: "Also remove the originals that newer versions have replaced.")
  var replaced = false

  @Flag(help: "Wait while a run holds the library.")
  var wait = false

  @OptionGroup var key: AuditKeyOptions

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    let cleaning = try Cleaning(
      library: library.bytes,
      removesReplaced: replaced,
      waits: wait,
      signer: key.signer()
    )
    try cleaning.end(
      library,
      format,
      object: [
        "schema": "mediabatch.clean/1",
        "removed": .array(cleaning.removed.map { .string($0) }),
        "replaced": JSONValue(cleaning.replaced),
      ],
      lines: Self.lines(cleaning)
    )
  }

  private static func lines(_ cleaning: Cleaning) -> [String] {
    var lines = cleaning.removed.map { "removed: \($0)" }
    guard cleaning.exitCode == .success else { return lines }
    lines.append(Quantity.text(cleaning.removed.count, "superseded file") + " removed.")
    if cleaning.replaced > 0 {
      lines.append("Replaced originals that stay: \(cleaning.replaced); --replaced removes them.")
    }
    return lines
  }
}
