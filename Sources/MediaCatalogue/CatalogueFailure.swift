package import MediaFileSystem

/// A file as it was when it failed for a reason that cannot change by itself.
package struct CatalogueFailure: Sendable, Hashable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  /// In nanoseconds since 1970, as ``changed``.
  package var modified: Int64
  package var changed: Int64
  /// Whether it did not fail, but was left out by the source's fetch options.
  package var isNotFetched = false
  /// Whether it did not fail, but is in the library without thumbnails.
  package var isThumbnailMissing = false

  package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  /// Whether nothing about the file has changed since it failed.
  package func isSameFile(as status: FileStatus) -> Bool {
    device == status.device && inode == status.inode && size == status.size
      && modified == status.modified && changed == status.changed
  }
}
