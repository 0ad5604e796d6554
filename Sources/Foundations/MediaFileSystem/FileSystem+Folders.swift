internal import CFileSystem
internal import Glibc
internal import MediaModel

/// The entries of folders.
extension FileSystem {
  /// An entry of a folder.
  package struct Entry: Sendable {
    /// The name within the folder.
    package var name: [UInt8]
    /// The kind according to the folder, without reading the file's status; nil if it is not
    /// stored.
    package var kind: FileStatus.Kind?

    package init(name: [UInt8], kind: FileStatus.Kind?) {
      self.name = name
      self.kind = kind
    }
  }

  /// Returns the entries of a folder without `.` and `..`, in no particular order.
  package static func entries(of folder: Descriptor) throws(FileSystemError) -> [Entry] {
    var entries: [Entry] = []
    try forEachEntry(of: folder) { (entry) throws(FileSystemError) in entries.append(entry) }
    return entries
  }

  /// Calls `body` with each entry of a folder but `.` and `..`, in no particular order, while the folder
  /// is read.
  package static func forEachEntry(
    of folder: Descriptor,
    _ body: (Entry) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    // Reading entries moves the offset of a descriptor, so the stream has its own.
    let copy = openat(folder.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw FileSystemError(call: "list", path: folder.path, errno: errno) }
    guard let stream = fdopendir(copy) else {
      let number = errno
      close(copy)
      throw FileSystemError(call: "list", path: folder.path, errno: number)
    }
    defer { closedir(stream) }
    var name: UnsafePointer<CChar>?
    var length = 0
    var type: UInt8 = 0
    while true {
      let result = cfs_next_entry(stream, &name, &length, &type)
      if result == 0 { return }
      guard result == 1, let name else {
        throw FileSystemError(call: "list", path: folder.path, errno: errno)
      }
      let bytes = UnsafeRawBufferPointer(start: name, count: length)
      try body(Entry(name: [UInt8](bytes), kind: kind(ofEntryType: type)))
    }
  }

  /// Calls `body` with the path below `root` of everything but folders beneath a folder, at any depth,
  /// in no order; memory does not grow with their number.
  ///
  /// A run may remove files and folders meanwhile: what is gone when it is looked at is left out.
  ///
  /// - Parameters:
  ///   - root: The folder that paths are below.
  ///   - path: The folder that is searched.
  ///   - unread: Called with each folder that cannot be opened or read, also with the topmost when that is
  ///     missing; what it throws ends the search.
  ///   - body: Called with each path.
  /// - Throws: What `unread` throws: by default the error that it is called with.
  package static func forEachFile(
    beneath root: Descriptor,
    _ path: [UInt8],
    unread: (_ path: [UInt8], FileSystemError) throws(FileSystemError) -> Void = {
      (_, error) throws(FileSystemError) in throw error
    },
    _ body: (_ path: [UInt8]) -> Void
  ) throws(FileSystemError) {
    do throws(FileSystemError) {
      let folder = try openForReading(beneath: root, path, crossMounts: true, isFolder: true)
      try forEachFile(in: folder, path, unread, body)
    } catch {
      try unread(path, error)
    }
  }

  /// As ``forEachFile(beneath:_:unread:_:)``, for an open folder whose path below the root is `path`.
  private static func forEachFile(
    in folder: Descriptor,
    _ path: [UInt8],
    _ unread: (_ path: [UInt8], FileSystemError) throws(FileSystemError) -> Void,
    _ body: (_ path: [UInt8]) -> Void
  ) throws(FileSystemError) {
    try forEachEntry(of: folder) { (entry) throws(FileSystemError) in
      let child = path + [UInt8.slash] + entry.name
      do throws(FileSystemError) {
        let kind =
          if let kind = entry.kind { kind } else { try status(in: folder, name: entry.name).kind }
        guard kind == .folder else { return body(child) }
        try forEachFile(
          in: openForReading(beneath: folder, entry.name, crossMounts: true, isFolder: true),
          child,
          unread,
          body
        )
      } catch {
        if !error.isMissing { try unread(child, error) }
      }
    }
  }

  private static func kind(ofEntryType type: UInt8) -> FileStatus.Kind? {
    switch Int(type) {
    case 8: .regular  // DT_REG
    case 4: .folder  // DT_DIR
    case 10: .symbolicLink  // DT_LNK
    case 0: nil  // DT_UNKNOWN
    default: .other
    }
  }
}
