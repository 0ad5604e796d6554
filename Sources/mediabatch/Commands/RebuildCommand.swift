internal import ArgumentParser
internal import MediaMaintenance
internal import MediaModel
internal import MediaPipeline
internal import MediaSyntax

struct RebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Make the catalogue again, from the files and the log.",
    discussion: """
      The old catalogue is kept. No source is opened, and no file of the library is changed.

      EXAMPLES
        mediabatch rebuild Library
        mediabatch rebuild Library --format json

      What the old catalogue had and the new one lacks is named. The command exits with 65 when an original is missing \
      or damaged, a file is not in the log, or the log is damaged.
      """
  )

  @OptionGroup var library: LibraryArgument

  @Flag(help: .rare("Wait while a run holds the library."))
  var wait = false

  @Option(help: Enforcement.help)
  var enforcement = Enforcement.kernel

  @OptionGroup var key: AuditKeyOptions

  @Option(help: "How to print the result.")
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
      RebuildText.lines(rebuild) + EndedLogText.lines(rebuild.log, library: library.bytes)
    )
    try rebuild.exitCode.exit()
  }
}
