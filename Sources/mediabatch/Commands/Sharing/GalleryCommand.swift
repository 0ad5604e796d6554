internal import ArgumentParser
internal import MediaExport
internal import MediaGallery
internal import MediaLibrary
internal import MediaModel
internal import MediaSandbox
internal import MediaSyntax

struct GalleryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Make a web site of a library's pictures, for a browser.",
    discussion: """
      The site works from its folder without a server, from any web server, and without scripts. It has \
      months, albums, a search and a viewer, asks for nothing outside its folder, and has thumbnails alone \
      unless `--originals` is given. Sizes that the library lacks are made of its originals by confined \
      workers, into this folder. Made again, it takes over what is unchanged; until it is whole the \
      earlier one stays. The library is only read, and its private facts only with `--private-facts`.

      EXAMPLES
        mediabatch gallery Library ~/public/photos --title 'Our summer' --where 'rating >= 4'
        mediabatch gallery Library site --album Favorites --originals
        mediabatch gallery Library chosen --selection selection-12.txt --originals
      """
  )

  @Argument(help: "The library's folder.", completion: .directory)
  var library: PathArgument

  @Argument(help: "The folder of the site.", completion: .directory)
  var folder: PathArgument

  @OptionGroup var selection: SelectionOptions

  @Option(help: ArgumentHelp("The heading; by default the name of the folder.", valueName: "text"))
  var title: String?

  @Option(help: "The arrangement of the pictures: squares or rows.")
  var grid = GalleryOptions.Grid.squares

  @Option(
    help: ArgumentHelp(
      "How many pictures stand beside each other; by default as many as there is room for.",
      valueName: "n"
    )
  )
  var columns: Int?

  @Option(help: ArgumentHelp("How many pixels lie between pictures.", valueName: "n"))
  var spacing = 2

  @Option(
    help: """
      The date that makes the months: created or saved. By default created, unless the library knows no \
      such date.
      """
  )
  var months: GalleryOptions.Months?

  @Flag(help: "Include the files themselves, to be shown and downloaded.")
  var originals = false

  @Flag(help: "Show captions and keywords, and search them.")
  var descriptions = false

  @Flag(help: "Show numbers in place of labels, and no albums of the sources' folders.")
  var neutral = false

  @OptionGroup var copying: CopyOptions

  @OptionGroup var target: FolderOptions

  func validate() throws {
    if let columns, !(1...50).contains(columns) {
      throw ValidationError("--columns takes a number from 1 to 50.")
    }
    if !(0...100).contains(spacing) {
      throw ValidationError("--spacing takes a number from 0 to 100.")
    }
  }

  func run() throws {
    var query = try selection.query()
    let paths = [library.bytes, folder.bytes]
    var isWhole = true
    try target.make(at: paths[1], from: paths[0], kind: "gallery", method: copying.method) {
      made,
      reader,
      unstripped in
      isWhole = try selection.narrow(&query, in: reader)
      query.unstripped = unstripped
      let gallery = try LibraryGallery(of: reader, query, options: options, months: months)
      let state = try gallery.state(
        of: "\(selection) \(query.rows ?? []) \(target.privateFacts) \(copying.method) "
          + "\(unstripped)"
      )
      // A library that has all sizes needs none.
      let workers = Result { () throws(ExportError) in try ExportWorkers() }
      let rules = (try? workers.get())?.startRules ?? []
      return FolderOptions.Work(query: query, state: state, rules: rules) {
        // Undated pictures have a page of their own, which tells enough of the order.
        query.sortDescriptors = []
        for note in try reader.select(query).notes(query) { Console.note(note) }
        let (pictures, bare, sizes) = try gallery.write(to: made, workers: workers)
        if !sizes.problems.isEmpty { isWhole = false }
        tell(sizes)
        if bare > 0 {
          Console.note("\(Quantity.text(bare, "asset")) without a picture: shown by name.")
        }
        return FolderOptions.Filled(
          assets: pictures,
          isWhole: sizes.problems.isEmpty,
          members: [
            "made": ["tiles": JSONValue(sizes.tiles), "views": JSONValue(sizes.views)],
            "notMade": .array(
              Self.sorted(sizes.problems).map {
                ["path": .string(EscapedText.percentEscaped($0.key)), "detail": .string($0.value)]
              }
            ),
          ]
        )
      }
    }
    if !isWhole { try RunExitCode.itemsFailed.exit() }
  }

  private static func sorted(_ problems: [[UInt8]: String]) -> [(key: [UInt8], value: String)] {
    problems.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// The number of pictures that are named one by one.
  private static let namedCount = 20

  private func tell(_ made: MadePictures) {
    if made.tiles > 0 {
      Console.note("Made \(Quantity.text(made.tiles, "picture")) of tile size for the pages.")
    }
    if made.views > 0 {
      Console.note(
        "Made \(Quantity.text(made.views, "picture")) of at most 1600 px for the viewer. A run with such "
          + "\"thumbnails\" in its manifest makes them once for all galleries."
      )
    }
    for (path, detail) in Self.sorted(made.problems).prefix(Self.namedCount) {
      Console.note(
        "No larger picture was made of the library's \"\(EscapedText.percentEscaped(path))\": \(detail)."
      )
    }
    if made.problems.count > Self.namedCount {
      let rest = Quantity.text(made.problems.count - Self.namedCount, "more file")
      Console.note("None was made of \(rest).")
    }
  }

  private var options: GalleryOptions {
    let path = folder.bytes
    let name = path.split(separator: UInt8(ascii: "/")).last.map { EscapedText.percentEscaped($0) }
    var options = GalleryOptions(title: title ?? name ?? "Gallery")
    options.grid = grid
    options.columns = columns
    options.spacing = spacing
    options.includesOriginals = originals
    options.includesDescriptions = descriptions
    options.isNeutral = neutral
    return options
  }
}

extension GalleryOptions.Grid: ExpressibleByArgument {}
extension GalleryOptions.Months: ExpressibleByArgument {}
