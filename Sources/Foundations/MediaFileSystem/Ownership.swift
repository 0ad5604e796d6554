internal import Glibc
internal import MediaModel

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

extension FileSystem {
  /// Resolves a path without a link that anybody but root could have made.
  ///
  /// - Parameter path: Absolute; what is missing is resolved by its name.
  /// - Returns: What ``resolved(_:)`` returns for what is there; nil where a symbolic link on the way belongs to somebody
  ///   else, and where the links do not end. Source: path_resolution(7).
  package static func resolvedByRoot(_ path: [UInt8]) -> [UInt8]? {
    var names = path.split(separator: UInt8.slash).map { Array($0) }[...]
    var (reached, links): ([UInt8], Int) = ([], 0)
    while let name = names.popFirst() {
      if name == [UInt8.dot] { continue }
      if name == [UInt8.dot, UInt8.dot] {
        reached = Array(reached[..<(reached.lastIndex(of: UInt8.slash) ?? 0)])
        continue
      }
      let next = reached + [UInt8.slash] + name
      var status = stat()
      guard withCString(next, { lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFLNK else {
        reached = next
        continue
      }
      links += 1
      var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = withCString(next) { next in
        target.withUnsafeMutableBytes { target in
          target.assumingMemoryBound(to: CChar.self).baseAddress.map { readlink(next, $0, target.count) }
            ?? -1
        }
      }
      guard status.st_uid == 0, links <= 40, count > 0 else { return nil }
      let words = target[..<count]
      if words.first == .slash { reached = [] }
      names = (words.split(separator: UInt8.slash).map { Array($0) } + names)[...]
    }
    return reached.isEmpty ? [UInt8.slash] : reached
  }
}
