package import MediaAudit
package import MediaFileSystem
package import MediaLibrary
package import MediaModel
package import MediaPermissions
internal import MediaSandbox
internal import MediaWorkerPool

extension RunError {
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
      "\(error) Nothing more was opened. Make room or check the disk, then run again: it resumes."
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
