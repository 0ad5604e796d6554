internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// The files of a folder with a password.
extension ExportFolder {
  /// Returns the content of a small file of the folder that is there; nil where there is none.
  package func earlierContent(of path: String, limit: Int) -> [UInt8]? {
    guard let old,
      let file = try? FileSystem.openForReading(beneath: old, Array(path.utf8), crossMounts: false)
    else { return nil }
    return try? file.readToEnd(limit: limit)
  }

  /// Writes a sealed file, with a random time in the second of the first one: that of its last change would tell of it,
  /// and that of now which files belong together.
  ///
  /// - Parameters:
  ///   - path: The place that it would have without a password.
  ///   - recipe: The digest of what it was made from; empty for a file that is written anew each time.
  ///   - seal: What seals it.
  ///   - plain: Gives the file that has the content, and where in it.
  /// - Returns: Whether it is there; if not, it is in ``refused``.
  /// - Throws: ``ExportError``.
  func writeSealed(
    to path: [UInt8],
    recipe: String,
    by seal: FolderSeal,
    _ plain: () throws -> (file: Descriptor, part: Range<Int64>)
  ) throws(ExportError) -> Bool {
    let name = seal.name(of: path)
    let sealedPath = FolderSeal.path(of: name)
    return try writing(path, at: sealedPath, counts: !recipe.isEmpty) { folders, fileName in
      let (content, range) = try plain()
      let file = try FileSystem.createFile(in: work, Self.newName)
      try seal.seal(content, range, named: name, to: file)
      let second = try sealedAt ?? file.status().modified / 1_000_000_000 * 1_000_000_000
      sealedAt = second
      let part = RandomNumbers.with { Int64.random(in: 0..<1_000_000_000, using: &$0) }
      let status = try move(file, to: folders.new, fileName, modified: second + part)
      return ExportList.File(
        sha256: seal.recipe(recipe, of: path),
        size: status.size,
        modified: status.modified
      )
    }
  }

  /// Gives the folders of sealed files, and the list, the time of the files; nothing where the file system sets none.
  func hideTimes() {
    guard let sealedAt, let entries = try? FileSystem.entries(of: staging) else { return }
    for entry in entries {
      let opened = try? FileSystem.openForReading(beneath: staging, entry.name, crossMounts: false)
      try? opened?.setModified(sealedAt)
    }
    try? staging.setModified(sealedAt)
  }
}
