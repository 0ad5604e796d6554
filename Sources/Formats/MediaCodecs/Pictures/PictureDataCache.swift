import MediaContainers

/// The content of a file's coded pictures, for the next step that reads the same bytes: stripping,
/// the verification of the output, and the decoder of its thumbnails.
///
/// Coded data is known by its addresses in memory. What an output copies has the addresses that it
/// has in the source, and anything else has others and is read: a verification gets what it would
/// read itself. A cache keeps the sources of what it knows, so that no address is used again; as
/// with these, a mapping has to last longer than the cache.
package final class PictureDataCache {
  /// The largest content in bytes that is kept, and the largest stream that is inflated as a whole.
  static let maximumLength = 96 << 20

  /// Whether pixels are kept for a decoder.
  let keepsPixels: Bool
  var stream: InflatedStream?
  /// The content that a decoder has taken.
  var taken: PictureMemory?
  lazy var codes = GIFCodes()
  var readings: [GIFPictureKey: (reading: GIFReading, source: ByteSource)] = [:]
  var indices: GIFIndices?

  /// Creates a cache that knows nothing.
  ///
  /// - Parameter keepsPixels: Whether a decoder will ask for the pixels of the first picture.
  package init(keepsPixels: Bool = false) { self.keepsPixels = keepsPixels }
}
