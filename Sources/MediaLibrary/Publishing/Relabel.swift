internal import Glibc
package import MediaCatalogue
internal import MediaFileSystem
internal import MediaModel

/// A new label of a published asset, with each of its files under the name that it has and will have.
package struct Relabel: Sendable, Hashable {
  /// A file that is renamed within its folder; both paths are below the library.
  package struct File: Sendable, Hashable {
    package var from: String
    package var to: String
    package var bytes: Int64
    package var sha256: String

    package init(from: String, to: String, bytes: Int64, sha256: String) {
      self.from = from
      self.to = to
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  package var localIdentifier: String
  package var label: String
  /// The originals first, then the thumbnails.
  package var files: [File]

  package init(localIdentifier: String, label: String, files: [File]) {
    self.localIdentifier = localIdentifier
    self.label = label
    self.files = files
  }

  /// The folders of its files, below the library, each once.
  package var folders: [String] {
    var folders: [String] = []
    for file in files {
      let folder = Self.split(file.from).folder
      if !folders.contains(folder) { folders.append(folder) }
    }
    return folders
  }

  /// The folder and the name of a path below the library.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
  }
}

extension Library {
  /// Renames the files of assets, then flushes; can be repeated after an interruption at any point.
  ///
  /// A file that is at its new name already was renamed before; one that is at neither is lost, which is
  /// for a run or `repair` to mend.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` for a new name at which another file is, which stays;
  ///   `.cannotWrite`, `.outOfSpace`.
  package func rename(_ relabels: [Relabel]) throws(LibraryError) {
    do {
      var last: Descriptor?
      for file in relabels.flatMap(\.files) { last = try rename(file) ?? last }
      // On a descriptor of this renaming's own: an older one still has an older failure to tell.
      if let last { try FileSystem.flush(fileSystemOf: last) }
    } catch {
      throw LibraryError(wrapping: error)
    }
  }

  /// Renames one file, unless it was renamed before.
  ///
  /// - Returns: Its folder, which has to be flushed either way; nil when there is none.
  private func rename(_ file: Relabel.File) throws -> Descriptor? {
    let (from, to) = (Relabel.split(file.from), Relabel.split(file.to))
    var folder: Descriptor?
    do throws(FileSystemError) {
      let opened = try FileSystem.openForReading(
        beneath: root,
        [UInt8](from.folder.utf8),
        crossMounts: true,
        isFolder: true
      )
      folder = opened
      try FileSystem.rename(
        from: opened,
        [UInt8](from.name.utf8),
        to: opened,
        [UInt8](to.name.utf8)
      )
    } catch {
      guard error.errno == EEXIST || error.isMissing else { throw error }
      if error.errno == EEXIST {
        throw LibraryError(
          .inconsistent,
          "\"\(EscapedText.printable(file.to))\" is in the library already; it was left as it is, and "
            + "so was \"\(EscapedText.printable(file.from))\". Move one of them away, then run again."
        )
      }
    }
    return folder
  }

  /// Whether a file is at a path below the library.
  package func hasFile(_ path: String) -> Bool {
    [UInt8](path.utf8).withUnsafeBytes { FileSystem.exists(beneath: root, $0) }
  }
}
