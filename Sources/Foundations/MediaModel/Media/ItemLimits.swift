/// The resource limits of one item; an item above one of them ends as `failed` with `overLimit`,
/// before the resource is allocated.
///
/// What only a decoder needs costs an item its thumbnails alone, see ``ItemReason/thumbnailMissing``: its
/// pixels and frames under `keep`, and the memory for its pixels.
package struct ItemLimits: Sendable, Hashable, Codable {
  /// The length of the file in bytes; 64 GiB by default.
  package var bytes: Int
  /// The width times the height of a picture or of a video frame, in pixels; 256 million by
  /// default.
  package var pixels: Int
  /// The number of frames of an animation or of pages of a file; 10,000 by default.
  package var frames: Int
  /// The size of a picture's text in bytes, decompressed; 16 MiB by default.
  package var textBytes: Int
  /// The size of an ICC profile in bytes; 4 MiB by default.
  package var profileBytes: Int
  /// The wall-clock time and the CPU time in seconds, each 10 by default; one second is added for
  /// each 20 MB of the file.
  package var seconds: Int

  /// Creates limits; each parameter has the documented default.
  package init(
    bytes: Int = 64 << 30,
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
