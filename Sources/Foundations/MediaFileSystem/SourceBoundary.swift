/// The limits of a source's walk: it enters no folder of another source, by whatever mount.
///
/// Two mounts of one folder are told by their place within the file system. A file system that is
/// itself mounted twice under two devices, such as a network share or an overlay's lower folder,
/// cannot be told.
package struct SourceBoundary: Sendable {
  /// The folders of the other sources, by device and inode.
  private var folders: [FileStatus] = []
  /// The mounts that were there when the run began and show no folder of another source.
  private var mounts: Set<UInt64> = []

  /// Notes the folders and mounts that are there now.
  ///
  /// - Parameters:
  ///   - others: Absolute paths of the other sources, refused ones too, and of the library.
  ///   - table: The mounts at the start of the run.
  package init(others: [[UInt8]], table: MountTable) {
    folders = others.compactMap { try? FileSystem.status(ofPath: $0) }
    mounts = table.mounts(apartFrom: others.compactMap { table.location(ofPath: $0) })
  }

  /// Tells whether what the walk met belongs to another source.
  ///
  /// - Parameters:
  ///   - status: The status of a folder or file that the walk met.
  ///   - root: The source's own folder.
  /// - Returns: True also for a mount that was not there when the run began.
  package func excludes(_ status: FileStatus, root: FileStatus) -> Bool {
    if status.mount != root.mount, !mounts.contains(status.mount) { return true }
    return status.kind == .folder && folders.contains { $0.isSameInode(as: status) }
  }
}
