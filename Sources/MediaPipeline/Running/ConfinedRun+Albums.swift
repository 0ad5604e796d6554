internal import MediaLibrary
internal import MediaListing
internal import MediaModel
internal import MediaPublishing
internal import MediaSources

extension ConfinedRun {
  /// Stores the albums that sources have, or forgets them where they are not stored.
  ///
  /// - Parameters:
  ///   - work: The sources with their listings.
  ///   - titles: The titles that JSON files of this run gave to folders, by source.
  /// - Throws: `RunError` when the catalogue cannot be written.
  func storeAlbums(
    of work: [Work],
    titles: [SourceKind: [ItemPath: String]]
  ) throws(RunError) {
    let catalogue = open.library.catalogue
    do {
      for one in work where one.source.media.hasTitledFolders {
        var known: [ItemPath: String] = [:]
        if one.source.storesAlbums {
          for album in try catalogue.albums(of: one.source.kind) { known[album.key] = album.title }
          known.merge(titles[one.source.kind] ?? [:]) { $1 }
        }
        let members = one.pending.members(ofFolders: Set(known.keys))
        try catalogue.setAlbums(
          known.filter { members[$0.key] != nil }.sorted { $0.key < $1.key }.map { key, title in
            SourceAlbum(key: key, title: title, members: members[key] ?? [])
          },
          of: one.source.kind
        )
      }
    } catch {
      throw RunError(wrapping: error)
    }
  }
}
