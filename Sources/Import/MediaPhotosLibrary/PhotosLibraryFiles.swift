package import MediaModel

/// The places within a `.photoslibrary` folder that are read, as paths within it.
///
/// Source: the libraries of Photos 5 (macOS 10.15) and later; osxphotos, "photoinfo.py".
package enum PhotosLibraryFiles {
  /// The folder of the database.
  package static let databaseFolder = ItemPath(bytes: Array("database".utf8))
  /// The database.
  package static let database = ItemPath(bytes: Array("database/Photos.sqlite".utf8))
  /// The changes that are not in the database's file yet.
  package static let log = ItemPath(bytes: Array("database/Photos.sqlite-wal".utf8))
  /// The journal of a change that was interrupted.
  package static let journal = ItemPath(bytes: Array("database/Photos.sqlite-journal".utf8))

  /// The folder of the originals.
  package static let originals = Array("originals".utf8)
  /// The folder of the edited renditions.
  package static let renders = Array("resources/renders".utf8)
  /// The folders of shared albums: since macOS 13, and before.
  package static let shared = [
    Array("scopes/cloudsharing/data".utf8), Array("resources/cloudsharing/data".utf8),
  ]

  /// The folder of what belongs to other libraries, each with originals of its own: those of iCloud links, which may be
  /// the person's too, of conversations, and of shared albums.
  private static let scopes = Array("scopes".utf8)

  /// The name of the scope whose originals a file is among; nil for one elsewhere.
  static func scope(of file: ItemPath) -> ArraySlice<UInt8>? {
    guard isWithin(file.bytes, scopes) else { return nil }
    let parts = file.bytes.split(separator: UInt8.slash, maxSplits: 3)
    return parts.count == 4 && parts[2].elementsEqual(originals) ? parts[1] : nil
  }

  /// Whether nothing is known of a scope.
  static func isUnknown(scope: ArraySlice<UInt8>) -> Bool {
    !["momentshared", "syndication", "cloudsharing"].contains { scope.elementsEqual($0.utf8) }
  }

  /// What the folder says in which a file lies; nil for one that may be the person's own.
  static func standing(of file: ItemPath) -> Standing? {
    if let scope = scope(of: file), isUnknown(scope: scope) { return .others }
    return folders.first { isWithin(file.bytes, $0.path) }?.standing
  }

  private static let folders = StandingTable.folders(of: .photosLibrary).map { folder in
    (path: Array(folder.path.utf8), standing: folder.standing)
  }

  private static func isScope(_ folder: ItemPath) -> Bool {
    guard isWithin(folder.bytes, scopes) else { return false }
    let parts = folder.bytes.split(separator: UInt8.slash, maxSplits: 3)
    return parts.count < 3 || parts[2].elementsEqual(originals)
  }

  /// The path of the original of an asset as Photos names it, up to the extension.
  static func original(of uuid: String) -> [UInt8] {
    originals + Array("/\(uuid.prefix(1))/\(uuid)".utf8)
  }

  /// Whether a walk enters a folder of a library: those of originals, also of scopes, and renditions, and with
  /// `includesShared` those of shared albums. The empty path is the library itself.
  package static func isEntered(_ folder: ItemPath, includesShared: Bool) -> Bool {
    if folder.bytes.isEmpty || isScope(folder) { return true }
    let roots = [originals, renders] + (includesShared ? shared : [])
    return roots.contains { root in
      isWithin(folder.bytes, root) || isWithin(root, folder.bytes)
    }
  }

  /// Whether a file lies where originals, renditions or shared photos do.
  package static func isMedia(_ file: ItemPath, includesShared: Bool) -> Bool {
    let roots = [originals, renders] + (includesShared ? shared : [])
    // Beside a rendition lies the description of its edit, which only Photos reads.
    let isAdjustment =
      ["plist", "aae", "data"].contains(file.fileExtension) && isWithin(file.bytes, renders)
    return !isAdjustment
      && (scope(of: file) != nil
        || roots.contains { isWithin(file.bytes, $0) && file.bytes.count > $0.count })
  }

  /// Whether a path is a folder or lies beneath it.
  static func isWithin(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
    path.starts(with: folder)
      && (path.count == folder.count || path[folder.count] == .slash)
  }
}
