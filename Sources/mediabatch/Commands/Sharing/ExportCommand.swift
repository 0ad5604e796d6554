internal import ArgumentParser
internal import MediaAudit
internal import MediaExport
internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

extension MotionExport: ExpressibleByArgument {}

extension ExportLayout {
  /// - Throws: `OptionWordError` with the mistake in the template.
  fileprivate init(option text: String) throws {
    do {
      try self.init(text)
    } catch {
      throw OptionWordError(description: "\(error).")
    }
  }
}

extension ExportedThumbnail {
  /// - Throws: `OptionWordError` with what the option takes.
  init(option text: String) throws {
    let (minimum, maximum) = (Self.sides.lowerBound, Self.sides.upperBound)
    self = try ExportedThumbnail(text)
      .orThrow("it takes a name, or large:1600 with \(minimum) to \(maximum) pixels.")
  }
}

struct ExportCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy a library's files into a folder for others.",
    discussion: """
      The library stays as it is. Made again, the folder takes over what is unchanged.

      EXAMPLES
        mediabatch export Library for-ann --album Favorites --strip
        mediabatch export Library for-phones --where 'rating >= 4' --convert jpeg
        mediabatch export Library 2026 --layout '{created:yyyy/MM}/{label}'

      The layout is the path of a file without its extension. Its fields are {label}, {number} or {number:6}, \
      {album} (a folder of the source, or another album), {source}, and the dates {saved:yyyy-MM-dd} and \
      {created:yyyy-MM-dd} in any pattern of yyyy, MM, dd, HH, mm and ss. A raw file and its JPEG share a name and a \
      number. Where others would have the same name, (2), (3) … follow it.

      The earlier folder stays until the new one is complete. Private facts of the library are read only with \
      `--private-facts`.

      EXAMPLES
        mediabatch export Library for-ann --embed date,place,caption,keywords
        mediabatch export Library for-ann --selection selection-12.txt
        mediabatch export Stripped for-ann --selection s.txt --selected-in Library
        mediabatch export Library to-develop --album Raw --whole-stacks
        mediabatch export Library for-ann --strip --except copyright
        mediabatch export Library for-phones --convert-video h264:720
        mediabatch export Library small --thumbnails large --without-originals
        mediabatch export Library archive --bag --bag-organization 'Port Museum'
        mediabatch export Library crate --ro-crate --license CC-BY-4.0
      """ + rules.paragraph
  )

  static let rules: [OptionRule] =
    [
      SelectionOptions.rule,
      "--neutral does not combine with --original-extensions.",
      "--whole-stacks does not combine with --covers.",
      "--bag-organization and --bag-description go with --bag.",
      "--title and --license go with --ro-crate.",
      "--embed does not combine with --without-originals.",
      "--people goes with --embed or --sidecars.",
      "--convert-video does not combine with --embed, --sidecars and --without-originals.",
      "--without-originals goes with --thumbnails.",
      OptionRule(
        "--neutral leaves labels out, and a symbolic link has them: name another --as.",
        means: "--neutral does not combine with --as symlink."
      ),
      OptionRule(
        "A bag has its files, and no links to them: name another --as.",
        means: "--bag does not combine with --as symlink."
      ),
      OptionRule(
        "--embed changes copies of the files: name --as reflink or copy.",
        means: "--embed does not combine with --as hardlink or symlink."
      ),
    ] + StrippingOptions.rules

  /// The format to which pictures are converted.
  struct Conversion {
    var quality = 90

    /// - Throws: `OptionWordError` with what the option takes.
    init(text: String) throws {
      quality = try text.number(behind: "jpeg", default: quality, in: 1...100)
        .orThrow("it takes jpeg, or jpeg:90 with a quality from 1 to 100.")
    }
  }

  /// The facts that are written into copies, such as `date,place`.
  struct Embedding {
    var facts: [ExportedFact]

    /// - Throws: `OptionWordError` with the first word that is no fact, and the words that there are.
    init(text: String) throws {
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if let unknown = words.first(where: { ExportedFact(rawValue: $0) == nil }) {
        let allWords = ExportedFact.allCases.map(\.rawValue).joined(separator: ", ")
        let word = EscapedText.printable(unknown, limit: 40)
        throw OptionWordError(description: "\"\(word)\" is no fact; there are \(allWords).")
      }
      facts = ExportedFact.allCases.filter { words.contains($0.rawValue) }
    }
  }

  /// Files that lie beside the exported ones.
  enum Sidecars: String, CaseIterable, ExpressibleByArgument { case xmp }

  @OptionGroup var library: LibraryArgument

  @Argument(help: "The folder to make.", completion: .directory)
  var folder: PathArgument

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var stacks: StackOptions

  @Option(
    help: ArgumentHelp(
      "The path of each file, such as '{album}/{label}'.",
      details: "By default it is \(ExportLayout.standard).",
      valueName: "path"
    ),
    transform: ExportLayout.init(option:)
  )
  var layout: ExportLayout?

  @Option(
    name: .customLong("thumbnails"),
    help: .rare(
      "Include the thumbnails of this name, such as large; may be repeated.",
      details: """
        The name is that in the manifest. large:1600 takes those with 1600 pixels on the longer side, and makes for \
        the folder those that the library lacks.
        """,
      valueName: "name[:pixels]"
    ),
    transform: ExportedThumbnail.init(option:)
  )
  var thumbnails: [ExportedThumbnail] = []

  @Flag(help: .rare("Leave the files themselves out, and include only thumbnails."))
  var withoutOriginals = false

  @Flag(help: .rare("Keep the extensions of the sources' files, such as .insv for .mp4."))
  var originalExtensions = false

  @Option(help: "Write a sidecar beside each file, with what the library knows of it.")
  var sidecars: Sidecars?

  @Option(
    help: ArgumentHelp(
      "Convert pictures to JPEG: jpeg, or jpeg:90 with a quality from 1 to 100.",
      details: """
        They are upright and sRGB, and have no metadata except that of --embed. Pictures that are JPEGs already, \
        motion photos, videos and sound stay as they are in the library.
        """,
      valueName: "jpeg[:quality]"
    ),
    transform: Conversion.init(text:)
  )
  var convert: Conversion?

  @Option(help: VideoConversion.help, transform: VideoConversion.init(text:))
  var convertVideo: VideoConversion?

  @Option(
    help: .rare(
      "What becomes of motion photos.",
      details:
        "keep leaves them as they are; still removes the movie; split puts it into a file beside the picture."
    )
  )
  var motion = MotionExport.keep

  @Option(
    help: ArgumentHelp(
      "Write facts into the copies: date,place,caption,keywords,rating,copyright.",
      details: """
        They are what the library knows of each main file; copyright gives a converted picture the notice that its \
        file has. JPEG, PNG, WebP, TIFF, HEIC, AVIF, MP4, MOV and M4A files take them, also with --convert; files of \
        other formats get a sidecar, and are named. Private facts are written only with --private-facts.
        """,
      valueName: "facts"
    ),
    transform: Embedding.init(text:)
  )
  var embed: Embedding?

  @Flag(help: .rare("Also write keywords that name people.", details: FolderOptions.peopleDetails))
  var people = false

  @Flag(help: "Make the folder a bag, which archives can check (BagIt, RFC 8493).")
  var bag = false

  @Option(
    help: .rare("Who sends the bag (Source-Organization).", valueName: "text")
  )
  var bagOrganization: String?

  @Option(
    help: .rare("What is in the bag (External-Description).", valueName: "text")
  )
  var bagDescription: String?

  @Flag(help: .rare("Describe the folder as an RO-Crate, in ro-crate-metadata.json."))
  var roCrate = false

  @Option(
    help: .rare("The title of the crate; by default the folder's name.", valueName: "text")
  )
  var title: String?

  @Option(
    help: .rare("The license of the crate: an address, or text.", valueName: "text")
  )
  var license: String?

  @Flag(help: "Name the files by numbers, not by their labels.")
  var neutral = false

  @OptionGroup var stripping: StrippingOptions

  @OptionGroup var copying: CopyOptions

  @OptionGroup var target: FolderOptions

  func validate() throws {
    try checkRules()
    // No rule knows what is in a value, or in several values of one option.
    if neutral, layout?.namesAlbums == true {
      throw ValidationError("--neutral leaves names of albums out, and the layout has {album}.")
    }
    if let policy = stripping.policy, !policy.keeps(.creationDate), layout?.namesCreationDates == true {
      throw ValidationError(
        "--strip takes the date away, and the layout has {created}: name creationDate in --except, or another --layout."
      )
    }
    try stripping.check(embedding: embed?.facts ?? [])
    let names = Set(thumbnails.map(\.name))
    guard names.count == Set(thumbnails).count else {
      throw ValidationError("--thumbnails names one thumbnail with two sizes.")
    }
  }

  /// The choices of the person.
  private func exportOptions() throws -> ExportOptions {
    var options = ExportOptions(layout: try layout ?? ExportLayout(option: ExportLayout.standard))
    options.includesOriginals = !withoutOriginals
    for thumbnail in thumbnails where !options.thumbnails.contains(thumbnail) {
      options.thumbnails.append(thumbnail)
    }
    options.writesSidecars = sidecars != nil
    options.isNeutral = neutral
    options.policy = stripping.policy
    options.keepsExtensions = originalExtensions
    options.makesBag = bag
    options.bag = BagDescription(organization: bagOrganization ?? "", text: bagDescription ?? "")
    options.jpegQuality = convert?.quality
    options.filmHeight = convertVideo?.height
    options.motion = motion
    options.embeds = embed?.facts ?? []
    options.tellsPeople = people
    if roCrate {
      options.crate = CrateOptions(
        title: title ?? String(decoding: ItemPath(bytes: folder.bytes).name, as: UTF8.self),
        license: license ?? "Not stated: ask who has made this folder."
      )
    }
    return options
  }

  func run() throws {
    let query = try selection.query()
    let options = try exportOptions()
    let paths = [library.bytes, folder.bytes]
    let imports = roCrate ? try importRuns(paths[0]) : []
    let method = copying.method
    try target.make(
      at: paths[1],
      from: paths[0],
      kind: "export",
      method: method,
      selection,
      takesStacks: stacks.wholeStacks,
      query
    ) {
      output,
      reader,
      chosen in
      let query = stacks.wholeStacks ? try reader.wholeStacks(of: chosen) : chosen
      let export = LibraryExport(
        of: reader,
        query,
        options: options,
        readsPrivateFacts: target.privateFacts,
        imports: imports
      )
      let display = ProgressDisplay()
      let turns = try !withoutOriginals && reader.hasTurnedAssets()
      let workers = try self.workers(display, turns: turns)
      return FolderOptions.Work(
        query: query,
        state: try export.state(
          of: "\(selection) \(query.rows ?? []) \(target.privateFacts) \(method) \(query.unstripped)"
        ),
        rules: (try? workers?.get())?.startRules ?? [],
        record: { try stripping.record(Self.self, of: query, reader, library) }
      ) {
        // The order is the export's own.
        var chosen = chosen
        chosen.sortDescriptors = []
        try Console.note(reader.select(chosen).notes(chosen))
        defer { display.clear() }
        let summary = try export.write(to: output, workers: workers)
        display.clear()
        noteSummary(summary, keepsFiles: output.kept > 0)
        if !bag { FolderOptions.notePlaces(output, stripping) }
        return FolderOptions.Filled(
          assets: summary.assets,
          text: Self.text(output),
          lacking: summary.notConverted.merging(summary.notMade) { $1 }.merging(summary.notStripped) { $1 },
          members: members(of: summary, output)
        )
      }
    }
  }

  /// The workers that the options may need, which show how far films have come; nil for none.
  ///
  /// - Throws: `ExportError` where they are needed in any case, and there are none.
  private func workers(
    _ display: ProgressDisplay,
    turns: Bool
  ) throws(ExportError) -> Result<ExportWorkers, ExportError>? {
    let needsAny =
      convert != nil || convertVideo != nil || embed != nil || stripping.strip && !withoutOriginals
    // Where nothing can confine them, sidecars of the library are as they are, and one that has all thumbnails
    // needs none.
    if !needsAny, !turns, sidecars == nil, thumbnails.isEmpty { return nil }
    return try FolderOptions.workers(display, areNeeded: needsAny)
  }

  /// The imports of a library, as its log begins them; those of a merged one are its shards.
  private func importRuns(_ library: [UInt8]) throws -> [ImportRun] {
    try Console.endingOnError {
      let log = try LibraryLog(library: library) { _ in }
      return try log.openings().compactMap { entry in
        guard let opening = entry.opening, let time = entry.time,
          opening.manifestSHA256 != AuditOpening.noManifestSHA256
        else { return nil }
        return ImportRun(
          identifier: entry.run,
          started: time,
          client: opening.clientIdentifier,
          clientName: opening.clientName,
          tool: opening.tool
        )
      }
    }
  }

  /// Tells the files of the folder apart by their kinds.
  private static func text(_ output: ExportFolder) -> String {
    let kinds = AddedKind.allCases.compactMap { kind in
      output.addedKinds[kind].map { Quantity.text($0, kind == .film ? "video" : kind.rawValue) }
    }
    return (kinds.isEmpty ? "0 files" : Quantity.list(kinds)) + " added, "
      + "\(Quantity.grouped(output.kept)) unchanged"
  }

  private func members(
    of summary: LibraryExport.Summary,
    _ output: ExportFolder
  ) -> [String: JSONValue] {
    let kinds = AddedKind.allCases.map { ($0.rawValue, JSONValue(output.addedKinds[$0] ?? 0)) }
    var members = [
      "originalNames": JSONValue(summary.originalNames), "places": JSONValue(output.placed),
      "added": .object(Dictionary(uniqueKeysWithValues: kinds)),
    ]
    if convert != nil || convertVideo != nil {
      members["converted"] = JSONValue(summary.pictures + summary.films)
      members["notConverted"] = FolderOptions.details(summary.notConverted)
    }
    if stripping.strip {
      members["stripped"] = JSONValue(summary.stripped)
      members["notStripped"] = FolderOptions.details(summary.notStripped)
    }
    if !thumbnails.isEmpty {
      members["made"] = JSONValue(summary.thumbnailsMade)
      members["notMade"] = FolderOptions.details(summary.notMade)
    }
    if embed != nil || !summary.besides.isEmpty {
      members["besides"] = FolderOptions.details(summary.besides)
    }
    if sidecars != nil {
      members["notCompleted"] = FolderOptions.details(summary.notCompleted)
    }
    return members
  }

  private func noteSummary(_ summary: LibraryExport.Summary, keepsFiles: Bool) {
    if convert != nil {
      Console.note("Converted \(Quantity.text(summary.pictures, "picture")) to JPEG.")
    }
    if convertVideo != nil {
      Console.note("Converted \(Quantity.text(summary.films, "video")) to H.264.")
    }
    if stripping.strip {
      Console.note(
        summary.stripped == 0 && keepsFiles
          ? "The files are stripped, as before." : "Stripped \(Quantity.text(summary.stripped, "file"))."
      )
    }
    FolderOptions.noteNotStripped(summary.notStripped)
    FolderOptions.noteNotConverted(summary.notConverted)
    Console.note(
      FolderOptions.sorted(summary.besides),
      others: { "The facts of \(Quantity.text($0, "more file")) are in sidecars." }
    ) { file in
      "The facts of \"\(file.path)\" are in a sidecar beside it: \(file.detail)."
    }
    Console.note(
      FolderOptions.sorted(summary.notCompleted),
      others: { "\(Quantity.text($0, "more sidecar")) could not be completed." }
    ) { file in
      "The sidecar \"\(file.path)\" is as it is in the library, and could not be completed: \(file.detail)."
    }
    if summary.thumbnailsMade > 0 {
      Console.note("Made \(Quantity.text(summary.thumbnailsMade, "thumbnail")), which the library lacks.")
    }
    FolderOptions.note(summary.notMade) { "No thumbnail was made of \($0)" }
    if summary.originalNames > 0, layout == nil, !bag {
      Console.note(
        "\(Quantity.text(summary.originalNames, "file", "has", "have")) the name of the source's file; --neutral gives "
          + "numbers."
      )
    }
    if summary.lacksAlbums {
      Console.note(
        "None of the assets is in an album. With \"albums\": {\"fromFolders\": true} in the manifest the next run "
          + "makes albums of folders."
      )
    }
    if summary.undated > 0 {
      Console.note(
        "\(Quantity.text(summary.undated, "asset", "is", "are")) in \"undated\", having no known date. Dates of "
          + "stripped pictures are in the private facts, if the library has them (--private-facts)."
      )
    }
    if summary.withoutThumbnail > 0 {
      Console.note(
        "\(Quantity.text(summary.withoutThumbnail, "asset", "has", "have")) no such thumbnail. --thumbnails NAME:1600 "
          + "makes it for the folder; a run with \"thumbnails\" in its manifest makes it for the library."
      )
    }
  }
}
