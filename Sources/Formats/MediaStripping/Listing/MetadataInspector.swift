package import MediaContainers
import MediaMetadata
package import MediaModel

/// Lists the metadata of a file, and whether `strip` would remove it.
package enum MetadataInspector {
  /// Returns the entries of `source` in the order of the file, at most
  /// ``MetadataListing/maximumEntries``.
  ///
  /// Data that is needed to show the picture is not listed, because it reveals nothing about its
  /// author. A malformed block is listed as one entry.
  ///
  /// - Parameters:
  ///   - source: The whole file.
  ///   - format: Its format; a format that is not parsed has no entries.
  ///   - options: The options that `strip` would get.
  ///   - showsValues: Whether entries have their values, which are private.
  /// - Returns: The entries.
  /// - Throws: `damaged` when the container does not follow its own format.
  package static func entries(
    of source: ByteSource,
    format: MediaFormat,
    options: StripOptions = StripOptions(),
    showsValues: Bool = false
  ) throws(MetadataError) -> [InspectedEntry] {
    guard let container = try? Stripper.container(format) else { return [] }
    var listing = MetadataListing(options: options.applicable(to: format), showsValues: showsValues)
    try container.list(source, into: &listing)
    return listing.entries
  }
}
