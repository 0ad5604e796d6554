package import MediaAudit
package import MediaFileSystem
package import MediaLibrary
package import MediaModel
package import MediaPermissions
package import MediaSandbox

/// Why a run stopped as a whole; what concerns one item is that item's outcome instead.
package struct RunError: Error, Sendable, CustomStringConvertible {
  package var exitCode: ExitCode
  /// A stable word for the summary.
  package var code: String
  /// What happened, and what to do.
  package var description: String

  package init(_ exitCode: ExitCode, code: String, _ description: String) {
    self.exitCode = exitCode
    self.code = code
    self.description = description
  }

  /// As a summary lists it.
  package var problem: RunReport.Problem {
    RunReport.Problem(code: code, message: description)
  }

  package init(_ error: LibraryError) {
    self.init(error.exitCode, code: error.code.rawValue, error.description)
  }

  /// A store of answers that cannot be read or written; without it nothing can be decided.
  package init(_ error: StoreError) {
    self.init(error.exitCode, code: "answers", "\(error)")
  }

  package init(_ error: AuditError) {
    self.init(
      .cannotWrite,
      code: "auditNotWritten",
      "\(error) Nothing more was opened. Make room or mend the disk, then run again: it resumes."
    )
  }

  package init(_ error: SandboxError) {
    let exitCode: ExitCode =
      switch error.code {
      case .landlockUnavailable, .seccompUnavailable, .layerRefused, .ruleRefused,
        .notSingleThreaded, .limitRefused:
        .enforcementUnavailable
      default: .internalCheck
      }
    self.init(
      exitCode,
      code: error.code.rawValue,
      error.code == .spawnFailed
        ? "\(error). Run again: it resumes. If it fails again, run `mediabatch doctor`."
        : "\(error). Run `mediabatch doctor` to see what this machine can enforce."
    )
  }

  /// A file of the library that could not be written.
  package init(writing error: FileSystemError) {
    self.init(LibraryError(error))
  }
}
