package import MediaModel

/// The paths that published files have by now, of those that were renamed: by the paths that their outcome
/// records name.
package struct RenamedPaths: Sendable {
  /// Every path that a file has had, the present one last, by the first.
  private var paths: [[UInt8]: [[UInt8]]] = [:]
  /// The first path of a file by its present one, where they differ.
  private var first: [[UInt8]: [UInt8]] = [:]

  package init() {}

  package var isEmpty: Bool { paths.isEmpty }

  /// Adds a `relabelled` record, in the order of the log. A record that stands there twice, as after a kill,
  /// counts once.
  package mutating func add(_ rename: AuditFileChange) {
    let (from, to) = (rename.previousPath.bytes, rename.output.path.bytes)
    let start = first.removeValue(forKey: from) ?? from
    if let names = paths[start], names.last != from { return }
    paths[start, default: [start]].append(to)
    if to == start { paths[start] = nil } else { first[to] = start }
  }

  /// The path below the library that a file has now, by the path that its outcome record names.
  ///
  /// `isThere` says whether a file is at a path: of one that was renamed only in the log, the last path at
  /// which it is counts.
  package func current(of path: ItemPath, isThere: (ItemPath) -> Bool = { _ in true }) -> ItemPath {
    guard let names = paths[path.bytes], let last = names.last else { return path }
    let existing = names.reversed().lazy.map { ItemPath(bytes: $0) }.first(where: isThere)
    return existing ?? ItemPath(bytes: last)
  }
}
