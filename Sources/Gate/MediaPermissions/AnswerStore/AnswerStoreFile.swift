internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// The file in which answers are stored, and the folder that has to keep others away from it.
struct AnswerStoreFile {
  /// Absolute; the folder's symbolic links resolved.
  let path: [UInt8]
  private let folder: Descriptor
  private let name: [UInt8]

  /// Looks at the folder, which nobody but its owner may write.
  ///
  /// - Parameters:
  ///   - path: Absolute.
  ///   - makesFolder: Makes the folder, and those above it, mode 0700, where they are missing.
  /// - Throws: ``StoreError`` `.missing`, `.folderNotSafe`, `.foreign`, `.cannotRead`,
  ///   `.notWritable`.
  init(path: [UInt8], makesFolder: Bool) throws(StoreError) {
    let slash = path.lastIndex(of: UInt8.slash) ?? 0
    name = Array(path[path.index(after: slash)...])
    let parent = slash == 0 ? [UInt8.slash] : Array(path[..<slash])
    do {
      if makesFolder { try FileSystem.makePrivateFolders(parent) }
      folder = try FileSystem.openFolder(parent)
    } catch {
      guard error.isMissing, !makesFolder else { throw StoreError(error, path: path) }
      throw Self.missing(path)
    }
    let resolved = FileSystem.resolved(parent) ?? parent
    self.path = (resolved == [UInt8.slash] ? [] : resolved) + [UInt8.slash] + name
    try checkFolder(resolved)
  }

  /// Whether something stands under the file's name, whatever it is.
  func exists() throws(StoreError) -> Bool { try stands(name) }

  /// Refuses a file that others could have written or can read.
  func check() throws(StoreError) {
    guard try exists() else { throw Self.missing(path) }
    let ownership: Ownership?
    do {
      let isRegular = try FileSystem.status(in: folder, name: name).kind == .regular
      ownership = isRegular ? try FileSystem.openPath(beneath: folder, name).ownership() : nil
    } catch {
      throw StoreError(error, path: path)
    }
    guard let ownership else { throw notRegular(path) }
    // SQLite opens these by itself: it would follow a link, and wait for a FIFO.
    for end in ["-journal", "-wal", "-shm"] {
      let status = try? FileSystem.status(in: folder, name: name + end.utf8)
      if let status, status.kind != .regular { throw notRegular(path + end.utf8) }
    }
    guard ownership.owner == geteuid() else {
      throw StoreError(
        .foreign,
        "The stored answers in \(StoreError.shown(path)) belong to another user "
          + "(\(ownership.owner)). Run as that user, or set XDG_DATA_HOME to a folder of your own."
      )
    }
    guard ownership.mode & 0o7177 == 0 else {
      throw StoreError(
        .fileNotSafe,
        "The stored answers in \(StoreError.shown(path)) have mode "
          + "\(String(ownership.mode, radix: 8)): others can read or change them. Look at them with "
          + "`mediabatch access list` after "
          + "`chmod 600 \(ShellWord.quoted(EscapedText.percentEscaped(path)))`."
      )
    }
  }

  private func notRegular(_ path: [UInt8]) -> StoreError {
    StoreError(
      .fileNotSafe,
      "\(StoreError.shown(path)) is not a regular file, so it is not read. Remove it, or put the file "
        + "itself there."
    )
  }

  /// Whether a writer is at work, or has left something half done.
  func hasJournal() throws(StoreError) -> Bool { try stands(name + "-journal".utf8) }

