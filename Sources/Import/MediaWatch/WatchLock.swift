internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// The lock of the process that watches for a library, beside the lock of the run that writes it.
///
///     .state/watch.lock
///
/// The kernel frees it when the process ends.
final class WatchLock {
  private let lock: LockFile

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
      let shown = EscapedText.percentEscaped(path) + "/.state/watch.lock"
      lock = try LockFile(in: state, "watch.lock", mode: 0o600, shown: shown)
      guard try lock.take(holder: holder) else {
        throw LibraryError(
          .held,
          "The library is watched by another process: \(LockFile.holder(of: lock.file)). "
            + "End that one first, or leave the watching to it."
        )
      }
    } catch {
      throw LibraryError(wrapping: error)
    }
  }
}
