/// How a picture fills the box that a thumbnail is.
///
/// Source: PHImageContentMode (PhotoKit).
package enum ContentMode: String, CaseIterable, Sendable, Hashable, Codable {
  /// The whole picture, within the box.
  case aspectFit
  /// The box is filled; what stands over is cropped, evenly on both sides.
  case aspectFill
}

/// One thumbnail that the manifest asks for.
package struct ThumbnailSpec: Sendable, Hashable, Codable {
  /// 1 to 64 of `a-z A-Z 0-9 - _`.
  package var name: String
  /// The box, in pixels of the upright picture; nothing is ever enlarged to it.
  package var size: PixelSize
  package var contentMode: ContentMode
  /// JPEG quality, 1 to 100.
  package var quality: Int

  package init(name: String, size: PixelSize, contentMode: ContentMode, quality: Int = 80) {
    self.name = name
    self.size = size
    self.contentMode = contentMode
    self.quality = quality
  }

  /// All that changes the thumbnail's bytes; two specs with one fingerprint make the same file.
  package var fingerprint: String {
    "\(size.width)x\(size.height) \(contentMode.rawValue) q\(quality)"
  }
}
