package import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// The result of comparing every file of a library with its catalogue and its log.
package struct LibraryVerification {
  package let files: LibraryFileCheck
  package let audit: AuditVerification
  /// Damage to the catalogue, and files that the log does not record; escaped.
  package let problems: [String]

  /// The findings that are differences and no mere remarks.
  package var differences: [LibraryFileCheck.Finding] { files.findings.filter(\.isDifference) }

  /// Whether everything is as it was written.
  package var isGood: Bool {
    differences.isEmpty && audit.difference == nil && problems.isEmpty
  }

  /// Reads every file of the library at a path once, and its log twice; changes nothing.
  ///
  /// Lines of the log are hashed on as many `threads`; by default one a processor.
  ///
  /// - Throws: `LibraryError`, `FileSystemError`, `AuditError` when library, catalogue or log cannot be
  ///   read at all. A difference is not an error.
  package init(library path: [UInt8], threads: Int? = nil) throws {
    let catalogue = try CatalogueReader(library: path)
    let root = try FileSystem.openFolder(path)
    let damage = try catalogue.integrityProblems().map { "library.sqlite: \($0)" }
    files = try LibraryFileCheck(root: root, catalogue: catalogue)
    let log = try LibraryLog(root: root, catalogue: catalogue).verify(
      readsFiles: true,
      threads: threads
    )
    audit = log.verification
    let unrecorded = log.unrecordedFiles(in: try log.recordedFiles()).map { file in
      ItemPath(bytes: [UInt8](file.path.utf8)).text
        + ": the log has no record that it was written like this"
    }
    problems = damage + unrecorded
  }
}
