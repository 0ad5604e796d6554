package import MediaAudit
package import MediaFileSystem
package import MediaModel

extension AuditAccess {
  /// Makes the record that a file is about to be opened.
  package init(
    to path: ItemPath,
    _ status: FileStatus,
    of source: SourceID,
    because basis: DecisionReason
  ) {
    self.init()
    (self.source, self.path, self.basis) = (source, path, basis)
    (size, modified, changed) = (status.size, status.modified, status.changed)
    (device, inode) = (status.device, status.inode)
  }
}
