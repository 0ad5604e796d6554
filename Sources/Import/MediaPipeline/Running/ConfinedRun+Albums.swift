internal import MediaLibrary
internal import MediaListing
internal import MediaModel
internal import MediaSources

extension ConfinedRun {
  /// Stores the albums that sources have, or forgets them where they are not stored.
  ///
  /// - Parameters:
  ///   - works: The sources with their listings.
  ///   - titles: The titles that JSON files of this run gave to folders, by source.
  /// - Throws: `RunError` when the catalogue cannot be written.
  func storeAlbums(
    of works: [Work],
    titles: [SourceID: [ItemPath: String]]
  ) throws(RunError) {
    let catalogue = open.library.catalogue
    do {
      for work in works where work.source.media.hasTitledFolders {
        var names: [ItemPath: String] = [:]
        if work.source.storesAlbums {
          for album in try catalogue.albums(of: work.source.id) { names[album.key] = album.title }
          names.merge(titles[work.source.id] ?? [:]) { $1 }
        }
        let members = work.pending.members(ofFolders: Set(names.keys))
        let albums = names.filter { members[$0.key] != nil }.sorted { $0.key < $1.key }.map { key, title in
          SourceAlbum(key: key, title: title, members: members[key] ?? [])
        }
        try catalogue.setAlbums(work.albums.stored(albums), of: work.source.id)
      }
    } catch {
      throw RunError(wrapping: error)
    }
  }
}
