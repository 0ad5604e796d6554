package import MediaModel

extension MetadataInspector {
  /// Of a file with more entries the first so many are listed.
  package static var maximumEntries: Int { MetadataListing.maximumEntries }

  /// Whether files of this format are taken apart; of another, no entries means nothing.
  package static func lists(_ format: MediaFormat) -> Bool {
    Stripper.inspector(format) != nil
  }
}
