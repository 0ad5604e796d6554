package import MediaListing
package import MediaModel

/// An album that a person made in Photos.
package struct PhotosAlbum: Sendable, Hashable {
  /// Its identifier.
  package var uuid: String
  /// Its title.
  package var title: String
  /// Its assets in the album's order, as indexes into those of the library.
  package var members: [UInt32]

  /// The longest title in bytes.
  static let maximumTitleLength = 1000

  /// Creates an album; nil unless its identifier and its title can be those of one.
  package init?(uuid: String, title: String, members: [UInt32] = []) {
    guard PhotosText.isIdentifier(uuid),
      let title = PhotosText.checked(title, limit: Self.maximumTitleLength)
    else { return nil }
    self.uuid = uuid
    self.title = title
    self.members = members
  }
}

/// What the database of a Photos library says of its assets and albums.
package struct PhotosIndex: Sendable {
  /// The number of the data model, by which versions of Photos differ; nil when the database does not say.
  package var modelVersion: Int?
  /// The assets.
  package private(set) var assets = PhotosAssets()
  /// The albums that a person made, in the order of the database.
  package private(set) var albums: [PhotosAlbum] = []
  /// The rows that cannot be assets or albums, and were left out.
  package var unusableRows = 0
  /// The assets of files whose names do not begin with an identifier, by the paths.
  private var byPath: [ItemPath: Int] = [:]

  /// The most assets that are read.
  package static let maximumAssets = 2_000_000
  /// The most albums that are read.
  package static let maximumAlbums = 100_000
  /// The most memberships of all albums that are read.
  package static let maximumMembers = 10_000_000

  private static let keptBack: PhotosAsset.Marks = [.hidden, .trashed, .shared, .ofOthers, .referenced]

  /// Creates an index without assets.
  package init() {}

  /// Adds an asset. Of two with one identifier, what keeps a photo back is true of both.
  ///
  /// - Returns: Its index.
  @discardableResult
  package mutating func add(_ asset: PhotosAsset) -> Int {
    var asset = asset
    if let other = assets[asset.uuid] {
      asset.marks.formUnion(other.marks.intersection(Self.keptBack))
      unusableRows += 1
    }
    let index = assets.insert(asset)
    guard let directory = asset.directory, let name = asset.fileName else { return index }
    if asset.marks.contains(.shared) {
      for root in PhotosLibraryFiles.shared {
        byPath[ItemPath(bytes: root + [UInt8.slash] + directory).appending(name)] = index
      }
    } else if !name.starts(with: asset.uuid.utf8) {
      byPath[PhotosIndex.original(directory, name)] = index
    }
    return index
  }

  /// Adds an album, whose members are there.
  package mutating func add(_ album: PhotosAlbum) { albums.append(album) }

  /// Forgets captions, names, dates and all else that only files need of which there is none, where most assets have
  /// none, as in a library that keeps its originals in iCloud.
  ///
  /// - Parameter files: The files of the library.
  package mutating func forgetDescriptions(besidesThoseOf files: ListedItems) {
    guard files.count < assets.count / 2 else { return }
    var isKept = [Bool](repeating: false, count: assets.count)
    for position in files.indices {
      if let index = index(of: files.path(at: position)) { isKept[index] = true }
    }
    assets.forgetDescriptions(besides: isKept)
  }

  private static func original(_ directory: [UInt8], _ name: [UInt8]) -> ItemPath {
    ItemPath(bytes: PhotosLibraryFiles.originals + [UInt8.slash] + directory).appending(name)
  }

  /// Finds the asset that a file belongs to: by the identifier that its name begins with, or by its path.
  ///
  /// An original is `UUID.heic`; of a live photo the movie is `UUID_3.mov`, of a pair of raw and JPEG the raw
  /// file `UUID_4.dng`; a rendition is `UUID_1_201_a.jpeg`.
  ///
  /// - Returns: Its index; nil for a file of which the database says nothing.
  package func index(of path: ItemPath) -> Int? {
    if let index = byPath[path] { return index }
    return assets.index(of: path.name.prefix { $0 != .underscore && $0 != .dot })
  }

  /// The asset that a file belongs to, as ``index(of:)`` finds it.
  package func asset(of path: ItemPath) -> PhotosAsset? { index(of: path).map { assets[$0] } }

  /// The path in a library at which an asset's original is, or would be if it were in it.
  package func originalPath(of asset: PhotosAsset) -> ItemPath {
    if asset.marks.contains(.shared), let directory = asset.directory, let name = asset.fileName,
      let root = PhotosLibraryFiles.shared.first
    {
      return ItemPath(bytes: root + [UInt8.slash] + directory).appending(name)
    }
    if let original = asset.original { return original }
    let name = asset.originalName.flatMap { PhotosText.name($0) }
    let end = name.map { ItemPath(bytes: $0).fileExtension } ?? ""
    let file = asset.uuid + (end.isEmpty ? "" : "." + end)
    return Self.original(Array(asset.uuid.utf8.prefix(1)), Array(file.utf8))
  }
}
