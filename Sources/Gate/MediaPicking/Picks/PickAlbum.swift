internal import MediaModel

/// A group of a picker's items, from which a person chooses one to look at.
package enum PickAlbum: Sendable, Hashable {
  /// An album of the source, by its title; albums of one title are one here.
  case titled(String)
  /// A folder itself, without those in it.
  case folder([UInt8])
  /// What is in no album of a source that has some.
  case others
}

extension PickAlbum: Comparable {
  /// Whether one is shown before the other: titles first, ASCII case aside.
  package static func < (left: PickAlbum, right: PickAlbum) -> Bool {
    switch (left, right) {
    case (.titled(let left), .titled(let right)):
      let (first, second) = (left.utf8.map(\.asciiLowercased), right.utf8.map(\.asciiLowercased))
      return first == second
        ? left < right : first.lexicographicallyPrecedes(second)
    case (.folder(let path), .folder(let right)): return path.lexicographicallyPrecedes(right)
    case (.titled, _), (.folder, .others): return true
    case (.folder, .titled), (.others, _): return false
    }
  }
}

extension PickCandidate {
  /// The albums of the item, each once.
  ///
  /// - Parameter isInFolders: Whether folders stand for albums.
  /// - Returns: At least one.
  func albums(orFolder isInFolders: Bool) -> Set<PickAlbum> {
    if isInFolders { return [.folder(files.first.map { Array($0.folder) } ?? [])] }
    return albums.isEmpty ? [.others] : Set(albums.map { .titled($0) })
  }
}
