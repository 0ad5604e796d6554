package import MediaContainers
package import MediaMetadata
package import MediaModel

/// The operations of one container format, so that `Stripper` and `MetadataInspector` depend on no
/// particular container. One type per format conforms.
package protocol ContainerStripper: SendableMetatype {
  /// Walks `source` and passes each part to the builder, which makes the edit list, or lists for
  /// `inspect` what is not needed to show the file.
  ///
  /// A part with Exif, XMP, IPTC, Photoshop or ICC in it is passed to the listing's own function for
  /// that format. Entries are added in the order of the file. A file that is refused can be listed: what
  /// only an output needs is neither read nor checked for a builder that lists.
  ///
  /// - Throws: `damaged` for a file that does not follow its format; `overLimit` for one of absurdly
  ///   many parts; `stripUnsupported` for a part of unknown meaning that may affect decoding.
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError)

  /// Verifies an output: parses it and compares each of its parts with the allow-list.
  ///
  /// - Throws: `residue` naming the first part that should not be there; `damaged` when the output
  ///   is no file of the format.
  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError)
}

extension ContainerStripper {
  /// Returns the edit list that makes the output from `source`.
  ///
  /// - Throws: As ``strip(_:into:)``.
  package static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    var builder = EditListBuilder(sourceLength: source.length, options: options)
    try strip(source, into: &builder)
    return builder.finish()
  }

  /// Adds an entry for each part of `source` that is not needed to show it.
  ///
  /// - Throws: As ``strip(_:into:)``.
  package static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    var builder = EditListBuilder(listing: listing)
    try strip(source, into: &builder)
    listing = builder.listing
  }
}
