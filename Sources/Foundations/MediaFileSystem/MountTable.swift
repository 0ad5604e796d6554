import MediaModel

/// A folder as its own file system knows it, whichever mounts lead to it.
package struct FileSystemLocation: Sendable, Hashable {
  /// The numbers of the device, such as `259:2`.
  private var device: [UInt8]
  /// The path from the root of the file system, a name each.
  private var names: [[UInt8]]

  fileprivate init(device: [UInt8], names: [[UInt8]]) {
    self.device = device
    self.names = names
  }

  /// Returns whether this is `other`, or lies within it.
  package func isWithin(_ other: FileSystemLocation) -> Bool {
    device == other.device && names.starts(with: other.names)
  }
}

/// The mounts of this process when the table was read.
///
/// Source: proc_pid_mountinfo(5).
package struct MountTable: Sendable {
  private struct Mount {
    var device: [UInt8]
    /// The path, within its file system, of the folder or file that is mounted.
    var root: [[UInt8]]
    var pointDepth: Int
  }

  /// By the number that statx(2) tells as `stx_mnt_id`.
  private var mounts: [UInt64: Mount] = [:]

  /// Reads the table of this process; empty where `/proc` is not mounted.
  package init() {
    let file = try? FileSystem.openFile([UInt8]("/proc/self/mountinfo".utf8))
    self.init((try? file?.readToEnd(limit: 16 << 20)) ?? [])
  }

  /// Reads a table from its text; a line that is not understood is left out.
  package init(_ text: [UInt8]) {
    for line in text.split(separator: UInt8.newline) {
      let fields = line.split(separator: UInt8.space, maxSplits: 5)
      guard fields.count >= 5, let number = UInt64(String(decoding: fields[0], as: UTF8.self))
      else { continue }
      mounts[number] = Mount(
        device: Array(fields[2]),
        root: Self.names(fields[3]),
        pointDepth: Self.names(fields[4]).count
      )
    }
  }

  /// Finds where a file lies within its file system.
  ///
  /// - Parameters:
  ///   - path: Absolute, with every symbolic link resolved.
  ///   - mount: The number of the mount that the path leads through.
  /// - Returns: Nil for an unknown mount.
  package func location(ofPath path: [UInt8], mount: UInt64) -> FileSystemLocation? {
    mounts[mount].map { mounted in
      let names = path.split(separator: UInt8.slash).map(Array.init)
      return FileSystemLocation(
        device: mounted.device,
        names: mounted.root + names.dropFirst(mounted.pointDepth)
      )
    }
  }

  /// Returns where a folder lies within its file system, or nil if it does not exist.
  package func location(ofPath path: [UInt8]) -> FileSystemLocation? {
    guard let resolved = FileSystem.resolved(path),
      let status = try? FileSystem.status(ofPath: resolved)
    else { return nil }
    return location(ofPath: resolved, mount: status.mount)
  }

  /// Returns the mounts that show nothing of `folders`.
  package func mounts(apartFrom folders: [FileSystemLocation]) -> Set<UInt64> {
    Set(
      mounts.filter { _, mount in
        let root = FileSystemLocation(device: mount.device, names: mount.root)
        return !folders.contains { root.isWithin($0) }
      }.keys
    )
  }

  /// The names of a path in which a space, tab, newline and backslash are octal numbers.
  private static func names(_ field: ArraySlice<UInt8>) -> [[UInt8]] {
    field.split(separator: UInt8.slash).map { name in
      var bytes: [UInt8] = []
      var escaped = name
      while let byte = escaped.popFirst() {
        let digits = escaped.prefix(3)
        if byte == UInt8(ascii: "\\"), digits.count == 3,
          let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
        {
          bytes.append(value)
          escaped = escaped.dropFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      return bytes
    }
  }
}
