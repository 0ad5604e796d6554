package import MediaModel

/// One small picture, ready to be written.
package struct Thumbnail: Sendable, Hashable {
  /// The specification's name.
  package var name: String
  /// Of the upright picture.
  package var pixelSize: PixelSize
  /// A baseline JPEG that holds no metadata but JFIF and, where the source had one, an ICC profile.
  package var bytes: [UInt8]

  package init(name: String, pixelSize: PixelSize, bytes: [UInt8]) {
    self.name = name
    self.pixelSize = pixelSize
    self.bytes = bytes
  }
}
