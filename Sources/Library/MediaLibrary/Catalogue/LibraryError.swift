package import MediaFileSystem
package import MediaModel

/// Why a library cannot be opened, written or trusted.
package struct LibraryError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, CaseIterable, Sendable {
    /// The folder holds something else.
    case notALibrary
    /// Written by another version.
    case unknownSchema
    /// Another run holds it.
    case held
    case cannotWrite
    case outOfSpace
    /// The file system lacks what publishing needs.
    case fileSystemUnsuitable
    /// A file that was published is not what the catalogue says.
    case inconsistent
  }

  package var code: Code
  /// A message that says what happened, and what to do.
  package var description: String
  /// What happened to a file, without what to do; nil for an error that the file system did not report.
  package private(set) var cause: String?

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The refusal of something that another version wrote.
  package static func anotherVersion(of subject: String) -> LibraryError {
    LibraryError(
      .unknownSchema,
      "\(subject) was written by another version of mediabatch, which this one cannot read. Nothing was changed. "
        + "Use that version, or import again into a new library."
    )
  }

  package init(_ error: FileSystemError) {
    code = error.isOutOfSpace ? .outOfSpace : .cannotWrite
    cause = "\(error)"
    description =
      error.isOutOfSpace
      ? "\(error). Make room on the library's file system, then run again: it resumes."
      : "\(error). Check the library's folder, then run again: it resumes."
  }

  /// Makes the error of what a library's files have met.
  package init(wrapping error: any Error) {
    switch error {
    case let error as LibraryError: self = error
    case let error as FileSystemError: self.init(error)
    default: self.init(.cannotWrite, "\(error)")
    }
  }

  /// The exit code of a command that meets this error.
  package var exitCode: RunExitCode {
    switch code {
    case .notALibrary: .manifestMistake
    case .unknownSchema: .anotherVersion
    case .held: .libraryHeld
    case .cannotWrite, .outOfSpace, .fileSystemUnsuitable: .cannotWrite
    case .inconsistent: .internalCheck
    }
  }
}
