internal import ArgumentParser
internal import MediaLibrary
internal import MediaModel
internal import MediaPredicate
internal import MediaReports

struct ListCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the assets of a library.",
    discussion: """
      The newest come first, and those without a date last. The library is only read.

      EXAMPLES
        mediabatch list Library --where 'mediaType == video AND duration > 60'
        mediabatch list Library --album Favorites --format csv
        mediabatch list Library --selection selection-12.txt

      Assets of one moment are sorted by name. The command takes no lock: an import can go on meanwhile. It exits \
      with 64 when the library has no such album or --id, and with 3 when it lacks an asset of --selection, or the \
      selection is empty. Nothing found is no error.

      EXAMPLES
        mediabatch list Library --sort pixelWidth:descending --limit 20
        mediabatch list Library --selection selection-12.txt --format lightroom
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = [
    SelectionOptions.rule,
    "--id does not combine with --selection.", "--limit takes a number from 0.",
    "--whole-stacks does not combine with --covers.",
  ]

  @OptionGroup var library: LibraryArgument

  @OptionGroup var options: SelectionOptions

  @OptionGroup var stacks: StackOptions

  @OptionGroup var sorting: SortOptions

  @Option(help: ArgumentHelp("Show at most this many; 0 shows all.", valueName: "n"))
  var limit = 0

  @Option(
    help: .rare(
      "Only the asset with this localIdentifier, hidden or not; may be repeated.",
      valueName: "identifier"
    )
  )
  var id: [String] = []

  @Option(help: ListingFormat.help)
  var format = ListingFormat.table

  func run() throws {
    var query = try options.query()
    query.limit = limit
    query.identifiers = id.isEmpty ? nil : id
    try sorting.apply(to: &query)
    let path = library.bytes
    var missing: [String] = []
    var isWhole = true
    try Console.endingOnError {
      let reader = try CatalogueReader(library: path)
      try reader.readPrivateFactsIfAllowed()
      isWhole = try options.narrow(&query, in: reader, takesStacks: stacks.wholeStacks)
      let chosen = try reader.select(query)
      Console.note(chosen.notes(query))
      let selection = try stacks.wholeStacks ? reader.select(reader.wholeStacks(of: query)) : chosen
      let sink = Console.sink(for: format)
      var listing = AssetListing(format, library: path, to: sink)
      var identifiers: Set<String> = []
      if format.hasPathsAlone, id.isEmpty {
        try reader.forEachPaths(of: selection, making: listing.entryOfPaths) { listing.add($0) }
      } else {
        let (parts, entry) = (listing.parts, listing.entry)
        try reader.forEachEntry(of: selection, reading: parts, making: { ($0.localIdentifier, entry($0)) }) {
          made in
          if !id.isEmpty { identifiers.insert(made.0) }
          listing.add(made.1)
        }
      }
      try listing.finish()
      guard options.predicate == nil, options.album == nil, limit == 0 else { return }
      missing += id.filter { !identifiers.contains($0) }.map {
        "The library has no asset \"\(EscapedText.printable($0))\"."
      }
    }
    Console.note(missing)
    if !missing.isEmpty { try RunExitCode.usage.exit() }
    if !isWhole { try RunExitCode.itemsFailed.exit() }
  }
}

extension ListingFormat: ExpressibleByArgument {
  static var help: ArgumentHelp {
    ArgumentHelp(
      "How to print them.",
      details: """
        paths and paths0 print the files' paths, each behind a newline or a null byte; lightroom prints the names of \
        the sources' files in one line, for a filter of Lightroom or Capture One.
        """
    )
  }
}

/// The option of commands that take a selection to what belongs to it.
struct StackOptions: ParsableArguments {
  @Flag(help: .rare("With each asset take its whole stack, such as the raw file of a JPEG."))
  var wholeStacks = false
}
