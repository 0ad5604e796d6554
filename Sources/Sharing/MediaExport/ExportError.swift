internal import MediaFileSystem
package import MediaModel

/// The reason that a folder was not made from a library.
package struct ExportError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The folder, or a part of it, was not made by this command.
    case notOurs
    /// Files in it were changed since they were written.
    case changed
    /// Another process is making it.
    case held
    /// It cannot be written, or a file of the library cannot be read.
    case failed
    /// The kernel cannot confine what decodes pictures.
    case notConfined
    /// It would lie in the library, or the library in it.
    case inLibrary
  }

  package var code: Code
  package var description: String

  init(_ code: Code, _ description: String) {
    (self.code, self.description) = (code, description)
  }

  init(_ error: FileSystemError, _ shown: String) {
    self.init(
      .failed,
      error.isOutOfSpace
        ? "\(shown) was not written: there is no room left (\(error.reason(besides: shown))). Nothing was changed; "
          + "make room and repeat the command."
        : "\(shown) was not written: \(error.reason(besides: shown)). Nothing was changed."
    )
  }

  /// The error for anything that is thrown while `shown` is made.
  init(wrapping error: any Error, _ shown: String) {
    switch error {
    case let error as ExportError: self = error
    case let error as FileSystemError: self.init(error, shown)
    default: self.init(.failed, "\(error)")
    }
  }

  /// The error where another command has the lock of `shown`.
  static func held(_ shown: String) -> Self {
    Self(.held, "Another command is writing \(shown). Wait until it ends.")
  }

  /// The error where a stranger's folder has the name that one beside `shown` gets for a while.
  static func stranger(_ name: [UInt8], _ shown: String) -> Self {
    Self(
      .notOurs,
      "\"\(EscapedText.percentEscaped(name))\", beside \(shown), was not made by mediabatch, and stands "
        + "where the new folder would grow. Move it away."
    )
  }

  package var exitCode: RunExitCode {
    switch code {
    case .notOurs, .changed, .inLibrary: .usage
    case .held: .libraryHeld
    case .failed: .cannotWrite
    case .notConfined: .enforcementUnavailable
    }
  }
}
