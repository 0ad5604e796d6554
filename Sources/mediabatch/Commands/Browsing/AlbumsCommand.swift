internal import ArgumentParser
internal import MediaLibrary
internal import MediaModel
internal import MediaPredicate
internal import MediaReports

struct AlbumsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums",
    abstract: "Show the albums of a library.",
    discussion: """
      Smart albums such as Favorites come first, then the albums of the sources.

      EXAMPLES
        mediabatch albums Library
        mediabatch albums Library --format json

      The folders of a source are albums if the manifest has "albums": {"fromFolders": true}. Empty albums are not \
      shown. The cover is the newest asset; with paths and paths0 the covers' files are printed. The library is only \
      read, without a lock: an import can go on meanwhile.
      """
  )

  @OptionGroup var library: LibraryArgument

  @Option(help: ListingFormat.help)
  var format = ListingFormat.table

  func run() throws {
    let path = library.bytes
    try Console.endingOnError {
      let reader = try CatalogueReader(library: path)
      try reader.readPrivateFactsIfAllowed()
      let result = try reader.albums()
      if !result.unknown.isEmpty {
        Console.note(
          "Stripped assets are missing in albums that need "
            + result.unknown.map(\.rawValue).joined(separator: ", ")
            + ": no private facts are read."
        )
      }
      let covers = try reader.assets(rows: result.albums.map(\.cover))
      try AlbumListing.write(
        result.albums.map { ($0, covers[$0.cover]) },
        as: format,
        library: path,
        to: Console.sink(for: format)
      )
    }
  }
}
