package import MediaAudit
internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline

extension AuditCopying {
  /// Appends the record to the log of a library, in a file of its own, before what it tells of is made.
  ///
  /// Nothing else of the library changes, but that what a killed command left is finished first, as before any record.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - signer: Signs the log's head; nil when it is not signed.
  /// - Returns: The log's new head.
  /// - Throws: `RunError`: 73 while a run holds the library, 74 when the log cannot be written.
  package func append(toLogOf path: [UInt8], signer: AuditSigner?) throws -> EndedLog {
    let library = try MaintenanceLog.open(path, waits: false)
    defer { library.catalogue.close() }
    let log = try MaintenanceLog(of: command, in: library, signer: signer)
    log.writer.append(self)
    return try log.end(exitCode: .success)
  }
}
