/// What one item may take; above it, the item is `failed` `overLimit`, before anything is taken.
package struct ItemLimits: Sendable, Hashable, Codable {
  /// Length of the file in bytes; 1 TiB by default.
  package var bytes: Int
  /// Width times height of a picture or of a video's frame; 256 million by default.
  package var pixels: Int
  /// Pictures of an animation or a file of many pages; 10,000 by default.
  package var frames: Int
  /// Bytes of text of a picture, unpacked; 16 MiB by default.
  package var textBytes: Int
  /// Bytes of an ICC profile; 4 MiB by default.
  package var profileBytes: Int
  /// Wall-clock time and CPU time, and one second more for each 20 MB of the file; 10 by default.
  package var seconds: Int

  package init(
    bytes: Int = 1 << 40,
    pixels: Int = 256_000_000,
    frames: Int = 10_000,
    textBytes: Int = 16 << 20,
    profileBytes: Int = 4 << 20,
    seconds: Int = 10
  ) {
    self.bytes = bytes
    self.pixels = pixels
    self.frames = frames
    self.textBytes = textBytes
    self.profileBytes = profileBytes
    self.seconds = seconds
  }
}