  /// Makes the file whole or not at all: `fill` gets the path of a new, empty one, mode 0600
  /// whatever the umask is, which takes the store's name once it is filled.
  ///
  /// - Returns: False when another process was faster; then its file stays.
  func create(filledBy fill: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) -> Bool {
    var generator = SystemRandomNumberGenerator()
    let random = String(generator.next() as UInt64, radix: 16)
    let new = [UInt8](".\(String(decoding: name, as: UTF8.self)).\(random).new".utf8)
    do {
      let file = try FileSystem.createFile(in: folder, new, mode: 0o600)
      // The umask may have taken bits away, without which SQLite could not write.
      withExtendedLifetime(file) { _ = fchmod(file.raw, 0o600) }
    } catch {
      throw StoreError(error, path: path)
    }
    defer {
      try? FileSystem.removeFile(in: folder, new)
      try? FileSystem.removeFile(in: folder, new + [UInt8]("-journal".utf8))
    }
    try fill(Array(path.dropLast(name.count)) + new)
    do {
      try FileSystem.link(from: folder, new, to: folder, name)
    } catch {
      guard error.errno == EEXIST else { throw StoreError(error, path: path) }
      return false
    }
    // A folder that cannot be flushed loses at most a store in which nothing was answered yet.
    fsync(folder.raw)
    return true
  }

  private func stands(_ name: [UInt8]) throws(StoreError) -> Bool {
    do {
      _ = try FileSystem.status(in: folder, name: name)
      return true
    } catch {
      guard error.isMissing else { throw StoreError(error, path: path) }
      return false
    }
  }

  /// The folder itself is written by its owner alone; those above may be shared where a sticky bit
  /// keeps others from renaming what is in them.
  private func checkFolder(_ resolved: [UInt8]) throws(StoreError) {
    let ownership: Ownership
    do {
      ownership = try folder.ownership()
    } catch {
      throw StoreError(error, path: path)
    }
    guard ownership.owner == geteuid() else {
      throw StoreError(
        .foreign,
        "The folder \(StoreError.shown(resolved)) belongs to another user (\(ownership.owner)), who "
          + "could change the stored answers in it. Run as that user, or set XDG_DATA_HOME to a "
          + "folder of your own."
      )
    }
    guard ownership.mode & 0o022 == 0 else {
      throw StoreError(
        .folderNotSafe,
        "Others can write the folder \(StoreError.shown(resolved)), and so replace the stored "
          + "answers in it. Look at them with `mediabatch access list` after "
          + "`chmod go-w \(ShellWord.quoted(EscapedText.percentEscaped(resolved)))`."
      )
    }
    var ancestor = resolved
    while let slash = ancestor.lastIndex(of: UInt8.slash), ancestor.count > 1 {
      ancestor = slash == 0 ? [UInt8.slash] : Array(ancestor[..<slash])
      // Skip a folder whose mode cannot be read: this user could not fix it.
      guard let ownership = try? FileSystem.ownership(ofPath: ancestor) else { continue }
      guard ownership.owner == 0 || ownership.owner == geteuid() || Self.isUnmapped(ownership)
      else {
        throw StoreError(
          .foreign,
          "The folder \(StoreError.shown(ancestor)) belongs to another user (\(ownership.owner)), who "
            + "could put other answers in place of those beneath it. Run as that user, or set "
            + "XDG_DATA_HOME to a folder of your own."
        )
      }
      guard ownership.mode & 0o002 == 0 || ownership.mode & 0o1000 != 0 else {
        throw StoreError(
          .folderNotSafe,
          "Others can rename what lies in the folder \(StoreError.shown(ancestor)), and so replace the "
            + "stored answers beneath it. Set XDG_DATA_HOME to a folder that only you can change."
        )
      }
    }
  }

  /// Whether this process is in a user namespace that does not know the owner: the kernel then
  /// shows root's folders as those of the overflow user. Source: user_namespaces(7).
  private static func isUnmapped(_ ownership: Ownership) -> Bool {
    let file = try? FileSystem.openFile([UInt8]("/proc/self/uid_map".utf8))
    let map = try? file?.readToEnd(limit: 1 << 16)
    let isInitial = map?.split(separator: UInt8.space).last?.starts(with: "4294967295".utf8)
    return ownership.owner == 65_534 && isInitial == false
  }

  private static func missing(_ path: [UInt8]) -> StoreError {
    StoreError(.missing, "There are no stored answers in \(StoreError.shown(path)) yet.")
  }
}
