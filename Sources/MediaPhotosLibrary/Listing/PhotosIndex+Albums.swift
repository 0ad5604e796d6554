package import MediaListing
package import MediaModel

extension PhotosIndex {
  /// An album with the files that Photos shows in it.
  package struct ShownAlbum: Sendable, Hashable {
    /// The album's identifier.
    package var key: ItemPath
    /// The title, at most 1,000 bytes.
    package var title: String
    /// The paths of the files, in the album's order.
    package var members: [ItemPath]
  }

  /// The albums with those of a listing's files that are imported: of an edited asset the rendition, which is what Photos
  /// shows.
  package func shownAlbums(of items: ListedItems) -> [ShownAlbum] {
    if albums.isEmpty { return [] }
    var shown: [String: ItemPath] = [:]
    for position in items.indices where items.reason(at: position) == nil {
      let path = items.path(at: position)
      guard !items.isSidecar(at: position), let asset = asset(of: path) else { continue }
      switch PhotosFileName(stem: path.stem)?.part {
      case .rendition: shown[asset.uuid] = path
      case .original, nil: if shown[asset.uuid] == nil { shown[asset.uuid] = path }
      case .pairedMovie, .raw, .renderedMovie: continue
      }
    }
    return albums.map { album in
      ShownAlbum(
        key: ItemPath(bytes: Array(album.uuid.utf8)),
        title: album.title,
        members: album.members.compactMap { shown[$0] }
      )
    }
  }
}

extension PhotosAsset {
  /// The description as bytes, so that a digest tells whether it has changed: each field with its length, so that no two
  /// descriptions have the same bytes.
  package var message: [UInt8] {
    let said = description
    let place = said.place.map { "\($0.latitude) \($0.longitude)" }
    let date = said.dates.first.map { "\($0.local) \($0.offsetMinutes ?? 0)" }
    var fields = [
      said.caption ?? "", "\(said.keywords)", "\(said.isFavorite == true)",
      "\(said.isHidden == true)", place ?? "", "\(said.subtypes.rawValue)", said.burst ?? "",
      said.isBurstPick.map { "\($0)" } ?? "", date ?? "",
    ]
    // Without people it is what it was before they were read, so that no photo is published anew for nothing.
    if let people = said.people { fields.append("\(people)") }
    return fields.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
  }
}
