package import MediaFileSystem
package import MediaListing
package import MediaManifest
package import MediaModel
package import MediaPhotosLibrary
package import MediaPredicate

extension SourceListing {
  /// Lists a Photos library: the files of its originals and renditions, each as its database has it, and what the
  /// database names and the library does not hold.
  ///
  /// Under `limited`, what is not selected is left out here, and nothing is said of it.
  package mutating func listPhotos(_ photos: PhotosSource) throws {
    let includesHidden = source.fetch.includesHiddenAssets
    try walk { path in
      PhotosLibraryFiles.isMedia(path, includesShared: includesHidden)
    } enters: { folder in
      PhotosLibraryFiles.isEntered(folder, includesShared: includesHidden)
    }
    let walked = items
    items = ListedItems()
    guard let index = photos.index else {
      warnings.append(
        "A plan does not open the database of a Photos library: which files are hidden, in the trash or not "
          + "downloaded, and which albums are selected, only a run finds out."
      )
      for item in walked where source.selection?.contains(item.path) != false { items.append(item) }
      return
    }
    let listing = PhotosListing(of: walked, index, photos.selection, includesHidden: includesHidden)
    items = listing.items
    warnings += listing.warnings
    if photos.selection != nil { photos.selected = items.map(\.path) }
  }
}
