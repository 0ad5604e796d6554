internal import ArgumentParser
internal import Glibc
internal import MediaLibrary
internal import MediaModel
internal import MediaPredicate
internal import MediaReports

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the assets of a library.",
    discussion: """
      Newest first; undated assets come last, in the order in which they were saved, newest first. The \
      library is only read, no lock is taken, and a run may go on meanwhile. A predicate is of the form \
      that PhotoKit's fetch options take. Exits with 64 when an identifier or an album is not in the \
      library; nothing found is no error.

      EXAMPLES
        mediabatch list Library --where 'mediaType == video AND duration > 60' --limit 20
        mediabatch list Library --album Favorites --sort pixelWidth:descending --format csv
      """
  )

  @Argument(help: "The library's folder.", completion: .directory)
  var library: String

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Only assets that meet this condition.", valueName: "predicate")
  )
  var predicate: String?

  @Option(
    help: ArgumentHelp(
      """
      Sort by this key, key:ascending or key:descending; may be repeated. Assets without a value come \
      last in both directions.
      """,
      valueName: "key"
    )
  )
  var sort: [String] = []

  @Option(help: ArgumentHelp("Only the first so many; 0 sets no limit.", valueName: "n"))
  var limit = 0

  @Option(
    help: ArgumentHelp("Only those of this album, by its title or its folder.", valueName: "album")
  )
  var album: String?

  @Option(
    help: ArgumentHelp(
      "Only the asset of this localIdentifier, hidden or not; may be repeated.",
      valueName: "identifier"
    )
  )
  var id: [String] = []

  @Flag(help: "Show hidden assets too.")
  var includeHidden = false

  @Flag(help: "Of each stack show the cover alone.")
  var covers = false

  @Option(help: "How to print them: table, json, ndjson, csv, paths or paths0.")
  var format = ListingFormat.table

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes a number from 0.") }
  }

  func run() throws {
    var query = AssetQuery()
    query.limit = limit
    query.includesHidden = includeHidden
    query.showsCoversOnly = covers
    query.identifiers = id.isEmpty ? nil : id
    if let predicate { query.predicate = try PredicateOption.predicate(predicate) }
    if !sort.isEmpty { query.sortDescriptors = try sort.map(PredicateOption.sortDescriptor) }
    let path = ArgumentBytes.bytes(of: [library])[0]
    var lacking: [String] = []
    try Console.endingOnError {
      let reader = try CatalogueReader(library: path)
      try reader.readPrivateFacts()
      if let album {
        let found = try reader.albums(named: album)
        guard let only = found.first else {
          lacking.append("The library has no album \"\(EscapedText.printable(album))\".")
          return
        }
        if found.count > 1 {
          let folders = found.compactMap(\.folderText).map { EscapedText.printable($0) }
          throw AmbiguousAlbum(folders: folders)
        }
        query.album = only
      }
      let selection = try reader.select(query)
      for note in selection.notes(query) { Console.note(note) }
      let sink = ReportSink { Console.write($0, to: STDOUT_FILENO) }
      var listing = AssetListing(format, library: path, to: sink)
      var found: Set<String> = []
      try reader.forEachAsset(of: selection) { asset in
        if !id.isEmpty { found.insert(asset.localIdentifier) }
        listing.add(asset)
      }
      try listing.finish()
      guard predicate == nil, album == nil, limit == 0 else { return }
      lacking += id.filter { !found.contains($0) }.map {
        "The library has no asset \"\(EscapedText.printable($0))\"."
      }
    }
    if lacking.isEmpty { return }
    for line in lacking { Console.note(line) }
    try RunExitCode.usage.exit()
  }
}

/// An album's title that several folders have.
private struct AmbiguousAlbum: CommandError, CustomStringConvertible {
  var folders: [String]
  var exitCode: RunExitCode { .usage }

  var description: String {
    "Several folders have this name. Name one of them: "
      + folders.map { "\"\($0)\"" }.joined(separator: ", ") + "."
  }
}

extension ListingFormat: ExpressibleByArgument {}

/// Predicates and sort descriptors of a command line.
enum PredicateOption {
  /// - Throws: `ValidationError` with the place of the mistake.
  static func predicate(_ text: String) throws -> FetchPredicate {
    do {
      return try FetchPredicate(text)
    } catch {
      throw ValidationError("--where, \(error.description)\n" + pointed(text, error.column))
    }
  }

  /// - Throws: `ValidationError`.
  static func sortDescriptor(_ text: String) throws -> FetchSortDescriptor {
    do {
      return try FetchSortDescriptor(text)
    } catch {
      throw ValidationError("--sort \(EscapedText.printable(text)): \(error.sentence).")
    }
  }

  /// The text around a column with a mark below it.
  private static func pointed(_ text: String, _ column: Int) -> String {
    let scalars = Array(text.unicodeScalars)
    let start = max(0, min(column - 1, scalars.count) - 40)
    var part = String.UnicodeScalarView()
    // A character that takes no column or two would move the mark.
    for scalar in scalars[start..<min(scalars.count, start + 72)] {
      part.append(EscapedText.isPrintable(scalar) ? scalar : " ")
    }
    let spaces = String(repeating: " ", count: max(0, column - 1 - start))
    return "  \(String(part))\n  \(spaces)^"
  }
}

extension AssetSelection {
  /// Notes about keys whose values the library does not have.
  fileprivate func notes(_ query: AssetQuery) -> [String] {
    let sorted = Set(query.sortDescriptors.map(\.key))
    let named = query.predicate?.keys ?? []
    func effect(_ key: PredicateKey) -> String {
      var parts: [String] = []
      if named.contains(key) { parts.append("--where takes it for not known") }
      if sorted.contains(key) { parts.append("they are sorted behind the others") }
      return parts.isEmpty ? "" : ": " + parts.joined(separator: ", and ")
    }
    return missing.filter { $0 != .isHidden || named.contains($0) || sorted.contains($0) }.map {
      "\($0.rawValue) is not in this library\(effect($0))."
    }
      + unknown.map { key, assets in
        "\(key.rawValue) of \(Quantity.text(assets, "asset")) is not known, since it was stripped and "
          + "the library has no private facts\(effect(key))."
      }
  }
}
