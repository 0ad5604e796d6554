internal import Glibc
internal import MediaBrowsing
internal import MediaCatalogue
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// The lock of the process that watches for a library, beside the lock of the run that writes it.
///
///     .state/watch.lock
///
/// The kernel frees it when the process ends.
final class WatchLock {
  private let lock: Descriptor

  /// Takes the lock of the library at `path`; makes its folder where a run would make it.
  ///
  /// - Parameters:
  ///   - path: Absolute.
  ///   - holder: The name of this process, for others that find the library watched.
  /// - Throws: ``LibraryError`` `.held` when another process watches; `.notALibrary` for a folder that
  ///   holds something else, which stays untouched; `.cannotWrite`, `.outOfSpace`.
  init(library path: [UInt8], holder: String) throws(LibraryError) {
    if let obstacle = Library.obstacle(path: path) { throw obstacle }
    do {
      let root = try Library.openOrMakeRoot(path)
      let folder = [UInt8](Library.stateFolder.utf8)
      let state = try FileSystem.openOrMakeFolder(in: root, folder, mode: 0o700, crossMounts: false)
      lock = try FileSystem.openOrCreate(in: state, [UInt8]("watch.lock".utf8), mode: 0o600)
      // Another name of the file may be anything of this user's, and would be overwritten.
      let status = try lock.status()
      guard status.kind == .regular, status.linkCount == 1 else {
        throw LibraryError(
          .notALibrary,
          "\"\(EscapedText.percentEscaped(path))/.state/watch.lock\" is a hard link or no regular file, "
            + "and is not written to. Ask who made it, and remove it."
        )
      }
      guard try lock.tryLock() else { throw Self.held(lock) }
      try Library.note(holder: holder, in: lock)
    } catch {
      throw LibraryError(wrapping: error)
    }
  }

  private static func held(_ lock: Descriptor) -> LibraryError {
    LibraryError(
      .held,
      "The library is watched by another process: \(Library.holder(of: lock)). "
        + "End that one first, or leave the watching to it."
    )
  }
}
