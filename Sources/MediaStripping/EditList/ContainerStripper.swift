import MediaContainers
import MediaMetadata
import MediaModel

/// The operations of one container format, so that ``Stripper`` and ``MetadataInspector`` depend on
/// no particular container. One type per format conforms.
protocol ContainerStripper {
  /// Returns the edit list that makes the output from `source`; see
  /// ``Stripper/editList(of:format:options:)``.
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList

  /// Verifies an output; see ``Stripper/verify(output:format:options:)``.
  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError)

  /// Adds an entry for each part of `source` that is not needed to show it, in the order of the
  /// file, for ``MetadataInspector``.
  ///
  /// A part with Exif, XMP, IPTC, Photoshop or ICC in it is passed to the listing's own function
  /// for that format; any other part is added with ``MetadataListing/add(_:at:isRemoved:value:)``.
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError)
}

extension ICCProfile {
  /// Returns the profile in `range` with what color needs alone; nil when it is none.
  ///
  /// - Throws: `overLimit` for more than 4 MiB.
  static func cleaned(
    _ range: Range<Int>,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8]? {
    guard let bytes = source.bytes(in: range, limit: maximumLength) else {
      throw MetadataError(.overLimit, "an ICC profile of more than 4 MiB")
    }
    return cleaned(bytes)
  }
}
