internal import ArgumentParser
internal import MediaExport
internal import MediaGallery
internal import MediaLibrary
internal import MediaModel
internal import MediaPredicate
internal import MediaSandbox
internal import MediaSyntax

struct GalleryCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Make a web site of a library's pictures.",
    discussion: """
      The site works from its folder and from any web server, and loads nothing from elsewhere. It shows \
      thumbnails; --originals includes the files themselves.

      EXAMPLES
        mediabatch gallery Library site --title 'Our summer' --where 'rating >= 4'
        mediabatch gallery Library site --album Favorites --originals --strip
        mediabatch gallery Library for-ann --choose 30

      The site has albums, months, a search, a viewer and favorites, and works without scripts too. It shows the cover \
      of each stack. Sizes that the library lacks are made into the site, by confined workers. Pictures are oldest \
      first if all were taken within seven days, else newest first; sorted by another key than the date, they have no \
      months.

      Made again, the site takes over what is unchanged; the earlier one stays until the new one is complete. The \
      library is only read, and its private facts only with `--private-facts`.

      EXAMPLES
        mediabatch gallery Library wedding --sort creationDate:ascending
        mediabatch gallery Library wedding --note 'Prints are ready in May.'
        mediabatch gallery Library chosen --selection selection-12.txt --originals
        mediabatch gallery Library for-ann --password-file password.txt
      """ + rules.paragraph
  )

  static let rules: [OptionRule] =
    [
      SelectionOptions.rule,
      "--columns takes a number from 1 to 50.",
      "--spacing takes a number from 0 to 100.",
      "--choose takes a number from 1 to 100000.",
      "--whole-stacks does not combine with --covers.",
      "--convert-video goes with --originals.",
      "--no-download-all goes with --originals.",
      "--people goes with --descriptions.",
    ] + StrippingOptions.rules + PasswordOptions.rules

  @OptionGroup var library: LibraryArgument

  @Argument(help: "The folder of the site.", completion: .directory)
  var folder: PathArgument

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var sorting: SortOptions

  @Option(help: ArgumentHelp("The heading; by default the name of the folder.", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp("A text for the first page, of at most 1,000 characters.", valueName: "text"),
    transform: Self.note
  )
  var note: String?

  @Option(
    help: .rare("The picture on top: its localIdentifier, or a unique beginning of it.", valueName: "asset")
  )
  var cover: String?

  @Option(help: .rare("The arrangement of the pictures at first."))
  var grid = GalleryOptions.Grid.rows

  @Option(
    parsing: .unconditional,
    help: .rare("The number of pictures in a row; by default as many as fit.", valueName: "n")
  )
  var columns: Int?

  @Option(
    parsing: .unconditional,
    help: .rare("The pixels between pictures; by default more in a wider window.", valueName: "n")
  )
  var spacing: Int?

  @Option(help: .rare("The date by which pictures are put into months."))
  var months = GalleryOptions.Months.created

  @Flag(
    help: .rare(
      "Show all pictures of a stack, not only its cover.",
      details: "With --selection, also those that were not chosen."
    )
  )
  var wholeStacks = false

  @Flag(help: .rare("Let people choose pictures by hearts, on phones too."))
  var proofing = false

  @Option(
    // A negative number is no option.
    parsing: .unconditional,
    help: ArgumentHelp(
      "Ask people to choose this many pictures.",
      details: "It implies --proofing.",
      valueName: "n"
    )
  )
  var choose: Int?

  @Flag(help: "Include the files themselves, to be viewed and downloaded.")
  var originals = false

  @Flag(help: .rare("Leave out \"Download all\", whose zips take as much room as the files."))
  var noDownloadAll = false

  @Option(help: VideoConversion.help, transform: VideoConversion.init(text:))
  var convertVideo: VideoConversion?

  @Flag(help: "Show captions and keywords, and search them.")
  var descriptions = false

  @Flag(help: .rare("Also show keywords that name people.", details: FolderOptions.peopleDetails))
  var people = false

  @Flag(help: "Show numbers, not labels, and no albums made of folders.")
  var neutral = false

  @OptionGroup var stripping: StrippingOptions

  @OptionGroup var password: PasswordOptions

  @Option(
    help: PageTag.help(
      "The language of the pages.",
      details:
        "With scripts, a page is in the browser's own language where it is one of these. The default is English."
    ),
    transform: PageTag.init(text:)
  )
  var language: PageTag?

  @OptionGroup var copying: CopyOptions

  @OptionGroup var target: FolderOptions

  /// - Throws: ``OptionWordError`` for a text that is too long.
  private static func note(_ text: String) throws -> String {
    try (text.count <= GalleryOptions.longestNote ? text : nil).orThrow("it takes at most 1,000 characters.")
  }

  func run() throws {
    let password = try Console.endingOnError(self.password.read)
    var query = try selection.query()
    query.sortDescriptors = []
    try sorting.apply(to: &query)
    // What a client chose is shown whole.
    if !wholeStacks, selection.chosen == nil { query.showsCoversOnly = true }
    let paths = [library.bytes, folder.bytes]
    let method = copying.method
    try target.make(
      at: paths[1],
      from: paths[0],
      kind: "gallery",
      method: method,
      selection,
      takesStacks: wholeStacks,
      query
    ) { output, reader, chosen in
      try work(in: output, of: reader, chosen, password)
    }
  }

  /// Prepares what writes the gallery behind the confinement.
  private func work(
    in output: ExportFolder,
    of reader: CatalogueReader,
    _ chosen: AssetQuery,
    _ password: [UInt8]?
  ) throws -> FolderOptions.Work {
    let isWidened = wholeStacks && selection.chosen != nil
    let query = isWidened ? try reader.wholeStacks(of: chosen) : chosen
    let gallery = try LibraryGallery(
      of: reader,
      query,
      options: password.map { try seal(output, by: $0) } ?? self.options,
      cover: cover,
      strippedBy: stripping.policy
    )
    let plain = try gallery.state(of: choices(query))
    let state = plain.map { output.seal?.recipe($0) ?? $0 }
    let display = ProgressDisplay()
    // A library that has all sizes needs none.
    let areNeeded = convertVideo != nil || stripping.strip && originals
    let workers = try FolderOptions.workers(display, areNeeded: areNeeded)
    let rules = (try? workers.get())?.startRules ?? []
    let record = { try stripping.record(Self.self, of: query, reader, library) }
    return FolderOptions.Work(query: query, state: state, rules: rules, record: record) {
      var query = query
      if descriptions, !stripping.strip { query.shownKeys = [.caption, .keywords] }
      try Console.note(reader.select(query).notes(query))
      defer { display.clear() }
      let written = try gallery.write(
        to: output,
        workers: workers,
        filmHeight: convertVideo?.height,
        announceZIPs: { bytes, count in
          display.clear()
          noteZIPs(bytes, count)
        }
      )
      display.clear()
      if gallery.lacksDates, written.pictures > 0 { noteDates() }
      say(written, in: output)
      return FolderOptions.Filled(
        assets: written.pictures,
        lacking: written.lacking,
        members: members(output, written)
      )
    }
  }

  /// What the folder's content depends on, beside the library and what the pages say.
  private func choices(_ query: AssetQuery) -> String {
    "\(selection) \(query.rows ?? []) \(sorting) \(target.privateFacts) \(copying.method) "
      + "\(query.unstripped) \(wholeStacks) \(cover ?? "") \(convertVideo?.height ?? 0)"
  }

  /// Says what is not as in the library, and what is missing.
  private func say(_ written: LibraryGallery.Written, in output: ExportFolder) {
    FolderOptions.noteNotConverted(written.notConverted)
    FolderOptions.noteNotStripped(written.notStripped)
    FolderOptions.note(written.tooLong) { "The gallery leaves out \($0)" }
    notePictures(written.made, of: written.pictures)
    // The others are named.
    let unexplained = written.withoutThumbnail - written.made.bare.count
    if unexplained > 0 {
      Console.note("\(Quantity.text(unexplained, "asset", "has", "have")) no picture, only a name.")
    }
    noteUnplayed(written.unplayed)
    FolderOptions.notePlaces(output, stripping, otherwise: ", or leave out --originals")
  }

  /// Tells the person who makes the gallery, and not those who look at it.
  private func noteDates() {
    Console.note(
      "The dates of these pictures are not known, so they are in the order of their \(neutral ? "import" : "names"); "
        + "--sort gives another one. The dates of stripped pictures are kept by \"except\": [\"creationDate\"] in the "
        + "manifest, or by \"catalogue\": {\"privateFacts\": true} and --private-facts."
    )
  }

  /// Seals a folder by a password, and gives the choices with what opens it.
  private func seal(_ output: ExportFolder, by password: [UInt8]) throws -> GalleryOptions {
    let page = output.earlierContent(of: GalleryLock.page, limit: 1 << 20)
    let seal = try FolderSeal(password: password, page: page)
    output.seal = seal
    if originals {
      Console.note("With a password, files are downloaded one at a time: there is no \"Download all\".")
    }
    var options = self.options
    (options.lock, options.offersDownloadAll) = (seal.lock, false)
    return options
  }

  private func noteUnplayed(_ count: Int) {
    if count == 0 { return }
    Console.note(
      originals
        ? Quantity.text(count, "asset", "has", "have")
          + " videos that browsers do not play: --convert-video h264 converts them."
        : Quantity.text(count, "asset", "is", "are")
          + " video or sound, which the pages do not play: --originals includes the files."
    )
  }

  private func members(_ folder: ExportFolder, _ written: LibraryGallery.Written) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "places": JSONValue(folder.placed),
      "made": ["tiles": JSONValue(written.made.tiles), "views": JSONValue(written.made.views)],
      "notMade": FolderOptions.details(written.made.problems),
      "downloads": .array(
        written.downloads.map {
          ["path": .string($0.path), "bytes": .integer($0.bytes), "files": JSONValue($0.fileCount ?? 1)]
        }
      ),
    ]
    if folder.seal != nil { members["tooLong"] = FolderOptions.details(written.tooLong) }
    if convertVideo != nil { members["notConverted"] = FolderOptions.details(written.notConverted) }
    if stripping.strip { members["notStripped"] = FolderOptions.details(written.notStripped) }
    return members
  }

  /// Says how much room is needed, before it is taken.
  private func noteZIPs(_ bytes: Int64, _ count: Int) {
    Console.note(
      "\"Download all\" takes \(ByteCount.text(bytes)) for \(Quantity.text(count, "new zip")); --no-download-all "
        + "leaves it out."
    )
  }

  private func notePictures(_ pictures: MadePictures, of count: Int) {
    let made = [(pictures.tiles, "small picture", ""), (pictures.views, "picture", " of at most 1600 px")]
      .filter { $0.0 > 0 }.map { Quantity.text($0.0, $0.1) + $0.2 }
    if !made.isEmpty {
      let only = pictures.examples.count == 1 ? " of \"\(EscapedText.printable(pictures.examples[0]))\"" : ""
      Console.note(
        "Made \(Quantity.list(made))\(only), which the library lacks."
          // Single ones are of assets that no thumbnail is made of, or not yet.
          + (pictures.views * 2 > count
            ? " A run with \"thumbnails\" of that size in its manifest makes them once for all galleries."
            : "")
      )
    }
    for (isBare, noun) in [(true, "picture"), (false, "larger picture")] {
      FolderOptions.note(pictures.problems.filter { pictures.bare.contains($0.key) == isBare }) {
        "No \(noun) was made of \($0)"
      }
    }
  }

  private var options: GalleryOptions {
    let path = folder.bytes
    let name = path.split(separator: UInt8.slash).last.map { EscapedText.percentEscaped($0) }
    var options = GalleryOptions(title: title ?? name ?? "Gallery")
    options.grid = grid
    options.columns = columns
    options.spacing = spacing
    options.months = months
    options.note = note
    options.isProofing = proofing || choose != nil
    options.choiceCount = choose
    options.includesOriginals = originals
    // Links take no room, and are for this machine alone.
    options.offersDownloadAll = originals && !noDownloadAll && copying.method != .symlink
    options.includesDescriptions = descriptions
    options.tellsPeople = people
    options.isNeutral = neutral
    options.language = language ?? .english
    return options
  }
}

extension MissingCover: CommandError, CustomStringConvertible {
  var exitCode: RunExitCode { .usage }

  package var description: String {
    let prefix = EscapedText.printable(text)
    return count == 0
      ? "No picture of the gallery has an identifier that begins with \"\(prefix)\"."
      : "The identifiers of \(Quantity.text(count, "picture")) begin with \"\(prefix)\"."
  }
}

extension GalleryOptions.Grid: ExpressibleByArgument {}
extension GalleryOptions.Months: ExpressibleByArgument {}
