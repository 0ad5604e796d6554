package import MediaFileSystem
internal import MediaManifest
internal import MediaModel

/// Folders beneath which nothing is read or written because somebody named it, whatever it is and whatever named it: an
/// option, a key of a manifest, a variable.
package struct ClosedFolders: Sendable {
  package typealias Folder = (name: String, path: [UInt8])

  /// The folders, with their names for a person.
  package let folders: [Folder]

  package init(_ folders: [Folder]) { self.folders = folders }

  /// Opens a file that somebody named for reading.
  ///
  /// It is opened with O_PATH first, which reads nothing, and for reading only if it is a regular file, lies in none of
  /// the folders, and has no second name that could lie there.
  ///
  /// - Parameters:
  ///   - path: Absolute, or relative to the working directory; symbolic links are followed.
  ///   - name: What it is, and its path, to begin a sentence with.
  /// - Returns: The file, open for reading.
  /// - Throws: ``LoadedManifest/Mistakes`` for one that lies there; `FileSystemError`.
  package func open(_ path: [UInt8], _ name: String) throws -> Descriptor {
    let file = try FileSystem.openPath(path)
    try check(file, name)
    return try FileSystem.openForReading(file)
  }

  /// Opens a folder for listing, which may not be one of the folders either; the parameters and errors are those of
  /// ``open(_:_:)``.
  package func openFolder(_ path: [UInt8], _ name: String) throws -> Descriptor {
    let folder = try FileSystem.openPath(path)
    try check(folder, name, isListed: true)
    return folder
  }

  /// Looks in the same way at a path that somebody else opens; the parameters and errors are those of ``open(_:_:)``.
  package func check(_ path: [UInt8], _ name: String) throws {
    try check(FileSystem.openPath(path), name)
  }

  private func check(_ file: Descriptor, _ name: String, isListed: Bool = false) throws {
    // The open file is checked: its name may lead elsewhere a moment later.
    let ancestors = FileSystem.ancestry(ofPath: [UInt8]("/proc/self/fd/\(file.raw)".utf8))
      .dropFirst(isListed ? 0 : 1)
    let holder = folders.first { _, path in
      guard let folder = try? FileSystem.status(ofPath: path) else { return false }
      return ancestors.contains { $0.isSameInode(as: folder) }
    }
    if let holder { throw Self.mistake(name, in: holder.name) }
    let status = try file.status()
    if status.kind == .regular, status.linkCount > 1, devices.contains(status.device) {
      throw LoadedManifest.Mistakes(
        .sourcesOverlap,
        "\(name) has \(status.linkCount) names (hard links), and one of them may lie in a source, from which nothing "
          + "is read before that is allowed. Use a copy."
      )
    }
  }

  /// Looks whether something that need not be there yet would lie in one of the folders; opens nothing.
  ///
  /// - Parameters:
  ///   - path: Absolute, or relative to the working directory.
  ///   - what: What it is, to begin a sentence with.
  /// - Throws: ``LoadedManifest/Mistakes``.
  package func check(missing path: [UInt8], _ what: String) throws(LoadedManifest.Mistakes) {
    let holder = folders.first { SourcesOverlap.isWithin(path, folder: $0.path) }
    let shown = EscapedText.percentEscaped(path)
    if let holder { throw Self.mistake("\(what) \"\(shown)\"", in: holder.name) }
  }

  private static func mistake(_ name: String, in holder: String) -> LoadedManifest.Mistakes {
    LoadedManifest.Mistakes(
      .sourcesOverlap,
      "\(name) lies within \(holder), from which nothing is read before that is allowed. "
        + "Move it beside the manifest."
    )
  }

  /// The devices of the folders, on which a hard link may lead into one.
  private var devices: Set<UInt64> {
    Set(folders.compactMap { try? FileSystem.status(ofPath: $0.path).device })
  }
}
