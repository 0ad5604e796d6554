internal import ArgumentParser
internal import MediaLibrary
internal import MediaModel
internal import MediaReports

struct StackListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the stacks of a library.",
    discussion: """
      A stack is one picture in several formats, a picture and its edited version, or a burst.

      EXAMPLES
        mediabatch stack list Library
        mediabatch stack list Library --ambiguous --format json

      A run stacks files of one folder. Formats whose stored times of capture differ by more than 2 s are not stacked. \
      What could be stacked in several ways stays apart: `--ambiguous` shows it, and `mediabatch stack add` decides. \
      With paths and paths0 the covers' files are printed. The library is only read.
      """
  )

  @OptionGroup var library: LibraryArgument

  @Flag(help: "Show the files that could be stacked in several ways.")
  var ambiguous = false

  @Option(help: ListingFormat.help)
  var format = ListingFormat.table

  func run() throws {
    let path = library.bytes
    try Console.endingOnError {
      let reader = try CatalogueReader(library: path)
      if try reader.hasAssetsWithoutTime() {
        Console.note("Stripped assets have no stored time of capture, so only their names were compared.")
      }
      var listing = StackListing(format, library: path, to: Console.sink(for: format))
      try reader.forEachStack(ambiguous: ambiguous) { listing.add($0, $1) }
      try listing.finish()
    }
  }
}
