internal import ArgumentParser
internal import MediaMaintenance
internal import MediaModel
internal import MediaPipeline
internal import MediaSyntax

struct RebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Make a catalogue anew from folders and log.",
    discussion: """
      The catalogue of before is kept under a name of its own, and what the new one does not have of \
      it is said. No source is opened and no published file is touched. Exits with 65 when an \
      original is missing or damaged, a file is not in the log, or the log is not whole.

      EXAMPLES
        mediabatch rebuild Library
        mediabatch rebuild Library --format json
      """
  )

  @OptionGroup var library: LibraryArgument

  @Flag(help: "Wait while a run holds the library.")
  var wait = false

  @Option(help: "kernel, or process: read the library's files with the program's own checks alone.")
  var enforcement = Enforcement.kernel

  @OptionGroup var key: AuditKeyOptions

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    let rebuild = try Rebuild(
      library: library.bytes,
      waits: wait,
      enforcement: enforcement,
      signer: key.signer()
    )
    Console.note(rebuild.problems)
    format.print(
      RebuildText.object(rebuild),
      RebuildText.lines(rebuild) + EndedLogText.lines(rebuild.log, library: library.text)
    )
    try rebuild.exitCode.exit()
  }
}
