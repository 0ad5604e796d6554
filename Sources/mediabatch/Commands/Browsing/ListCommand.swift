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
      Newest first, what is of one moment by name; undated assets come last. The \
      library is only read, no lock is taken, and a run may go on meanwhile. A predicate is of the form \
      that PhotoKit's fetch options take. Exits with 64 when an identifier of \
      --id or an album is not in the library, and with 3 when one of --selection is not, or it has none; \
      nothing found is no error.

      EXAMPLES
        mediabatch list Library --where 'mediaType == video AND duration > 60' --limit 20
        mediabatch list Library --album Favorites --sort pixelWidth:descending --format csv
        mediabatch list Library --selection selection-12.txt
        mediabatch list Library --selection selection-12.txt --whole-stacks --format lightroom
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

  @Option(help: ArgumentHelp("Only the first so many; 0 sets no limit.", valueName: "n"))
  var limit = 0

  @Option(
    help: ArgumentHelp(
      "Only the asset of this localIdentifier, hidden or not; may be repeated.",
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
        try reader.forEachPath(of: selection) { listing.add(path: $0) }
      } else {
        try reader.forEachAsset(of: selection) { asset in
          if !id.isEmpty { identifiers.insert(asset.localIdentifier) }
          listing.add(asset)
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
  static let help: ArgumentHelp = """
    How to print them: table, json, ndjson, csv, paths, paths0, or lightroom (the names of the sources' files in one \
    line, for a filter of Lightroom or Capture One).
    """
}

/// The option of commands that take a selection to what belongs to it.
struct StackOptions: ParsableArguments {
  @Flag(help: "With each asset take all of its stack, such as the raw file behind a JPEG.")
  var wholeStacks = false
}
