package import MediaContainers
package import MediaModel

/// Lists what a file says about itself, and what `strip` would remove of it.
package enum MetadataInspector {
  /// The entries of `source` in the order of the file, at most ``MetadataListing/maximumEntries``.
  ///
  /// What is needed to show the picture is not listed: it says nothing about who made it. A block that
  /// is malformed is one entry as a whole.
  ///
  /// - Parameters:
  ///   - source: The whole file.
  ///   - format: Its format; one that is not taken apart has no entries.
  ///   - options: What `strip` would keep.
  ///   - showsValues: Whether entries have their values; they are private.
  /// - Returns: The entries.
  /// - Throws: `damaged` when the container does not follow its own format.
  package static func entries(
    of source: ByteSource,
    format: MediaFormat,
    options: StripOptions = StripOptions(),
    showsValues: Bool = false
  ) throws(MetadataError) -> [MetadataEntry] {
    guard let container = Stripper.inspector(format) else { return [] }
    var listing = MetadataListing(options: options, showsValues: showsValues)
    try container.list(source, into: &listing)
    return listing.entries
  }
}

/// What ``MetadataInspector`` asks of a container.
protocol ContainerInspector {
  /// Adds an entry for each part of `source` that is not needed to show it, in the order of the file.
  ///
  /// A part with Exif, XMP, IPTC, Photoshop or ICC in it is handed to the listing's own function for
  /// that; any other is one ``MetadataListing/add(_:at:isRemoved:value:)``.
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError)
}
