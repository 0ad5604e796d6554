import MediaMetadata
package import MediaModel

extension MetadataInspector {
  /// The maximum number of entries that are listed; further entries of a file are left out.
  package static var maximumEntries: Int { MetadataListing.maximumEntries }

  /// Returns whether files of this format are parsed; for other formats, an empty list has no
  /// meaning.
  package static func lists(_ format: MediaFormat) -> Bool {
    (try? Stripper.container(format)) != nil
  }
}
