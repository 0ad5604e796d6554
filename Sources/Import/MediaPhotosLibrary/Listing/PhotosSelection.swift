package import MediaManifest
package import MediaModel

/// A selection of a Photos library: entries that begin with `album:` or `asset:` name albums by title and assets by
/// identifier or original name, all others are paths within the library.
package struct PhotosSelection: Sendable {
  private static let words = ["album:", "asset:"]

  private let paths: Selection
  private let references: Selection
  /// The entries that name albums and assets.
  let referencePatterns: [SelectionPattern]
  /// The paths that are named without a wildcard.
  var literals: [ItemPath] { paths.literals }

  /// Divides the entries of a selection.
  package init(_ patterns: [SelectionPattern]) {
    let isReference = { (pattern: SelectionPattern) in
      Self.words.contains { pattern.text.utf8.starts(with: $0.utf8) }
    }
    referencePatterns = patterns.filter(isReference)
    references = Selection(referencePatterns)
    paths = Selection(patterns.filter { !isReference($0) })
  }

  /// Whether an entry names an album by this title.
  package func names(album title: String) -> Bool {
    references.contains(ItemPath(bytes: Array("album:\(title)".utf8)))
  }

  /// Whether a file is selected: by its path, or with its asset, an index into those of the library.
  package func contains(_ path: ItemPath, _ asset: Int?, _ names: PhotosNames) -> Bool {
    if paths.contains(path) { return true }
    guard let asset, !referencePatterns.isEmpty else { return false }
    return names.names(of: asset).contains { references.contains($0) }
  }
}

/// The names by which the entries of a selection can mean an asset.
package struct PhotosNames {
  private let assets: PhotosAssets
  /// By the indexes of the assets.
  private var albums: [UInt32: [ItemPath]] = [:]

  /// Finds the titles of each asset's albums.
  package init(of index: PhotosIndex) {
    assets = index.assets
    for album in index.albums {
      let name = ItemPath(bytes: Array("album:\(album.title)".utf8))
      for member in album.members { albums[member, default: []].append(name) }
    }
  }

  /// The names of an asset, as a pattern of a selection has them.
  func names(of index: Int) -> [ItemPath] {
    let asset = assets[index]
    var names = albums[UInt32(index)] ?? []
    names.append(ItemPath(bytes: Array("asset:\(asset.uuid)".utf8)))
    if let name = asset.originalName { names.append(ItemPath(bytes: Array("asset:\(name)".utf8))) }
    return names
  }
}
