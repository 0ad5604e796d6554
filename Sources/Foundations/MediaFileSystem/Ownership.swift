internal import Glibc

/// The owner and the mode of a file or folder. Source: fstat(2).
package struct Ownership: Sendable, Hashable {
  /// The user number of the owner.
  package var owner: UInt32
  /// The lower 12 bits of the mode.
  package var mode: UInt32

  /// Returns whether only `user` and root can have written it. Access lists are not read, because
  /// they can only restrict the group's bits.
  package func isWritableOnly(by user: UInt32) -> Bool {
    (owner == user || owner == 0) && mode & 0o022 == 0
  }
}

extension Descriptor {
  /// Returns the current owner and mode of this file.
  package func ownership() throws(FileSystemError) -> Ownership {
    var status = stat()
    guard fstat(raw, &status) == 0 else {
      throw FileSystemError(call: "fstat", path: path, errno: errno)
    }
    return Ownership(owner: status.st_uid, mode: status.st_mode & 0o7777)
  }
}

extension FileSystem {
  /// Returns the ownership of the file at a path, following symbolic links.
  package static func ownership(ofPath path: [UInt8]) throws(FileSystemError) -> Ownership {
    try openPath(path).ownership()
  }
}
