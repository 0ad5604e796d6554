package import MediaContainers
package import MediaMetadata
package import MediaModel

/// The operations of one container format, so that `Stripper` and `MetadataInspector` depend on no
/// particular container. One type per format conforms.
package protocol ContainerStripper: SendableMetatype {
  /// Returns the edit list that makes the output from `source`.
  ///
  /// - Throws: `stripUnsupported` for a part of unknown meaning that may affect decoding; `damaged`
  ///   for a file that does not follow its format; `overLimit` for one of absurdly many parts.
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList

  /// Verifies an output: parses it and compares each of its parts with the allow-list.
  ///
  /// - Throws: `residue` naming the first part that should not be there; `damaged` when the output
  ///   is no file of the format.
  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError)

  /// Adds an entry for each part of `source` that is not needed to show it, in the order of the
  /// file, for `MetadataInspector`.
  ///
  /// A part with Exif, XMP, IPTC, Photoshop or ICC in it is passed to the listing's own function
  /// for that format; any other part is added with `MetadataListing.add(_:at:isRemoved:value:)`.
  ///
  /// - Throws: `damaged` for a file that does not follow its format.
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError)
}
