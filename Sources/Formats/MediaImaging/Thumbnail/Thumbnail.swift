package import MediaModel

/// An encoded thumbnail, ready to be written.
package struct Thumbnail: Sendable, Hashable {
  /// The name of its specification.
  package var name: String
  /// The size of the upright thumbnail, in pixels.
  package var pixelSize: PixelSize
  /// The encoded file, in the specification's format; it holds no metadata but an ICC profile, if
  /// any, and JFIF's header in JPEG.
  package var bytes: [UInt8]
  /// Nil of a picture that is converted as a whole.
  package var hashes: PictureHashes?

  /// Creates a thumbnail.
  package init(name: String, pixelSize: PixelSize, bytes: [UInt8], hashes: PictureHashes? = nil) {
    self.name = name
    self.pixelSize = pixelSize
    self.bytes = bytes
    self.hashes = hashes
  }
}
