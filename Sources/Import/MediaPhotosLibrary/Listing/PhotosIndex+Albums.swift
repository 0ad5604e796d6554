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
    // The positions in the listing by asset.
    var shown = [Int32](repeating: -1, count: assets.count)
    for position in items.indices where items.reason(at: position) == nil {
      let path = items.path(at: position)
      guard !items.isSidecar(at: position), let asset = index(of: path) else { continue }
      switch PhotosFileName(stem: path.stem)?.part {
      case .rendition: shown[asset] = Int32(position)
      case .original, nil: if shown[asset] < 0 { shown[asset] = Int32(position) }
      case .pairedMovie, .raw, .renderedMovie: continue
      }
    }
    return albums.map { album in
      ShownAlbum(
        key: ItemPath(bytes: Array(album.uuid.utf8)),
        title: album.title,
        members: album.members.compactMap { asset in
          let position = Int(shown[Int(asset)])
          return position < 0 ? nil : items.path(at: position)
        }
      )
    }
  }
}

extension PhotosAsset {
  /// The description as bytes, so that a digest tells whether it has changed: each field with its length, so that no two
  /// descriptions have the same bytes.
  package var message: [UInt8] {
    let description = description
    let place = description.place.map { "\($0.latitude) \($0.longitude)" }
    let date = description.dates.first.map { "\($0.local) \($0.offsetMinutes ?? 0)" }
    var fields = [
      description.caption ?? "", "\(description.keywords)", "\(description.isFavorite == true)",
      "\(description.isHidden == true)", place ?? "", "\(description.subtypes.rawValue)",
      description.burst ?? "",
      description.isBurstPick.map { "\($0)" } ?? "", date ?? "",
    ]
    // Without people it is what it was before they were read, so that no photo is published anew for nothing.
    if let people = description.people { fields.append("\(people)") }
    return fields.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
  }
}
