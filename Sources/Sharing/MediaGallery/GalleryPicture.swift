package import MediaModel

/// A picture, video or sound as the pages show it.
///
/// Those of a whole library are packed in ``GalleryPictures``: the files themselves have been handed on before.
package struct GalleryPicture: Sendable, Hashable {
  /// A file of the gallery.
  package struct File: Sendable, Hashable {
    /// The ending of its name.
    package var ending: String
    /// Pixels; nil of an original, which may be no picture.
    package var size: PixelSize?
    /// The ThumbHash in base64; nil of an original.
    package var thumbHash: String?

    package init(ending: String, size: PixelSize?, thumbHash: String? = nil) {
      (self.ending, self.size, self.thumbHash) = (ending, size, thumbHash)
    }
  }

  /// The name of its files, and of its place in a page: the UUID of the localIdentifier.
  package var key: String
  package var title: String
  /// Local time as far as it is known, or the time of saving; nil when it is undated.
  package var date: String?
  package var mediaType: MediaType
  /// The words that tell it from a plain photo, and how long it plays, as ``MediaModel/ListedAsset/tileBadges``.
  package var badges: [String] = []
  package var isFavorite = false
  package var camera: String?
  /// The length of its main file.
  package var bytes: Int64 = 0
  package var pixelSize: PixelSize?
  /// The thumbnail that a page shows.
  package var tile: File?
  /// The thumbnail that the viewer shows; nil when it is the tile.
  package var view: File?
  package var original: File?
  /// The movie of a live photo, among the originals.
  package var movie: File?
  /// The name under which an original is downloaded.
  package var name = ""
  /// The same of the movie of a live photo; empty of one that lies within the original.
  package var movieName = ""
  package var caption: String?
  package var keywords: [String] = []

  /// Creates a picture with what each has.
  package init(key: String, title: String, date: String?, mediaType: MediaType) {
    (self.key, self.title) = (key, title)
    (self.date, self.mediaType) = (date, mediaType)
  }

  /// The month of its date, such as 2019-07, or its year alone; nil when it is undated.
  var month: String? { date.map { String($0.prefix(7)) } }
}

extension GalleryPicture {
  /// The folders of a gallery's files.
  package enum Folder: String, Sendable {
    case tiles, views, originals
  }

  /// The path of a file below the gallery: spread over folders, since some file systems and servers are
  /// slow with 100,000 names in one.
  package static func path(_ folder: Folder, _ key: String, _ file: File) -> String {
    "\(folder.rawValue)/\(key.prefix(2))/\(key).\(file.ending)"
  }

  var tilePath: String? { tile.map { Self.path(.tiles, key, $0) } }
  var viewPath: String? { view.map { Self.path(.views, key, $0) } ?? tilePath }
  var originalPath: String? { original.map { Self.path(.originals, key, $0) } }
  var moviePath: String? { movie.map { Self.path(.originals, key, $0) } }

  /// The files that are downloaded: each path below the gallery, with the name that it gets.
  package var downloads: [(path: String, name: String)] {
    [(originalPath, name), (moviePath, movieName)].compactMap { path, name in
      name.isEmpty ? nil : path.map { ($0, name) }
    }
  }
}

/// A file of "Download all": a ZIP of originals, or an original that is too long for one.
package struct GalleryDownload: Sendable, Hashable {
  /// Below the gallery.
  package var path: String
  /// The name under which it is downloaded.
  package var name: String
  package var bytes: Int64
  /// The number of files in it; nil of an original.
  package var fileCount: Int?

  package init(path: String, name: String, bytes: Int64, fileCount: Int? = nil) {
    (self.path, self.name, self.bytes, self.fileCount) = (path, name, bytes, fileCount)
  }
}

/// An album of a gallery.
package struct GalleryAlbum: Sendable, Hashable {
  package var title: String
  /// The drawing that stands for a smart album; nil of one that a person or a folder made.
  package var symbol: String?
  /// The positions of its pictures in the gallery, in the gallery's order.
  package var pictures: [Int]

  package init(title: String, symbol: String? = nil, pictures: [Int]) {
    (self.title, self.symbol, self.pictures) = (title, symbol, pictures)
  }
}
