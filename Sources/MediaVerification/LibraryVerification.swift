package import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// The result of comparing every file of a library with its catalogue and its log.
package struct LibraryVerification {
  package let files: LibraryFileCheck
  package let audit: AuditVerification
  /// Whether a run held the library: then what is unfinished is that run's.
  package let isInUse: Bool
  /// Whether SQLite, the digests of all rows and the log find the catalogue as it was written.
  package let isCatalogueWhole: Bool
  /// Damage to the catalogue, and files that the log does not record; escaped.
  package let problems: [String]

  /// The findings that are differences and no mere remarks.
  package var differences: [LibraryFileCheck.Finding] { files.findings.filter(\.isDifference) }

  /// Whether everything is as it was written.
  package var isGood: Bool {
    differences.isEmpty && audit.difference == nil && problems.isEmpty
  }

  /// Reads every file of the library at a path once, and its log twice; changes nothing. A run may go
  /// on meanwhile.
  ///
  /// Lines of the log are hashed on as many `threads`; by default one a processor.
  ///
  /// - Throws: `LibraryError`, `FileSystemError`, `AuditError` when library, catalogue or log cannot be
  ///   read at all. A difference is not an error.
  package init(library path: [UInt8], threads: Int? = nil) throws {
    let catalogue = try CatalogueReader(library: path)
    let root = try FileSystem.openFolder(path)
    isInUse = Library.isHeld(root)
    let damage = try catalogue.integrityProblems().map { "library.sqlite: \($0)" }
    // The files are looked at after catalogue and log were read.
    let log = try LibraryLog(root: root, catalogue: catalogue).verify(
      readsFiles: true,
      threads: threads
    )
    audit = log.verification
    let recorded = try log.recordedFiles()
    let unrecorded = log.unrecordedFiles(in: recorded).map { file in
      ItemPath(bytes: [UInt8](file.path.utf8)).text
        + ": the log has no record that it was written like this"
    }
    let isRightContent = log.hasContentOfLastRun(recorded)
    isCatalogueWhole = damage.isEmpty && isRightContent
    problems =
      damage
      + (isRightContent
        ? [] : ["library.sqlite: it has other content than the last run's end in the log says"])
      + unrecorded
    let known = try log.catalogue ?? catalogue.snapshot(readsFiles: true)
    var files = try LibraryFileCheck(root: root, catalogue: known, isHeld: isInUse) {
      () throws(LibraryError) in try catalogue.snapshot(readsFiles: true)
    }
    files.noteUnrecorded(log.filesToRecord(in: recorded))
    self.files = files
  }
}
