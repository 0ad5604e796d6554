internal import Glibc
internal import MediaFileSystem
internal import MediaListing
internal import MediaManifest
package import MediaModel

extension SourceListing {
  /// The result of looking up one name of a folder.
  private enum Found {
    case item(ListedItem)
    /// A folder that is listed next.
    case folder(ItemPath)
  }

  /// Walks a folder and its subfolders, in the order of the paths' bytes.
  package mutating func walk(
    _ path: ItemPath = ItemPath(bytes: []),
    takes: (ItemPath) -> Bool,
    enters: (ItemPath) -> Bool
  ) throws {
    // Each folder is read completely, so that none is open while another is walked.
    let (listed, folders) = try list(path, takes: takes, enters: enters)
    if items.isEmpty, folders.isEmpty {
      // All files of a source are often in one folder: then they are not there twice.
      items = listed
      return
    }
    for index in listed.indices {
      if folders.contains(index) {
        try walk(listed.path(at: index), takes: takes, enters: enters)
      } else {
        items.append(listed[index])
      }
    }
  }

  /// Lists a folder: what is in it, and which of that are folders to be listed next.
  private mutating func list(
    _ path: ItemPath,
    takes: (ItemPath) -> Bool,
    enters: (ItemPath) -> Bool
  ) throws -> (items: ListedItems, folders: Set<Int>) {
    try checkAccess()
    var listed = ListedItems()
    var folders: Set<Int> = []
    let folder: Descriptor
    let entries: FolderEntries
    do throws(FileSystemError) {
      folder = try FileSystem.openForReading(
        beneath: root,
        path.bytes.isEmpty ? [UInt8.dot] : path.bytes,
        crossMounts: source.crossMounts,
        isFolder: true
      )
      entries = try FolderEntries(of: folder)
    } catch {
      if path.bytes.isEmpty { throw error }
      // A limited run treats an unreadable folder like one that was not selected.
      if source.selection != nil, error.errno == EACCES { return (listed, folders) }
      warnings.append("The folder \"\(path.text)\" cannot be listed: \(error).")
      listed.append(ListedItem(path: path, status: FileStatus(kind: .folder), reason: .cannotOpen))
      return (listed, folders)
    }
    if !path.bytes.isEmpty, source.ignored.ignoresFolder(holding: entries.lazy.map(\.name)) {
      if source.selection == nil { ignored += 1 }
      return (listed, folders)
    }
    let isBundle = source.ignored.isBundle(path)
    for entry in entries {
      try checkAccess()
      let visited = find(
        at: entry,
        path.appending(entry.name),
        in: folder,
        isBundle: isBundle,
        takes: takes,
        enters: enters
      )
      switch visited {
      case .item(let item)?: listed.append(item)
      case .folder(let child)?:
        folders.insert(listed.count)
        listed.append(ListedItem(path: child, status: FileStatus(kind: .folder)))
      case nil: break
      }
    }
    return (listed, folders)
  }

  /// - Returns: Nil for an item that this run must not see, and for one that has disappeared.
  private mutating func find(
    at entry: FileSystem.Entry,
    _ path: ItemPath,
    in folder: Descriptor,
    isBundle: Bool,
    takes: (ItemPath) -> Bool,
    enters: (ItemPath) -> Bool
  ) -> Found? {
    // A file that is not selected is not touched where the folder's entry tells that it is a file.
    if let kind = entry.kind, kind != .folder, !takes(path) { return nil }
    if entry.kind == .folder, !enters(path) { return nil }
    func isIgnored(_ kind: FileStatus.Kind) -> Bool {
      let isFolder = kind == .folder
      let isIgnored = source.ignored.ignores(
        entry.name,
        at: path,
        isFolder: isFolder,
        isInBundle: isBundle
      ) { [root] in (try? FileSystem.status(in: root, name: $0.bytes)) != nil }
      if isIgnored, source.selection == nil || !isFolder { ignored += 1 }
      if isIgnored { matchedIgnores.formUnion(source.ignored.matching(entry.name, at: path)) }
      return isIgnored
    }
    if let kind = entry.kind, isIgnored(kind) { return nil }
    let wasTaken = entry.kind.map { $0 != .folder } ?? false
    let status: FileStatus
    do {
      status = try FileSystem.status(in: folder, name: entry.name)
    } catch {
      // A missing file has disappeared meanwhile; any other error means that it cannot be opened.
      guard !error.isMissing, wasTaken || (entry.kind == nil && takes(path)) else { return nil }
      return .item(ListedItem(path: path, status: FileStatus(kind: .other), reason: .cannotOpen))
    }
    if entry.kind == nil, isIgnored(status.kind) { return nil }
    if status.kind == .folder {
      guard let reason = reasonElsewhere(status) else { return enters(path) ? .folder(path) : nil }
      guard source.selection == nil else { return nil }
      return .item(ListedItem(path: path, status: status, reason: reason))
    }
    guard wasTaken || takes(path) else { return nil }
    return .item(ListedItem(path: path, status: status, reason: reason(status, of: path)))
  }
}
