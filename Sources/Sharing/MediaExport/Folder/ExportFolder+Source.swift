internal import MediaDigest
internal import MediaLibrary
internal import MediaModel

extension ExportFolder {
  /// A file of the library.
  package struct Source: Sendable {
    /// Below the library.
    package var path: [UInt8]
    package var bytes: Int64
    package var sha256: String
    /// The bytes of it that are taken, within the file; nil for all.
    var part: Range<Int64>?
    /// Whether it says where it was taken.
    var statesPlace = false

    init(_ file: ListedAsset.File) {
      (path, bytes, sha256) = (Array(file.path.utf8), file.bytes, file.sha256)
      statesPlace = file.statesPlace
    }

    init(_ thumbnail: ListedAsset.Thumbnail) {
      (path, bytes, sha256) = (Array(thumbnail.path.utf8), thumbnail.bytes, thumbnail.sha256)
    }

    /// The movie in the file of a motion photo; nil where it does not lie in it.
    func movie(_ movie: EmbeddedMovie?) -> Self? {
      guard let movie, movie.fits(Int(bytes)) else { return nil }
      var source = self
      source.part = Int64(movie.offset)..<Int64(movie.offset + movie.length)
      source.statesPlace = false
      return source
    }

    /// What the file that is made of it is known by: the digest of the content, or of what says which part.
    var digest: String {
      guard let part else { return sha256 }
      let words = "\(sha256) \(part.lowerBound) \(part.upperBound)"
      return Hexadecimal.text(SHA256.hash(Array(words.utf8)))
    }

    /// The ending of its name, without the dot; `bin` for a name without one.
    var fileExtension: String {
      let fileExtension = ItemPath(bytes: path).fileExtension
      return fileExtension.isEmpty ? "bin" : fileExtension
    }
  }
}
