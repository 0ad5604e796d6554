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

  /// Whether a limit takes some of the new items by what only open files tell.
  var isLimitedByContent: Bool { source.fetch.limitsByContent && diff.pending.hasNew }
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
