internal import Glibc
internal import MediaDigest
internal import MediaFileSystem
internal import MediaModel

/// What file systems do in ways of their own: FUSE and NFS rename without flags, others have no links, no
/// permissions or coarse times.
extension ExportFolder {
  /// The name of a folder beside that of this name, for a while; at most 229 bytes.
  static func hidden(_ name: [UInt8], _ word: String) -> [UInt8] {
    var start = ItemPath.prefix(of: name, length: 200)
    if name.count > start.count {
      start += Hexadecimal.text(SHA256.hash(name)).utf8.prefix(9)
    }
    return Array(".".utf8) + start + Array(".mediabatch-\(word)".utf8)
  }

  /// Whether a file system shows this time for a file that was given that one, in nanoseconds: by the network,
  /// times are rounded after they were told.
  ///
  /// NTFS and SMB keep steps of 100 ns, exFAT of 10 ms, SFTP of a second, FAT of two.
  static func isSameTime(_ time: Int64, _ noted: Int64) -> Bool {
    time == noted
      || [100, 10_000_000, 1_000_000_000, 2_000_000_000].contains { step in
        time % step == 0 && (time &- noted).magnitude < step.magnitude
      }
  }

  /// Gives a folder the permissions of the earlier one; no more than those, where the file system sets none.
  static func setMode(of folder: Descriptor, _ mode: UInt32) throws(FileSystemError) {
    let own = try folder.ownership().mode
    if own == mode { return }
    do {
      try folder.setMode(mode)
    } catch {
      guard error.isUnsupported, own & ~mode == 0 else { throw error }
    }
  }

  /// Takes the lock of a list; where the file system has no locks, it is free.
  static func lock(_ list: Descriptor) throws(FileSystemError) -> Bool {
    do {
      return try list.tryLock()
    } catch {
      guard error.isUnsupported || error.errno == ENOLCK else { throw error }
      return true
    }
  }

  /// Refuses a new folder that another command is writing.
  static func requireUnheld(_ staging: Descriptor, _ shown: String) throws {
    let isFree: Bool
    if let list = try? FileSystem.openOrCreate(in: staging, ExportList.name, mode: 0o644) {
      isFree = try lock(list)
    } else {
      // rclone opens no file that is there for both.
      let list = try FileSystem.openForReading(beneath: staging, ExportList.name, crossMounts: false)
      isFree = !list.isLockedElsewhere()
    }
    guard isFree else { throw ExportError.held(shown) }
  }

  /// Flushes a file or a folder, where the file system can do that for one.
  static func flush(_ file: Descriptor) throws(FileSystemError) {
    do {
      try file.flush()
    } catch {
      guard error.isUnsupported else { throw error }
    }
  }

  /// Removes a folder whose files are removed: NFS and FUSE keep those that were open a little longer, under
  /// names of their own.
  static func removeFolder(_ name: [UInt8], in parent: Descriptor) throws(FileSystemError) {
    for _ in 0..<50 {
      do {
        return try FileSystem.removeFolder(in: parent, name)
      } catch {
        guard error.errno == ENOTEMPTY || error.errno == EEXIST else { throw error }
      }
      usleep(20_000)
    }
    try FileSystem.removeFolder(in: parent, name)
  }

  // MARK: - A new file

  /// Gives a file that was written its time and its place.
  ///
  /// - Parameters:
  ///   - file: The new file in the folder where files are written.
  ///   - folder: Its place.
  ///   - name: Its name there.
  ///   - modified: In nanoseconds since 1970; nil keeps its own, which is set nevertheless: by the network, it could
  ///     become another one when the file is closed.
  /// - Returns: The status that the file system tells then.
  /// - Throws: `FileSystemError`; not where times cannot be set.
  func move(
    _ file: Descriptor,
    to folder: Descriptor,
    _ name: [UInt8],
    modified: Int64?
  ) throws(FileSystemError) -> FileStatus {
    do throws(FileSystemError) {
      let time = if let modified { modified } else { try file.status().modified }
      try file.setModified(time)
    } catch {
      guard error.isUnsupported || error.errno == EACCES else { throw error }
    }
    try FileSystem.move(from: work, Self.newName, to: folder, name)
    return try file.status()
  }

