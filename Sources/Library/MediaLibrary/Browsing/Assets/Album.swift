internal import Foundation
internal import GRDB
package import MediaModel
package import MediaPredicate

/// A smart album, in PhotoKit's order and with its names.
///
/// Source: PHAssetCollectionSubtype; the order of Photos.
package enum SmartAlbum: String, CaseIterable, Sendable, Hashable {
  case recents = "Recents"
  case favorites = "Favorites"
  case videos = "Videos"
  case screenshots = "Screenshots"
  case selfies = "Selfies"
  case livePhotos = "Live Photos"
  case panoramas = "Panoramas"
  case sloMo = "Slo-mo"
  case bursts = "Bursts"
  case animated = "Animated"
  case raw = "RAW"
  case hidden = "Hidden"

  /// The key that its condition needs; nil where files and formats tell it.
  package var key: PredicateKey? {
    switch self {
    case .favorites: .isFavorite
    case .screenshots, .selfies, .panoramas, .sloMo: .mediaSubtypes
    case .bursts: .burstIdentifier
    case .hidden: .isHidden
    default: nil
    }
  }

  /// Its place in PhotoKit's order, from 0.
  var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The condition in SQL without what files tell, 0 or 1, of an album that files tell.
  func ownCondition(_ columns: AssetExpressions) -> String {
    self == .livePhotos ? columns.hasMovieWithin : "0"
  }

  /// The condition in SQL, 0 or 1.
  func condition(_ columns: AssetExpressions) -> String {
    func value(_ key: PredicateKey) -> String { columns.expression(key) }
    func subtype(_ bit: Int) -> String {
      "((ifnull(\(columns.fact(.mediaSubtypes)), 0) & \(bit)) <> 0)"
    }
    switch self {
    case .recents: return "1"
    case .favorites: return "(ifnull(\(value(.isFavorite)), 0) <> 0)"
    case .videos: return "(assets.mediaType = 'video')"
    case .screenshots: return subtype(1 << 2)
    case .selfies: return subtype(MediaSubtypes.photoSelfie.rawValue)
    case .livePhotos: return columns.isLive
    case .panoramas: return subtype(1 << 0)
    case .sloMo: return subtype(1 << 17)
    case .bursts: return "(\(value(.burstIdentifier)) IS NOT NULL)"
    case .animated: return columns.isAnimated
    case .raw: return columns.isRaw
    case .hidden: return "(ifnull(\(value(.isHidden)), 0) <> 0)"
    }
  }
}

/// An album: a smart one, or a folder of a source.
package enum Album: Sendable, Hashable {
  case smart(SmartAlbum)
  /// The folder's path in the source, never empty.
  case folder(SourceID, ItemPath)
  /// An album that the source has: its key and its title, see ``SourceAlbum``.
  case own(SourceID, ItemPath, title: String)

  var keys: Set<PredicateKey> {
    guard case .smart(let smart) = self, let key = smart.key else { return [] }
    return [key]
  }

  /// The condition of its assets in SQL, with its arguments.
  func condition(_ columns: AssetExpressions) -> (String, [DatabaseValue]) {
    switch self {
    case .smart(let smart): return (smart.condition(columns), [])
    case .folder(let source, let folder):
      // The bytes behind "folder/" up to, and without, "folder0": "0" comes behind "/".
      let first = Data(folder.bytes + [UInt8.slash])
      let last = Data(folder.bytes + [UInt8.slash + 1])
      return (
        """
        assets.id IN (SELECT asset FROM items WHERE sourceName = ? AND path > ? AND path < ?
          AND instr(substr(path, ?), x'2F') = 0)
        """,
        [
          source.name.databaseValue, first.databaseValue, last.databaseValue,
          (folder.bytes.count + 2).databaseValue,
        ]
      )
    case .own(let source, let key, _):
      return (
        """
        assets.id IN (SELECT items.asset FROM albums
          JOIN albumItems ON albumItems.album = albums.id
          JOIN items ON items.sourceName = albums.sourceName AND items.path = albumItems.path
          WHERE albums.sourceName = ? AND albums.key = ?)
        """,
        [source.name.databaseValue, Data(key.bytes).databaseValue]
      )
    }
  }

  /// The name that a person knows it by.
  package var title: String {
    switch self {
    case .smart(let smart): smart.rawValue
    case .folder(_, let folder): EscapedText.name(folder.name)
    case .own(_, _, let title): EscapedText.printable(title, keepsJoiners: true)
    }
  }

  /// The source that it is of; nil of a smart album.
  package var source: SourceID? {
    switch self {
    case .smart: nil
    case .folder(let source, _), .own(let source, _, _): source
    }
  }

  /// The folder's path, or the album's key, with the name of its source; nil of a smart album.
  package var folderText: String? {
    switch self {
    case .smart: nil
    case .folder(let source, let path), .own(let source, let path, _):
      source.name + "/" + path.text
    }
  }
}

/// An album with what it holds.
package struct ListedAlbum: Sendable, Hashable {
  package var album: Album
  package var count: Int
  /// The row of the newest asset.
  package var cover: Int64
}
