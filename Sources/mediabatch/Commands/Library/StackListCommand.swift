internal import ArgumentParser
internal import MediaLibrary
internal import MediaModel
internal import MediaReports

struct StackListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the stacks of a library: assets that are seen as one.",
    discussion: """
      A run stacks one picture in several formats (RAW, HEIC, JPEG), an edited rendition with its \
      original, and the pictures of a burst, within a folder of a source. Formats whose times of capture \
      are stored and differ by more than 2 s are not stacked. What could be stacked in several ways stays \
      apart: `--ambiguous` shows it, and `mediabatch stack add` decides. The library is only read. With \
      paths and paths0 the covers' files are printed.

      EXAMPLES
        mediabatch stack list Library
        mediabatch stack list Library --ambiguous --format json
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
        Console.note(
          "Stripped assets have no stored time of capture, so theirs was not compared: the names decided."
        )
      }
      var listing = StackListing(format, library: path, to: Console.sink(for: format))
      try reader.forEachStack(ambiguous: ambiguous) { listing.add($0, $1) }
      try listing.finish()
    }
  }
}
