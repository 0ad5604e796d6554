/// A folder whose files are what the source has.
package final class FolderSource: MediaSource {
  package init() {}

  package func list(into listing: inout SourceListing) throws {
    try listing.listFolder()
    listing.noteUnmatched()
  }
}
