internal import Glibc
package import MediaFileSystem
package import MediaModel

/// Marks the sources of which a run has files open, so that a command that takes an answer back can
/// wait until they are closed.
///
/// The mark is a shared lock on one byte of the store's file, far behind the bytes that SQLite locks
/// (from 0x40000000 on); the kernel frees it with the process. A confined run can set it because the
/// descriptor is opened before confinement.
package struct OpenFilesMark {
  private let file: Descriptor
  private let client: String
  private var marked: Set<SourceKind> = []

  /// Opens the file of the store at a path for marks of one client's run.
  ///
  /// The descriptor has to stay open as long as the process has connections to the store: closing it
  /// would free their locks. Source: fcntl(2), "Advisory record locking".
  package init(store path: [UInt8], client: String) throws(FileSystemError) {
    file = try FileSystem.openFile(path)
    self.client = client
  }

  /// Marks exactly these sources. A mark that cannot be set is left out: it is a courtesy to the
  /// person who waits, and no protection.
  package mutating func mark(_ sources: Set<SourceKind>) {
    guard sources != marked else { return }
    for source in sources.symmetricDifference(marked) {
      let offset = Self.offset(client, source)
      _ = try? file.lock(byteAt: offset, sources.contains(source) ? .shared : .none)
    }
    marked = sources
  }

  /// Waits until no run of the client has files of the source open.
  ///
  /// - Parameters:
  ///   - client: The client's identifier.
  ///   - source: The source whose answer was taken back.
  ///   - path: The path of the store.
  ///   - seconds: How long to wait at most.
  /// - Returns: Whether none has any; true as well when the store cannot be opened for writing.
  package static func waitForRuns(
    of client: String,
    source: SourceKind,
    store path: [UInt8],
    seconds: Int
  ) -> Bool {
    guard let file = try? FileSystem.openForUpdating(path) else { return true }
    let offset = offset(client, source)
    for attempt in 0...(seconds * 50) {
      if attempt > 0 { usleep(20_000) }
      guard let isFree = try? file.lock(byteAt: offset, .exclusive) else { return true }
      if isFree { return true }
    }
    return false
  }

  /// The byte of a client and a source. Two clients may have the same one: then one waits for both.
  private static func offset(_ client: String, _ source: SourceKind) -> Int64 {
    // FNV-1a, of which the lowest 20 bits are enough.
    var hash: UInt32 = 2_166_136_261
    for byte in [UInt8](client.utf8) + [0] + [UInt8](source.rawValue.utf8) {
      hash = (hash ^ UInt32(byte)) &* 16_777_619
    }
    return 1 << 40 + Int64(hash & 0xF_FFFF)
  }
}
