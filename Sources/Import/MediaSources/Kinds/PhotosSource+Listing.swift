internal import MediaFileSystem
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPhotosLibrary
internal import MediaPredicate

extension PhotosSource {
  /// Lists a Photos library: the files of its originals and renditions, each as its database has it, and what the
  /// database names and the library does not hold.
  ///
  /// Under `limited`, what is not selected is left out here, and nothing is said of it.
  ///
  /// - Throws: `FileSystemError` when the folder cannot be listed; `RunError` when the database was not read.
  package func list(into listing: inout SourceListing) throws {
    let source = listing.source
    let includesHidden = source.fetch.includesHiddenAssets
    try listing.walk { path in
      PhotosLibraryFiles.isMedia(path, includesShared: includesHidden)
    } enters: { folder in
      PhotosLibraryFiles.isEntered(folder, includesShared: includesHidden)
    }
    let walked = listing.items
    listing.items = ListedItems()
    // The entries of a selection name assets by what would be forgotten.
    if selection == nil { index?.forgetDescriptions(besidesThoseOf: walked) }
    guard let index else {
      throw RunError(.internal, "The database of the Photos library was not read before its files.")
    }
    let listed = PhotosListing(of: walked, index, selection, includesHidden: includesHidden)
    listing.items = listed.items
    listing.warnings += listed.warnings
    listing.unmatchedRules += listed.unmatched.map {
      UnmatchedRule(.selection, of: listing.source.id, $0, noun: "entry")
    }
    if selection != nil { selected = listing.items.map(\.path) }
  }
}
