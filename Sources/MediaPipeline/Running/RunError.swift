package import MediaAudit
package import MediaFileSystem
package import MediaLibrary
package import MediaModel
package import MediaPermissions
package import MediaSandbox

/// The error that stopped a whole run; an error of one item is that item's outcome instead.
package struct RunError: Error, Sendable, CustomStringConvertible {
  /// The exit code of the command.
  package var exitCode: RunExitCode
  /// The stable word for the error.
  package var code: ProblemCode
  /// What happened and what to do, for a person.
  package var description: String

  /// Makes an error; without `exitCode` a command exits with the code's own.
  package init(_ code: ProblemCode, exitCode: RunExitCode? = nil, _ description: String) {
    self.exitCode = exitCode ?? code.exitCode
    self.code = code
    self.description = description
  }

  /// The error as a summary lists it.
  package var problem: RunReport.Problem {
    RunReport.Problem(code: code, message: description)
  }

  /// Wraps an error of the library.
  package init(_ error: LibraryError) {
    let code = ProblemCode(rawValue: error.code.rawValue) ?? .internal
    self.init(code, exitCode: error.exitCode, error.description)
  }

  /// Wraps an error of the store of answers, without which nothing can be decided.
  package init(_ error: StoreError) {
    self.init(.answers, exitCode: error.exitCode, "\(error)")
  }

  /// Wraps the failure to write the log.
  package init(_ error: AuditError) {
    self.init(
      .auditNotWritten,
      "\(error) Nothing more was opened. Make room or mend the disk, then run again: it resumes."
    )
  }

  /// Wraps a failure to confine a process or to start a worker.
  package init(_ error: SandboxError) {
    self.init(
      ProblemCode(rawValue: error.code.rawValue) ?? .internal,
      error.code == .spawnFailed
        ? "\(error). Run again: it resumes. If it fails again, run `mediabatch doctor`."
        : "\(error). Run `mediabatch doctor` to see what this machine can enforce."
    )
  }

  /// Wraps the failure to write a file of the library.
  package init(writing error: FileSystemError) {
    self.init(LibraryError(error))
  }

  /// Checks that a command which changes a library can confine its processes.
  ///
  /// - Parameters:
  ///   - enforcement: Under `process` the kernel is not needed.
  ///   - subject: The process that would be confined, as `what reads the library's files`.
  /// - Throws: 69 when this kernel cannot.
  package static func requireEnforcement(
    _ enforcement: Enforcement,
    of subject: String
  ) throws(RunError) {
    let kernel = KernelSupport.probe()
    guard enforcement == .kernel, !kernel.canEnforce else { return }
    throw RunError(
      .enforcementUnavailable,
      "Nothing was changed: this kernel (\(kernel.kernelRelease): \(kernel.detail)) cannot confine "
        + "\(subject). `--enforcement process` goes on without."
    )
  }

  /// The error after three workers in a row ended before their first message.
  package static func workerDoesNotStart(_ enforcement: Enforcement) -> RunError {
    RunError(
      .workerDoesNotStart,
      exitCode: enforcement == .kernel ? .enforcementUnavailable : .internalCheck,
      "The worker program ends as soon as it is started. Run `mediabatch doctor`."
    )
  }

  /// Wraps any error that ends a run; a `FileSystemError` counts as one of writing the library.
  package init(wrapping error: any Error) {
    switch error {
    case let error as RunError: self = error
    case let error as LibraryError: self.init(error)
    case let error as StoreError: self.init(error)
    case let error as AuditError: self.init(error)
    case let error as SandboxError: self.init(error)
    case let error as FileSystemError: self.init(writing: error)
    default: self.init(.internal, "\(error)")
    }
  }
}
