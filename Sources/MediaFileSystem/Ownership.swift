internal import Glibc

/// Who owns a file or folder, and who may write it. Source: fstat(2).
package struct Ownership: Sendable, Hashable {
  /// User number.
  package var owner: UInt32
  /// The lower 12 bits of the mode.
  package var mode: UInt32

  /// Whether nobody but `user` and root can have written it; access lists are not looked at, which
  /// can only take away from the group's bits.
  package func isWritableOnly(by user: UInt32) -> Bool {
    (owner == user || owner == 0) && mode & 0o022 == 0
  }
}

extension Descriptor {
  package func ownership() throws(FileSystemError) -> Ownership {
    var status = stat()
    guard fstat(raw, &status) == 0 else {
      throw FileSystemError(call: "fstat", path: path, errno: errno)
    }
    return Ownership(owner: status.st_uid, mode: status.st_mode & 0o7777)
  }
}

extension FileSystem {
  /// Of what stands at a path, symbolic links followed.
  package static func ownership(ofPath path: [UInt8]) throws(FileSystemError) -> Ownership {
    try openPath(path).ownership()
  }
}
