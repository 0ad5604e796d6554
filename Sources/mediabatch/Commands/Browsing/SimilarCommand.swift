internal import ArgumentParser
internal import MediaExport
internal import MediaLibrary
internal import MediaModel
internal import MediaReports

struct SimilarCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "similar",
    abstract: "Find pictures that look alike, and decide about them.",
    discussion: """
      Nothing is changed without --act or --keep. What is not kept goes to the folder Quarantine.

      EXAMPLES
        mediabatch similar Library
        mediabatch similar Library --act --web
        mediabatch similar Library --within 0 --keep best --dry-run

      Pictures are compared by a perceptual hash of 64 bits, which a run makes with the thumbnails; for a picture \
      without one, a confined worker makes it for this command alone. A group has its best picture first, and then \
      those that differ from it in at most --within bits: "exact" where no bit differs, then "near". Copies that are \
      mirrored, or turned by 90, 180 or 270 degrees, are found too and marked. Copies of which much was cropped are \
      not found, and pictures of nearly one color are never alike.

      \(ComparedPicture.rule)

      --act asks about each group at the terminal, or with --web on a page: keep the best, stack, withdraw, not the \
      same, or leave. "Not the same" is remembered: only --again shows these pictures together again. Nothing is \
      changed before the last answer. --keep best keeps the best of each group without asking. Pictures in one stack \
      with the best are kept too.

      Exits with 3 when no hash of a picture could be made, or the library lacks an asset of --selection; they are \
      named and left out. --act and --keep also exit with 64 where there is no terminal, with 65 when a file to be \
      kept or moved is missing, and with 73 while a run holds the library.

      EXAMPLES
        mediabatch similar Library --act
        mediabatch similar Library --within 0 --format json
        mediabatch similar Library --where 'creationDate >= 2026-01-01' --within 4
      """ + rules.paragraph
  )

  static let rules: [OptionRule] =
    [
      "--within takes a number from 0 to 10.", "--act does not combine with --keep.",
      OptionRule("--act and --keep go with --format table or json.", isDefault: true),
      "--web goes with --act.", "--dry-run goes with --keep.",
    ] + PageOptions.rules + [SelectionOptions.rule]

  @OptionGroup var library: LibraryArgument

  @OptionGroup var options: SelectionOptions

  @Option(
    help: ArgumentHelp("How much pictures of a group may differ, from 0 to 10 bits.", valueName: "bits")
  )
  var within = 8

  @Flag(help: .rare("Do not look for turned and mirrored copies."))
  var upright = false

  @Flag(help: .rare("Also show pictures that somebody said are not the same."))
  var again = false

  @Option(help: ListingFormat.help)
  var format = ListingFormat.table

  @Flag(help: "Ask what becomes of each group.")
  var act = false

  @OptionGroup var page: PageOptions

  @Option(help: "Keep the best of each group, and withdraw the others.")
  var keep: KeptPicture?

  @Flag(help: "Say what --keep would do, and change nothing.")
  var dryRun = false

  @OptionGroup var holding: HoldOptions

  func run() throws {
    if act || keep != nil { try HoldOptions.requireNoShard(library) }
    var query = try options.query()
    let path = library.bytes
    var failures: [String] = []
    var isWhole = true
    var asked = SimilarAsked()
    try Console.endingOnError {
      let reader = try CatalogueReader(library: path)
      try reader.readPrivateFactsIfAllowed()
      isWhole = try options.narrow(&query, in: reader)
      // The order is that of the groups.
      query.sortDescriptors = []
      let selection = try reader.select(query)
      Console.note(selection.notes(query))
      var search = SimilarSearch(
        path,
        reader,
        selection,
        within: within,
        looksForTurned: !upright,
        isAgain: again
      )
      let groups = try search.groups()
      failures = search.failures
      if act || keep != nil {
        asked = try SimilarAsked(groups, of: selection, reader, needsThumbnails: page.web)
      } else {
        var listing = SimilarListing(format, library: path, to: Console.sink(for: format))
        try list(groups, of: selection, reader, in: &listing)
        try listing.finish()
      }
    }
    Console.note(
      failures,
      others: { "\(Quantity.text($0, "more picture")) left out, having no hash." }
    ) { $0 }
    if act || keep != nil { try decide(about: asked) }
    if !failures.isEmpty || !isWhole { try RunExitCode.itemsFailed.exit() }
  }

  /// Writes the groups, whose assets are read many at a time.
  private func list(
    _ groups: [SimilarSearch.Group],
    of selection: AssetSelection,
    _ reader: CatalogueReader,
    in listing: inout SimilarListing
  ) throws {
    try SimilarSearch.forEach(groups, of: selection, reader) { group, assets in
      listing.add(
        assets.map { member, asset in (asset: asset, distance: member.distance, turn: member.turn) },
        isExact: group.isExact
      )
    }
  }
}

/// What `similar --keep` keeps of each group.
enum KeptPicture: String, ExpressibleByArgument, CaseIterable {
  case best
}
