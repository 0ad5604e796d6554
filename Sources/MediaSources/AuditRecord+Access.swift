package import MediaAudit
package import MediaFileSystem
package import MediaModel

extension AuditRecord {
  /// The record that a file is about to be opened.
  package static func access(
    to path: ItemPath,
    _ status: FileStatus,
    of source: SourceKind,
    because basis: DecisionReason
  ) -> AuditRecord {
    .access(
      source: source,
      path: path,
      size: status.size,
      modified: status.modified,
      changed: status.changed,
      device: status.device,
      inode: status.inode,
      basis: basis
    )
  }
}
