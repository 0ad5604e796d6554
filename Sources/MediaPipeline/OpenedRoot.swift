internal import MediaFileSystem
internal import MediaModel

/// Looks whether the root of a source is still what was decided about, once it is open.
///
/// Its name may mean another folder than when the manifest was read: somebody who can rename beside
/// it needs a moment only. What is open cannot be exchanged any more.
enum OpenedRoot {
  /// Compares by device and inode, as `SourcesOverlap` does by name; opens nothing of `others`.
  ///
  /// - Parameters:
  ///   - root: The opened folder, as a place.
  ///   - source: Whose folder it is.
  ///   - others: Absolute paths of the other sources, refused ones too, and of the library.
  /// - Throws: `RunError`, `sourcesOverlap`, when it is one of them, lies in one or holds one.
  static func check(
    _ root: Descriptor,
    of source: SourceKind,
    others: [[UInt8]]
  ) throws(RunError) {
    let own: [FileStatus]
    do {
      own = try chain(from: root)
    } catch {
      throw RunError(
        .sourceUnavailable,
        code: "sourceUnavailable",
        "The \(source.displayName) has gone: \(error). Attach what holds it."
      )
    }
    for path in others {
      let other = chain(ofPath: path)
      guard let first = own.first, let otherFirst = other.first,
        own.contains(where: { isSame($0, otherFirst) })
          || other.contains(where: { isSame($0, first) })
      else { continue }
      throw RunError(
        .manifestMistake,
        code: "sourcesOverlap",
        "Not run: the folder of the \(source.displayName) became another one while the run began, "
          + "and that overlaps \"\(EscapedText.printable(String(decoding: path, as: UTF8.self)))\". Ask who renames folders there."
      )
    }
  }

  /// The folder and all above it, through what is open: no name is asked again.
  ///
  /// Source: proc_pid_fd(5): the link leads to the folder itself, and `..` from there.
  private static func chain(from root: Descriptor) throws(FileSystemError) -> [FileStatus] {
    var chain = [try root.status()]
    var place = root
    while true {
      let above = try FileSystem.openPlace([UInt8]("/proc/self/fd/\(place.raw)/..".utf8))
      let status = try above.status()
      if let last = chain.last, isSame(last, status) { return chain }
      chain.append(status)
      place = above
    }
  }

  /// The same of a path that is not opened; what is not there has no first.
  private static func chain(ofPath path: [UInt8]) -> [FileStatus] {
    guard let resolved = FileSystem.resolved(path) else { return [] }
    var chain: [FileStatus] = []
    var rest = resolved[...]
    while true {
      let name = rest.isEmpty ? [UInt8(ascii: "/")] : Array(rest)
      guard let status = try? FileSystem.status(ofPath: name) else { return chain }
      chain.append(status)
      guard !rest.isEmpty, let slash = rest.lastIndex(of: UInt8(ascii: "/")) else { return chain }
      rest = rest[..<slash]
    }
  }

  private static func isSame(_ first: FileStatus, _ second: FileStatus) -> Bool {
    first.device == second.device && first.inode == second.inode
  }
}
