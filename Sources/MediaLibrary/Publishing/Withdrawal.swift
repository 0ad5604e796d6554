package import MediaCatalogue
package import MediaFileSystem
internal import MediaModel

/// A published asset that is taken out of the library, with each of its files, which are moved aside.
package struct Withdrawal: Sendable, Hashable {
  /// A file as the catalogue has it; its path is below the library.
  package struct File: Sendable, Hashable {
    package var path: String
    package var bytes: Int64
    package var sha256: String

    package init(path: String, bytes: Int64, sha256: String) {
      (self.path, self.bytes, self.sha256) = (path, bytes, sha256)
    }
  }

  package var localIdentifier: String
  /// The folder below the library in which each file gets the path that it had below the library.
  package var folder: String
  /// The originals first, replaced ones too, then the thumbnails.
  package var files: [File]

  package init(localIdentifier: String, folder: String, files: [File]) {
    self.localIdentifier = localIdentifier
    self.folder = folder
    self.files = files
  }

  /// The folders that its files lie in, below the library, each once.
  package var folders: [String] {
    var folders: [String] = []
    for file in files {
      let folder = Relabel.split(file.path).folder
      if !folders.contains(folder) { folders.append(folder) }
    }
    return folders
  }
}

extension Library {
  /// The folder below the library to which files are moved that it shall not hold.
  package static let quarantine = "Quarantine"

  /// Makes the folders to which the files of withdrawals are moved.
  ///
  /// - Throws: ``LibraryError`` `.cannotWrite`, `.outOfSpace`.
  package func makeFolders(for withdrawals: [Withdrawal]) throws(LibraryError) {
    do {
      for withdrawal in withdrawals {
        for folder in withdrawal.folders {
          _ = try privateFolder("\(withdrawal.folder)/\(folder)")
        }
      }
    } catch {
      throw LibraryError(error)
    }
  }

  /// Moves the files of withdrawn assets aside, then flushes; can be repeated after an interruption at any
  /// point.
  ///
  /// A file that is not at its place was moved before, or is lost; neither is an error.
  ///
  /// - Throws: ``LibraryError`` `.cannotWrite`, also when another file is at the place to which one is moved;
  ///   `.outOfSpace`.
  package func moveAside(_ withdrawals: [Withdrawal]) throws(LibraryError) {
    do {
      var last: Descriptor?
      for withdrawal in withdrawals {
        for file in withdrawal.files {
          last = try moveAside(file.path, to: withdrawal.folder) ?? last
        }
      }
      // On a descriptor of this move's own: an older one still has an older failure to tell.
      if let last { try FileSystem.flush(fileSystemOf: last) }
    } catch {
      throw LibraryError(error)
    }
  }

  /// Moves a file from its place to the same path below a folder of the library, and removes the folder of
  /// an asset that has no file any more.
  ///
  /// - Returns: The folder that the file lay in; nil when it is not there.
  @discardableResult
  package func moveAside(
    _ path: String,
    to folder: String
  ) throws(FileSystemError) -> Descriptor? {
    let (parent, name) = Relabel.split(path)
    let target = try privateFolder("\(folder)/\(parent)")
    do throws(FileSystemError) {
      let source = try folderForReading(parent)
      try FileSystem.rename(from: source, [UInt8](name.utf8), to: target, [UInt8](name.utf8))
      let (day, own) = Relabel.split(parent)
      if day.hasPrefix("Originals/"), try FileSystem.entries(of: source).isEmpty {
        try FileSystem.removeFolder(in: folderForReading(day), [UInt8](own.utf8))
      }
      return target
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
  }

  private func folderForReading(_ path: String) throws(FileSystemError) -> Descriptor {
    if path.isEmpty { return root }
    return try FileSystem.openForReading(
      beneath: root,
      [UInt8](path.utf8),
      crossMounts: true,
      isFolder: true
    )
  }

  /// Opens a folder below the library that nobody else may read; it is made where it is missing.
  private func privateFolder(_ path: String) throws(FileSystemError) -> Descriptor {
    do {
      return try folderForReading(path)
    } catch {
      guard error.isMissing else { throw error }
    }
    var folder = root
    for part in path.split(separator: "/") {
      folder = try FileSystem.openOrMakeFolder(
        in: folder,
        [UInt8](part.utf8),
        mode: 0o700,
        crossMounts: true
      )
    }
    return folder
  }
}
