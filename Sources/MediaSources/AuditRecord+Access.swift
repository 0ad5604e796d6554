package import MediaAudit
package import MediaFileSystem
package import MediaModel

extension AuditRecord {
  /// The record that a file is about to be opened, or with its SHA-256 that it was read.
  package static func access(
    to path: ItemPath,
    _ status: FileStatus,
    of source: SourceKind,
    because basis: DecisionReason,
    sha256: String? = nil
  ) -> AuditRecord {
    .access(
      source: source,
      path: path,
      size: status.size,
      modified: status.modified,
      changed: status.changed,
      device: status.device,
      inode: status.inode,
      basis: basis,
      sha256: sha256
    )
  }
}
