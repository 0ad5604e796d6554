internal import MediaLibrary
internal import MediaModel
internal import MediaPredicate
internal import MediaSources

/// A source as a run, or a dry run, has listed it and compared it with the library.
struct ComparedSource {
  /// The source with the conditions of its failures.
  var source: PlannedSource
  var listing: SourceListing
  var diff: SourceDiff
  /// Items that stay as they are since rows of the catalogue about them are not as they were written.
  var damaged: [ItemPath]
  /// The nanoseconds until the first of the files that may still be written can have settled; nil when
  /// there is none.
  var settlesIn: Int64?
  /// What tells the albums that the source has from those that it had elsewhere.
  var albums = ComparedAlbums()

  /// Whether a limit takes some of the new items by what only open files tell.
  var isLimitedByContent: Bool { source.fetch.limitsByContent && diff.pending.hasNew }
}

/// The albums that a library has of a source which was in another place, and of which no file is in the listing: they
/// are those of another source, as far as can be known, and do not end.
struct ComparedAlbums {
  /// The place of the source now; 0 without a library.
  var place: Int64 = 0
  var elsewhere: [SourceAlbum] = []

  /// The albums that are stored where a source has these: at one key there is one album.
  func stored(_ albums: [SourceAlbum]) -> [SourceAlbum] {
    let keys = Set(elsewhere.map(\.key))
    let placed = albums.filter { !keys.contains($0.key) }.map { album in
      var album = album
      album.place = place
      return album
    }
    return elsewhere + placed
  }
}

/// The library that a listing is compared with.
struct ComparedLibrary {
  /// The items of earlier runs; nil without a library, where every item is pending.
  var catalogue: (any CatalogueItems)?
  /// Published files that are gone.
  var lost: LostFiles?
  /// The key of the digests of what sources say of files; nil without a library.
  var digestKey: [UInt8]?
}
