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
    guard let index else {
      listing.warnings.append(
        "A plan does not open the database of a Photos library: which files are hidden, in the trash or not "
          + "downloaded, and which albums are selected, only a run finds out."
      )
      for item in walked where source.selection?.contains(item.path) != false {
        listing.items.append(item)
      }
      return
    }
    let known = PhotosListing(of: walked, index, selection, includesHidden: includesHidden)
    listing.items = known.items
    listing.warnings += known.warnings
    if selection != nil { selected = listing.items.map(\.path) }
  }
}
