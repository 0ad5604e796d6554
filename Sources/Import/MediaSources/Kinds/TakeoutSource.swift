package import MediaFileSystem
internal import MediaListing
internal import MediaManifest
package import MediaModel

/// An export of Google Photos: folders, or the zip and `.tgz` files as they come, with JSON files beside the media.
package final class TakeoutSource: MediaSource {
  /// Reads the archives; nil before it is started.
  private var archives: TakeoutArchives?
  /// The standing of files that are equal to one of which a JSON file states it.
  private var copies: [ItemPath: Standing] = [:]

  package init() {}

  package var conditionsWord: String? { "takeout" }
  package var sidecarFormat: SidecarFormat? { .takeout }
  package var hasTitledFolders: Bool { true }
  /// An export has a picture in the folder of its year and in albums.
  package var hasCopies: Bool { true }

  /// Prepares the process that will read archives.
  ///
  /// - Throws: `RunError` for a run that is divided among machines: what JSON files say of trash, archive and albums
  ///   may be about files of another shard.
  package func start(_ source: PlannedSource, _ preparation: SourcePreparation) throws {
    try preparation.requireWhole("a Takeout", since: "its JSON files say what its files are")
    archives = TakeoutArchives(source, preparation)
  }

  package func list(into listing: inout SourceListing) throws {
    try listing.listFolder()
    let selection = listing.source.selection
    var described: Set<ItemPath> = []
    if let selection {
      described = try listing.addUnselected { $0.takeoutSidecars { selection.contains($0) } }
    }
    if let archives {
      try archives.list(into: &listing)
      if let selection {
        described.formUnion(listing.items.takeoutSidecars { selection.contains($0) })
      }
      listing.keepSelected(and: described)
    }
    listing.noteUnmatched()
  }

  package func placeSidecars(in listing: inout SourceListing) {
    let bare = listing.items.placeTakeoutSidecars()
    // Of a selection the JSON file may lie in an archive that is not opened.
    if bare > 0, listing.source.selection == nil {
      listing.warnings.append(
        "\(Quantity.text(bare, "file")) of the Takeout \(bare == 1 ? "has" : "have") no JSON file."
      )
    }
  }

  package func note(_ standing: Standing, ofCopy path: ItemPath) { copies[path] = standing }

  package func standing(ofCopy path: ItemPath) -> Standing? { copies[path] }

  package func holds(_ path: ItemPath) -> Bool { archives?.holds(path) ?? false }

  package func copy(_ path: ItemPath, into copy: Descriptor) throws(SourceFileFailure) {
    try archives?.copy(path, into: copy)
  }
}
