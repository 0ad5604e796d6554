package import MediaAudit
package import MediaModel

/// The head of a library's log after a command that is no run has ended: that of its own file, or of
/// a run that it started.
package struct EndedLog: Sendable, Hashable {
  /// Below the library.
  package let file: String
  package let records: Int
  /// SHA-256 of the last record.
  package let head: String
  package let tree: AuditTreeHead
  /// The signed head, as it lies beside the file; nil when it is not signed.
  package let signed: String?

  package init(_ writer: AuditWriter, signed: String?) {
    file = "Audit/" + writer.file.text
    records = writer.recordCount
    head = writer.head
    tree = writer.treeHead
    self.signed = signed
  }

  /// The head after a run; nil when it wrote no log.
  init?(_ report: RunReport) {
    guard let auditFile = report.auditFile else { return nil }
    file = auditFile
    records = report.auditRecords
    head = report.auditHead
    tree = AuditTreeHead(size: report.auditSize, root: report.auditRoot)
    signed = report.auditSignedHead
  }
}
