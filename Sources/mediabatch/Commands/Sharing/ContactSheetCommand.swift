internal import ArgumentParser
internal import MediaExport
internal import MediaLibrary
internal import MediaModel
internal import MediaReports
internal import MediaSandbox
internal import MediaSyntax

struct ContactSheetCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "contact-sheet",
    abstract: "Make pages of small pictures, to print or to send.",
    discussion: """
      The pages are JPEGs; --pdf makes a PDF of all of them too.

      EXAMPLES
        mediabatch contact-sheet Library sheet --pdf
        mediabatch contact-sheet Library sheet --album Favorites --no-labels
        mediabatch contact-sheet Library sheet --columns 4 --size 400

      A page has at most 24 million pixels. It is drawn from the library's thumbnails, or from the originals where \
      these are too small. Pictures are oldest first if all were taken within seven days, else newest first. Made \
      again, the folder stays as it is if nothing is new. The library is only read, and its private facts only with \
      `--private-facts`.

      EXAMPLES
        mediabatch contact-sheet Library sheet --background '#000000'
        mediabatch contact-sheet Library sheet --selection selection-12.txt
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = [
    SelectionOptions.rule,
    "--columns takes a number from 1 to 100.",
    "--size takes a number from 16 to 4096.",
    "--spacing takes a number from 0 to 1000.",
  ]

  @OptionGroup var library: LibraryArgument

  @Argument(help: "The folder to make.", completion: .directory)
  var folder: PathArgument

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var sorting: SortOptions

  @Option(help: ArgumentHelp("The number of pictures in a row.", valueName: "n"))
  var columns = 6

  @Option(
    help: ArgumentHelp("The number of rows of a page; by default as many as fit A4.", valueName: "n")
  )
  var rows: Int?

  @Option(
    help: ArgumentHelp("The longer side of each picture, in pixels.", valueName: "pixels")
  )
  var size = 256

  @Option(help: .rare("The pixels between pictures.", valueName: "n"))
  var spacing = 16

  @Option(help: .rare("The color of the pages.", valueName: "#rrggbb"))
  var background: RGBColor = .white

  @Flag(inversion: .prefixedNo, help: "Write the label below each picture.")
  var labels = true

  @Flag(help: "Show numbers, not labels.")
  var neutral = false

  @Flag(help: "Also make a PDF of all pages.")
  var pdf = false

  @OptionGroup var target: FolderOptions

  func validate() throws {
    try checkRules()
    _ = try layout()
  }

  private func layout() throws -> ContactSheetLayout {
    guard
      let layout = ContactSheetLayout(
        columns: columns,
        rows: rows,
        side: size,
        spacing: spacing,
        hasLabels: labels
      )
    else {
      // A rule is about one number.
      throw ValidationError(
        "A page would have more than 24 million pixels, or no row: choose fewer --columns or --rows, or a "
          + "smaller --size."
      )
    }
    return layout
  }

  func run() throws {
    var query = try selection.query()
    try sorting.apply(to: &query)
    var options = ContactSheetOptions(layout: try layout())
    options.background = background
    options.makesPDF = pdf
    options.isNeutral = neutral
    let paths = [library.bytes, folder.bytes]
    try target.make(at: paths[1], from: paths[0], kind: "contact-sheet", selection, query) {
      output,
      reader,
      chosen in
      var query = chosen
      if sorting.sort.isEmpty {
        query.sortDescriptors = try reader.displayOrder(of: query, isNeutral: neutral)
      }
      let sheet = LibraryContactSheet(of: reader, query, options: options)
      let workers = try ExportWorkers()
      return FolderOptions.Work(
        query: query,
        state: try sheet.state(
          of:
            "\(selection) \(query.rows ?? []) \(sorting) \(target.privateFacts) \(query.unstripped)"
        ),
        rules: workers.startRules
      ) {
        try Console.note(reader.select(query).notes(query))
        let summary = try sheet.write(to: output, workers: workers)
        noteSummary(summary, output.damaged)
        return FolderOptions.Filled(
          assets: summary.assets,
          text: "on \(Quantity.text(summary.pages, "page"))",
          lacking: Dictionary(
            (summary.notDrawn + summary.notMade).map { ($0.path, $0.detail) },
            uniquingKeysWith: { $1 }
          ),
          members: [
            "pages": JSONValue(summary.pages),
            "withoutThumbnail": JSONValue(summary.withoutThumbnail),
            "made": JSONValue(summary.made),
            "notMade": summary.notMade.map { EscapedText.percentEscaped($0.path) }.json,
            "notDrawn": summary.notDrawn.map { EscapedText.percentEscaped($0.path) }.json,
          ]
        )
      }
    }
  }

  private func noteSummary(_ summary: LibraryContactSheet.Summary, _ damaged: [[UInt8]: String]) {
    for thumbnail in summary.notDrawn where damaged[thumbnail.path] == nil {
      Console.note(
        "\"\(EscapedText.percentEscaped(thumbnail.path))\" was not drawn: "
          + "\(FailureAdvice.explained(thumbnail.detail)). `mediabatch repair LIBRARY` repairs a damaged thumbnail."
      )
    }
    if summary.made > 0 {
      Console.note(
        "Made \(Quantity.text(summary.made, "picture")) of at most \(size) px for the pages, since the library "
          + "has no such thumbnails."
      )
    }
    for original in summary.notMade {
      Console.note(
        "No larger picture was made of \"\(EscapedText.percentEscaped(ItemPath(bytes: original.path).name))\": "
          + "\(FailureAdvice.explained(original.detail))."
      )
    }
    if summary.withoutThumbnail > 0 {
      Console.note(
        "\(Quantity.text(summary.withoutThumbnail, "asset")) without a thumbnail, shown by the label. A run "
          + "with \"thumbnails\" in its manifest makes thumbnails."
      )
    }
  }
}

extension RGBColor: ExpressibleByArgument {
  package init?(argument: String) {
    guard let color = RGBColor(text: argument) else { return nil }
    self = color
  }

  package var defaultValueDescription: String { text }
}
