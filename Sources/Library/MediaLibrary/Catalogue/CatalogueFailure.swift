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
    status.isUnchanged(
      since: (device: device, inode: inode, size: size, modified: modified, changed: changed)
    )
  }
}

extension FileStatus {
  /// Whether a file at the same path is the one that had these numbers, and has not changed.
  ///
  /// A disk that is attached anew, and a volume of btrfs or NFS, has another device number each time, so Git does
  /// not compare it either. It decides only where the time of change is no finer than 10 ms, as on FAT and exFAT:
  /// the kernel draws their inodes, and files of two cards may agree in everything else.
  package func isUnchanged(
    since earlier: (device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64)
  ) -> Bool {
    inode == earlier.inode && size == earlier.size && modified == earlier.modified
      && changed == earlier.changed
      && (device == earlier.device || changed % Self.coarsestTick != 0)
  }

  /// Nanoseconds.
  private static let coarsestTick: Int64 = 10_000_000
}
