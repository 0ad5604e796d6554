internal import Glibc
internal import MediaModel

/// A failed system call on a file.
package struct FileSystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation that failed, such as `open` or `rename`.
  package var call: String
  /// The file as readable text; see `EscapedText`.
  package var path: String
  /// The kernel's number, such as `ENOSPC`.
  package var errno: Int32

  /// Makes an error for a failed call.
  package init(call: String, path: some Collection<UInt8>, errno: Int32) {
    self.call = call
    self.path = EscapedText.percentEscaped(path)
    self.errno = errno
  }

  /// The call, the path and the kernel's reason.
  package var description: String {
    "\(call) \"\(path)\": \(Self.text(errno))"
  }

  /// Whether the disk, a quota or the inode table is full.
  package var isOutOfSpace: Bool {
    errno == ENOSPC || errno == EDQUOT || errno == EFBIG
  }

  /// Whether the file does not exist.
  package var isMissing: Bool { errno == ENOENT || errno == ENOTDIR }

  /// Whether something has the name already.
  package var isExisting: Bool { errno == EEXIST }

  /// Returns the description of an error number. Source: strerror(3).
  package static func text(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
  }
}

extension Error {
  /// What went wrong, for a sentence that names a file, quoted or not, also in its folder: it is not named again.
  package func reason(besides shown: String) -> String {
    guard let error = self as? FileSystemError, "/\(shown.filter { $0 != "\"" })".hasSuffix("/" + error.path)
    else { return "\(self)" }
    return FileSystemError.text(error.errno)
  }
}
