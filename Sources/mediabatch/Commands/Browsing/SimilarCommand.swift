internal import ArgumentParser
internal import MediaExport
internal import MediaLibrary
internal import MediaModel
internal import MediaReports

struct SimilarCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "similar",
    abstract: "Show what looks alike, and decide about it.",
    discussion: """
      Each picture has a perceptual hash of 64 bits, which a run makes together with thumbnails; for pictures \
      without one, confined workers make it for this command alone. A group begins with its best picture and has \
      all that differ from it in at most --within bits: "exact" where no bit differs, behind those "near". Copies \
      that are turned by 90, 180 or 270 degrees or mirrored are found too, and say so; one that is cropped by much \
      is not, and one that is nearly of one color is like no other.

      \(ComparedPicture.rule)

      Nothing is removed or changed without --act or --keep. --act walks the groups at the terminal, or with --web \
      on a page, and asks about each: keep the best, stack, withdraw, not the same (which is remembered: no group \
      has them together again, but with --again), or leave. Nothing is done before the last question is answered. \
      --keep best keeps the best of each group without asking, and --dry-run says what it would do. What is not \
      kept is withdrawn: its files are moved to Quarantine. A picture that is in one stack with the best stays.

      Exits with 3 when a picture has no hash and none could be made, or an identifier of --selection is not in \
      the library; it is named and left out. With --act or --keep also with 64 where there is no terminal, with 65 \
      when a file to be kept or moved is missing, with 73 while a run holds the library.

      EXAMPLES
        mediabatch similar Library
        mediabatch similar Library --within 0 --format json
        mediabatch similar Library --where 'creationDate >= 2026-01-01' --within 4
        mediabatch similar Library --act
        mediabatch similar Library --act --web
        mediabatch similar Library --within 0 --keep best --dry-run
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
    help: ArgumentHelp(
      "The most bits in which a picture may differ from the best of its group, 0 to 10.",
      valueName: "bits"
    )
  )
  var within = 8

  @Flag(help: "Do not look for turned and mirrored copies.")
  var upright = false

  @Flag(help: "Show also together what somebody said is not the same.")
  var again = false

  @Option(help: ListingFormat.help)
  var format = ListingFormat.table

  @Flag(help: "Ask at the terminal what becomes of each group.")
  var act = false

  @OptionGroup var page: PageOptions

  @Option(help: "best: keep the best of each group, and withdraw the others.")
  var keep: KeptPicture?

  @Flag(help: "Say what --keep would do, and do nothing.")
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
      others: { "\(Quantity.text($0, "more picture")) left out for want of a hash." }
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
