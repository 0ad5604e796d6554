package import MediaFileSystem
package import MediaListing
package import MediaModel

/// The files of a source that are no files of their own: the entries of archives, the objects of a camera.
///
/// Their bytes reach a run as a copy in an unlinked file, which is made after the access record. The run
/// knows them by what their listing says: a size and times, and the device and inode of what holds them.
package protocol SourceFiles: AnyObject {
  /// Lists the files that are no files of their own, behind the source's record.
  ///
  /// - Parameters:
  ///   - listed: What the source's folder holds; items are added, and those that only hold others are
  ///     taken out.
  ///   - checkAccess: Called before anything is opened, and while it is waited for.
  /// - Returns: What a person has to know.
  /// - Throws: `RunError` when the source cannot be listed at all, and what `checkAccess` throws.
  func list(
    into listed: inout ListedItems,
    checkAccess: SourceListing.CheckAccess
  ) throws(RunError) -> [String]

  /// Whether a path is that of a file that has to be copied to be read.
  func holds(_ path: ItemPath) -> Bool

  /// Copies a file.
  ///
  /// - Parameters:
  ///   - path: One that is held.
  ///   - copy: An unlinked file, empty and open for reading and writing.
  /// - Throws: ``SourceFileFailure``; then the item ends with its reason.
  func copy(_ path: ItemPath, into copy: Descriptor) throws(SourceFileFailure)
}

/// Why a file could not be copied from what holds it.
package struct SourceFileFailure: Error {
  package var reason: ItemReason
  /// For the log and the person; not yet escaped.
  package var detail: String
}
