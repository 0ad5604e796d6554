internal import ArgumentParser
internal import MediaExport
internal import MediaLibrary
internal import MediaModel
internal import MediaReports

struct SimilarCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "similar",
    abstract: "Show pictures and films of a library that look alike.",
    discussion: """
      Each picture has a perceptual hash of 64 bits, which a run makes together with thumbnails; for pictures \
      without one, confined workers make it for this command alone. A group begins with its best picture (the \
      most pixels, then raw, then edited) and has all that differ from it in at most --within bits: "exact" \
      where no bit differs, behind those "near". A picture that is turned, mirrored or cropped by much is not \
      found, and one that is nearly of one color is like no other. Nothing is removed or changed. Exits with 3 \
      when a picture has no hash and none could be made, or an identifier of --selection is not in the library; \
      it is named and left out.

      EXAMPLES
        mediabatch similar Library
        mediabatch similar Library --within 0 --format json
        mediabatch similar Library --where 'creationDate >= 2026-01-01' --within 4
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = ["--within takes a number from 0 to 10."]

  @OptionGroup var library: LibraryArgument

  @OptionGroup var options: SelectionOptions

  @Option(
    help: ArgumentHelp(
      "The most bits in which a picture may differ from the best of its group, 0 to 10.",
      valueName: "bits"
    )
  )
  var within = 8

  @Option(help: "How to print them: table, json, ndjson, csv, paths or paths0.")
  var format = ListingFormat.table

  func run() throws {
    var query = try options.query()
    let path = library.bytes
    var failures: [String] = []
    var isWhole = true
    try Console.endingOnError {
      let reader = try CatalogueReader(library: path)
      try reader.readPrivateFactsIfAllowed()
      isWhole = try options.narrow(&query, in: reader)
      // The order is that of the groups.
      query.sortDescriptors = []
      let selection = try reader.select(query)
      Console.note(selection.notes(query))
      let selected = Set(selection.rows)
      var pictures = try reader.comparedPictures().filter { selected.contains($0.row) }
      failures = try makeHashes(of: &pictures, selection, reader)
      var listing = SimilarListing(format, library: path, to: Console.sink(for: format))
      try list(groups(of: pictures), of: selection, reader, in: &listing)
      try listing.finish()
    }
    Console.note(
      failures,
      others: { "\(Quantity.text($0, "more picture")) left out for want of a hash." }
    ) { $0 }
    if !failures.isEmpty || !isWhole { try RunExitCode.itemsFailed.exit() }
  }

  /// The pictures of a group, by the rows of their assets.
  private struct Group {
    var rows: [Int64]
    var distances: [Int]
    var isExact: Bool
  }

  /// The groups, those without a difference first.
  private func groups(of pictures: [ComparedPicture]) -> [Group] {
    let groups = [MediaType.image, .video].flatMap { type in
      let ranked = pictures.filter { $0.mediaType == type }.sorted { lhs, rhs in
        if lhs.pixels != rhs.pixels { return lhs.pixels > rhs.pixels }
        if lhs.isRaw != rhs.isRaw { return lhs.isRaw }
        return lhs.isEdited == rhs.isEdited ? lhs.row < rhs.row : lhs.isEdited
      }
      let similar = SimilarPictures(ranked.map { $0.hash ?? .plain })
      return similar.groups(within: within).map { group in
        Group(
          rows: group.members.map { ranked[$0].row },
          distances: group.distances,
          isExact: group.isExact
        )
      }
    }
    return groups.filter(\.isExact) + groups.filter { !$0.isExact }
  }

  /// Writes the groups, whose assets are read many at a time.
  private func list(
    _ groups: [Group],
    of selection: AssetSelection,
    _ reader: CatalogueReader,
    in listing: inout SimilarListing
  ) throws {
    var members = selection
    members.rows = groups.flatMap(\.rows)
    var distances: [Int64: Int] = [:]
    var numbers: [Int64: Int] = [:]
    for (number, group) in groups.enumerated() {
      for (row, distance) in zip(group.rows, group.distances) {
        (distances[row], numbers[row]) = (distance, number)
      }
    }
    var (current, assets): (Int, [(asset: ListedAsset, distance: Int)]) = (0, [])
    func write() {
      if !assets.isEmpty { listing.add(assets, isExact: groups[current].isExact) }
    }
    try reader.forEachAsset(of: members) { asset in
      guard let number = numbers[asset.row] else { return }
      if number != current {
        write()
        (current, assets) = (number, [])
      }
      assets.append((asset, distances[asset.row] ?? 0))
    }
    write()
  }

  /// Makes the hashes that no thumbnail has brought.
  ///
  /// - Returns: A line for each picture of which none could be made.
  private func makeHashes(
    of pictures: inout [ComparedPicture],
    _ selection: AssetSelection,
    _ reader: CatalogueReader
  ) throws -> [String] {
    var missing = selection
    missing.rows = pictures.filter { $0.hash == nil }.map(\.row)
    if missing.rows.isEmpty { return [] }
    let count = missing.rows.count
    Console.note(
      "\(Quantity.text(count, "picture")) without a hash: confined workers make \(count == 1 ? "it" : "them") "
        + "for this command alone. A run that makes a thumbnail stores the hash."
    )
    var hashes: [Int64: PerceptualHash] = [:]
    var failures: [(row: Int64, line: String)] = []
    let hashing = try PictureHashing(library.bytes, try ExportWorkers()) { answer in
      let asset = answer.asset
      hashes[asset.row] = answer.hash
      guard let problem = answer.problem else { return }
      let name = "\"\(EscapedText.printable(asset.label))\" (\(asset.localIdentifier))"
      failures.append((asset.row, "\(name) has no hash and is left out: \(problem)."))
    }
    try reader.forEachAsset(of: missing, readsThumbnails: true) { try hashing.add($0) }
    try hashing.finishAll()
    for index in pictures.indices {
      pictures[index].hash = pictures[index].hash ?? hashes[pictures[index].row]
    }
    return failures.sorted { $0.row < $1.row }.map(\.line)
  }
}
