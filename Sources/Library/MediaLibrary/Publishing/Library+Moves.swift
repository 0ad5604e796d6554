internal import Glibc
package import MediaFileSystem
package import MediaModel

extension Library {
  /// Makes the folders to which the files of decisions are moved.
  ///
  /// - Throws: ``LibraryError`` `.cannotWrite`, `.outOfSpace`.
  package func makeFolders(for edits: [LibraryEdit]) throws(LibraryError) {
    do {
      for folder in Set(edits.flatMap(\.moves).map(\.folders.to)) { _ = try privateFolder(folder) }
    } catch {
      throw LibraryError(wrapping: error)
    }
  }

  /// Moves the files of decisions, then flushes; can be repeated after an interruption at any point.
  ///
  /// A file that is not at its place was moved before; one that is at neither is lost, which is for a run or
  /// `repair` to mend.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` for a new name at which another file is, which stays;
  ///   `.cannotWrite`, also where that is so in `Quarantine`; `.outOfSpace`.
  package func moveFiles(of edits: [LibraryEdit]) throws(LibraryError) {
    do {
      var last: Descriptor?
      for edit in edits {
        for move in edit.moves {
          do throws(FileSystemError) {
            last = try self.move(move.from, to: move.to) ?? last
          } catch {
            guard error.errno == EEXIST, edit.kind != .withdraw else { throw error }
            throw LibraryError(
              .inconsistent,
              "\"\(EscapedText.printable(move.to))\" exists in the library already, so it was left as it is, and "
                + "so was \"\(EscapedText.printable(move.from))\". Move one of them away, then run again."
            )
          }
        }
      }
      // On a descriptor of this move's own: an older one still has an older failure to tell.
      if let last { try FileSystem.flush(fileSystemOf: last) }
    } catch {
      throw LibraryError(wrapping: error)
    }
  }

  /// Moves a file below the library, and removes the folder of an asset that has no file any more.
  ///
  /// - Returns: The folder that it gets into, which has to be flushed also where the file is not at its
  ///   place; nil where the folder that it lies in is not there.
  @discardableResult
  package func move(_ from: String, to: String) throws(FileSystemError) -> Descriptor? {
    let (old, new) = (LibraryEdit.split(from), LibraryEdit.split(to))
    let source: Descriptor
    do {
      source = try folderForReading(old.folder)
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
    let target = old.folder == new.folder ? source : try privateFolder(new.folder)
    do {
      try FileSystem.rename(from: source, [UInt8](old.name.utf8), to: target, [UInt8](new.name.utf8))
      let (day, own) = LibraryEdit.split(old.folder)
      if day.hasPrefix("Originals/"), try FileSystem.entries(of: source).isEmpty {
        try FileSystem.removeFolder(in: folderForReading(day), [UInt8](own.utf8))
      }
    } catch {
      guard error.isMissing else { throw error }
    }
    return target
  }

  /// Whether a file is at a path below the library.
  package func hasFile(_ path: String) -> Bool {
    [UInt8](path.utf8).withUnsafeBytes { FileSystem.exists(beneath: root, $0) }
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