  /// The reason, escaped, why the file system of the folder cannot hold one file, with its name or of its length.
  ///
  /// Names are refused in many ways: NTFS says EINVAL, exFAT ENOENT, FUSE EILSEQ, SFTP EPERM or EBADMSG.
  /// - Throws: ``ExportError`` where the error is about more than this file.
  func reason(of error: FileSystemError) throws(ExportError) -> String {
    let text = FileSystemError.text(error.errno)
    switch (error.call, error.errno) {
    case ("write", EFBIG), ("copy", EFBIG), ("truncate", EFBIG), ("seek", EINVAL):
      return "it is too large for its file system"
    case ("link", EXDEV), ("link", EPERM), ("link", EOPNOTSUPP), ("link", ENOSYS),
      ("symlink", EPERM), ("symlink", EOPNOTSUPP), ("symlink", ENOSYS):
      throw ExportError(
        .failed,
        "\(shown) was not written: its file system cannot link to the library's files so (\(text)). Repeat the "
          + "command with \"--as copy\". Nothing was changed."
      )
    case ("link", EMLINK): return "the library's file has too many links for another one"
    case ("rename", EEXIST), ("link", EEXIST), ("symlink", EEXIST), ("open", ENOTDIR):
      return "another file has that name on its file system"
    case ("rename", _), ("mkdir", _), ("link", _), ("symlink", _):
      guard Self.numbersOfNames.contains(error.errno) else { throw ExportError(error, shown) }
      return "its file system does not allow that name (\(text))"
    default: throw ExportError(error, shown)
    }
  }

  private static let numbersOfNames = [
    EINVAL, ENOENT, ENAMETOOLONG, EILSEQ, EBADMSG, EPERM, EISDIR, ENOTDIR, ENOTEMPTY,
  ]

  // MARK: - The name of the folder

  /// Gives a folder its name back if a command was ended while it took it in two steps, and removes one that
  /// was left after that.
  static func settle(
    _ parent: Descriptor,
    _ earlier: [UInt8],
    _ name: [UInt8],
    _ shown: String
  ) throws {
    guard (try? FileSystem.status(in: parent, name: earlier)) != nil else { return }
    let folder = try FileSystem.openForReading(beneath: parent, earlier, crossMounts: false, isFolder: true)
    let isOurs = try list(of: folder) != nil
    guard try isOurs || FileSystem.entries(of: folder).isEmpty else {
      throw ExportError.stranger(earlier, shown)
    }
    if isOurs, (try? FileSystem.status(in: parent, name: name)) == nil {
      try FileSystem.move(from: parent, earlier, to: parent, name)
    } else {
      try remove(folder, earlier, in: parent)
    }
  }

  /// Gives the new folder its name, which an earlier one may have.
  ///
  /// - Returns: The name that the earlier one has then.
  func takePlace(isThere: Bool) throws -> [UInt8] {
    guard isThere else {
      try FileSystem.move(from: parent, partialName, to: parent, name)
      return partialName
    }
    do throws(FileSystemError) {
      try FileSystem.exchange(partialName, in: parent, with: name)
      return partialName
    } catch {
      // An overlay renames no folder of a layer below, one way or the other.
      guard error.isUnsupported || error.errno == EXDEV else { throw error }
    }
    do throws(FileSystemError) {
      try FileSystem.move(from: parent, name, to: parent, earlierName)
    } catch {
      throw ExportError(
        .failed,
        "\(shown) was left as it was: its file system cannot rename it (\(error)). Make the folder elsewhere "
          + "and copy it, or remove \(shown) and repeat the command."
      )
    }
    do throws(FileSystemError) {
      try FileSystem.move(from: parent, partialName, to: parent, name)
    } catch {
      try? FileSystem.move(from: parent, earlierName, to: parent, name)
      throw error
    }
    return earlierName
  }

  /// Flushes the name of the new folder, and removes the earlier one.
  func finish(removing old: Descriptor?, _ earlier: [UInt8]) throws(ExportError) {
    do {
      try Self.flush(parent)
      if let old { try Self.remove(old, earlier, in: parent) }
    } catch {
      throw ExportError(
        .failed,
        "\(shown) was made, but may be lost in a power cut, or the earlier folder was not removed: \(error). Repeat "
          + "the command."
      )
    }
  }
}

/// The files of a folder's list, by the names that its file system shows: lowntfs-3g shows small letters.
final class ListedFiles {
  private let folder: Descriptor
  private let list: ExportList?
  /// The paths of the list by what they have in common with other spellings; nil before they are asked for.
  private var paths: [Int: [UInt8]]?

  init(of folder: Descriptor, _ list: ExportList?) { (self.folder, self.list) = (folder, list) }

  private static func key(_ path: [UInt8]) -> Int {
    ExportNames.key(String(decoding: path, as: UTF8.self))
  }

  /// The file of the list that has this path and status; nil for a file that is not in it.
  ///
  /// One of another spelling has to be the same file, by its inode.
  ///
  /// - Throws: `FileSystemError` when the list cannot be read.
  func file(
    at path: [UInt8],
    _ status: FileStatus
  ) throws(FileSystemError) -> ExportList.File? {
    if let file = try list?.file(at: path) { return file }
    guard let written = try spellings()[Self.key(path)],
      (try? FileSystem.status(in: folder, name: written))?.isSameInode(as: status) == true
    else { return nil }
    return try list?.file(at: written)
  }

  private func spellings() throws(FileSystemError) -> [Int: [UInt8]] {
    if let paths { return paths }
    var all: [Int: [UInt8]] = [:]
    try list?.forEach { path, _ in
      all[Self.key(path)] = path
      return true
    }
    paths = all
    return all
  }
}
