internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// The folders that are refused, and the staging folder that an earlier command left.
extension ExportFolder {
  static func isSame(_ status: FileStatus, _ file: ExportList.File) -> Bool {
    file.isLink
      ? status.kind == .symbolicLink && status.size == file.size
      : status.kind == .regular && status.size == file.size
        && isSameTime(status.modified, file.modified)
  }

  /// The folder must not lie in the library, nor the library in it.
  static func checkApart(
    _ parentPath: [UInt8],
    _ name: [UInt8],
    _ libraryPath: [UInt8],
    _ library: Descriptor,
    _ shown: String
  ) throws {
    let root = try library.status()
    if FileSystem.ancestry(ofPath: parentPath).contains(where: { $0.isSameInode(as: root) }) {
      throw ExportError(
        .inLibrary,
        "\(shown) would lie in the library, which is only read. Name a folder elsewhere."
      )
    }
    let own = parentPath + [UInt8.slash] + name
    if let status = try? FileSystem.status(ofPath: own),
      FileSystem.ancestry(ofPath: libraryPath).contains(where: { $0.isSameInode(as: status) })
    {
      throw ExportError(.inLibrary, "The library lies in \(shown). Name a folder elsewhere.")
    }
  }

  static func existing(
    _ parent: Descriptor,
    _ name: [UInt8],
    _ kind: String,
    _ shown: String
  ) throws -> (Descriptor?, ExportList?, Bool) {
    guard let status = try? FileSystem.status(in: parent, name: name) else {
      return (nil, nil, false)
    }
    guard status.kind == .folder else {
      throw ExportError(.notOurs, "\(shown) is there already, but is not a folder. Choose another name.")
    }
    guard try !status.isOnOtherMount(than: parent.status()) else {
      throw ExportError(
        .notOurs,
        "A file system is mounted at \(shown), which no other folder can replace. Name a folder in it."
      )
    }
    let folder = try FileSystem.openForReading(beneath: parent, name, crossMounts: true, isFolder: true)
    if try FileSystem.entries(of: folder).isEmpty { return (folder, nil, true) }
    guard let list = try list(of: folder), list.kind == kind else {
      throw ExportError(
        .notOurs,
        "\(shown) is there already, and was not made by `mediabatch \(kind)`. Choose another name, or "
          + "an empty folder."
      )
    }
    return (folder, list, true)
  }

  /// Reads the list of a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isHeadAlone: Whether its files are not wanted.
  /// - Returns: The list, whose file is open as long as it is used; nil where there is none.
  /// - Throws: `FileSystemError` when it cannot be read, which does not say which program made the folder.
  static func list(
    of folder: Descriptor,
    isHeadAlone: Bool = false
  ) throws(FileSystemError) -> ExportList? {
    do throws(FileSystemError) {
      let file = try FileSystem.openForReading(beneath: folder, ExportList.name, crossMounts: false)
      guard try file.status().kind == .regular else { return nil }
      return try ExportList(of: file, isHeadAlone: isHeadAlone)
    } catch {
      if error.isMissing || error.errno == ELOOP { return nil }
      throw error
    }
  }

  /// Refuses a folder in which a person has added something, or changed something that is not to be replaced.
  ///
  /// - Returns: Whether each file of the list is there as it was written.
  static func check(
    _ folder: Descriptor,
    _ list: ExportList?,
    _ shown: String,
    replacesChanges: Bool
  ) throws -> Bool {
    var foreign: [[UInt8]] = []
    var changed: [[UInt8]] = []
    var unchanged = 0
    let listed = ListedFiles(of: folder, list)
    func walk(_ folder: Descriptor, _ path: [UInt8]) throws {
      for entry in try FileSystem.entries(of: folder) {
        let own = path.isEmpty ? entry.name : path + [UInt8.slash] + entry.name
        let status = try FileSystem.status(in: folder, name: entry.name)
        if status.kind == .folder {
          try walk(
            FileSystem.openForReading(beneath: folder, entry.name, crossMounts: false, isFolder: true),
            own
          )
        } else if own != ExportList.name {
          guard let entry = try listed.file(at: own, status) else {
            foreign.append(own)
            continue
          }
          if isSame(status, entry) { unchanged += 1 } else { changed.append(own) }
        }
      }
    }
    try walk(folder, [])
    func names(_ paths: [[UInt8]]) -> String {
      let first = paths.sorted { $0.lexicographicallyPrecedes($1) }.prefix(5)
      return first.map { "\"\(EscapedText.percentEscaped($0))\"" }.joined(separator: ", ")
        + (paths.count > 5 ? " and \(Quantity.text(paths.count - 5, "other"))" : "")
    }
    if !foreign.isEmpty {
      throw ExportError(
        .notOurs,
        "\(shown) has \(Quantity.text(foreign.count, "file")) that mediabatch did not write: "
          + "\(names(foreign)). Move \(foreign.count == 1 ? "it" : "them") away and repeat the command."
      )
    }
    if !changed.isEmpty, !replacesChanges {
      let them = changed.count == 1 ? "it" : "them"
      throw ExportError(
        .changed,
        "\(Quantity.text(changed.count, "file")) of \(shown) changed since mediabatch wrote \(them): "
          + "\(names(changed)). Move \(them) away, or repeat the command with --replace-changes."
      )
    }
    return unchanged == list?.count
  }

  /// Makes the folder in which the new one grows; that of a command which was ended is removed.
  static func makeStaging(
    _ parent: Descriptor,
    _ name: [UInt8],
    _ kind: String,
    _ shown: String
  ) throws -> (Descriptor, Descriptor) {
    if !(try FileSystem.makeFolder(in: parent, name)) {
      let left = try FileSystem.openForReading(beneath: parent, name, crossMounts: false, isFolder: true)
      try requireUnheld(left, shown)
      let entries = try FileSystem.entries(of: left)
      guard try entries.count == 1 || list(of: left) != nil else {
        throw ExportError.stranger(name, shown)
      }
      try remove(left, name, in: parent)
      try FileSystem.makeFolder(in: parent, name)
    }
    let folder = try FileSystem.openForReading(beneath: parent, name, crossMounts: false, isFolder: true)
    let listFile = try FileSystem.openOrCreate(in: folder, ExportList.name, mode: 0o644)
    guard try lock(listFile) else { throw ExportError.held(shown) }
    try listFile.write(ExportList(kind: kind, state: "").head)
    return (folder, listFile)
  }

  /// Looks whether each file of the new folder is there, as long as it was written: files are written through
  /// descriptors, whose names another program can take away.
  func confirmFiles() throws {
    var missing: [UInt8]? = ExportList.name
    if let list = try Self.list(of: staging) {
      missing = nil
      try list.forEach { path, file in
        let isThere = (try? FileSystem.status(in: staging, name: path))?.size == file.size
        if !isThere { missing = path }
        return isThere
      }
    }
    guard let missing else { return }
    throw ExportError(
      .failed,
      "\(shown) was not written: another program removed or changed \"\(EscapedText.percentEscaped(missing))\" of "
        + "the new folder meanwhile. Find out which, and repeat the command."
    )
  }

  /// Looks by path whether the new folder is at its place.
  func confirmPlace(_ state: String) throws {
    let folder = try? FileSystem.openFolder(parent.path + [UInt8.slash] + name)
    if try folder.flatMap({ try Self.list(of: $0, isHeadAlone: true) })?.state == state { return }
    throw ExportError(
      .failed,
      "\(shown) was written, but is not in its place: another program moved or removed a folder meanwhile. Find out "
        + "which, and repeat the command."
    )
  }
}
