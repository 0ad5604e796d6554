internal import Glibc
package import MediaFileSystem
package import MediaModel

/// Lists the names beneath a folder in the order of their paths' bytes, one folder at a time.
///
/// Opens folders and nothing else, and asks for the size and the time of files; a symbolic link is neither followed nor shown.
package struct DirectoryWalker {
  /// Folders that could not be listed.
  package private(set) var unlistedCount = 0
  /// The files so far that describe others, in no order, at most ``mostDescriptions``.
  package private(set) var descriptions: [ItemPath] = []

  /// The most files that describe others.
  private static let mostDescriptions = 2 * PickRequest.maximumLimit

  private enum Step {
    case candidate(PickCandidate)
    case folder(ItemPath)
  }

  private let root: Descriptor
  private let rootStatus: FileStatus
  private let names: PickCandidates
  private let crossMounts: Bool
  private let isDescription: (ItemPath) -> Bool
  /// The steps that remain, the next one last.
  private var steps: [Step] = []

  /// Begins a walk.
  ///
  /// - Parameters:
  ///   - root: The folder, open as a place.
  ///   - names: Finds the candidates among the files of a folder.
  ///   - crossMounts: Whether folders on other file systems are listed too.
  ///   - isDescription: Tells by a path whether a file describes others; see ``descriptions``.
  /// - Throws: `FileSystemError` when the folder itself cannot be listed.
  package init(
    root: Descriptor,
    names: PickCandidates,
    crossMounts: Bool,
    isDescription: @escaping (ItemPath) -> Bool = { _ in false }
  ) throws(FileSystemError) {
    self.root = root
    self.names = names
    self.crossMounts = crossMounts
    self.isDescription = isDescription
    rootStatus = try root.status()
    steps = try list(ItemPath(bytes: [])).reversed()
  }

  /// What can be chosen, at most ``PickList/maximumCount``.
  package mutating func all() -> [PickCandidate] {
    var candidates: [PickCandidate] = []
    while candidates.count < PickList.maximumCount, let candidate = next() {
      candidates.append(candidate)
    }
    return candidates
  }

  /// The next thing to choose, or nil at the end.
  package mutating func next() -> PickCandidate? {
    while let step = steps.popLast() {
      switch step {
      case .candidate(let candidate): return candidate
      case .folder(let path):
        do {
          let more = try list(path)
          steps += more.reversed()
        } catch {
          unlistedCount += 1
        }
      }
    }
    return nil
  }

  private mutating func list(_ path: ItemPath) throws(FileSystemError) -> [Step] {
    let folder = try open(path)
    var files: [ItemPath] = []
    var statuses: [ItemPath: FileStatus] = [:]
    var folders: [ItemPath] = []
    for entry in try FileSystem.entries(of: folder) {
      let child = path.appending(entry.name)
      if entry.kind == .regular, !names.mayShow(child), !isDescription(child) { continue }
      switch try kind(of: entry, in: folder) {
      case .regular:
        if isDescription(child), descriptions.count < Self.mostDescriptions {
          descriptions.append(child)
        }
        guard names.mayShow(child) else { continue }
        files.append(child)
        statuses[child] = try? FileSystem.status(in: folder, name: entry.name)
      case .folder where names.mayEnter(child): folders.append(child)
      default: break
      }
    }
    files.sort()
    // A folder's name counts with the slash behind it: then all paths come in order.
    var keyed: [(key: [UInt8], step: Step)] = names.all(among: files).map { candidate in
      var candidate = candidate
      let readStatuses = candidate.files.compactMap { statuses[$0] }
      candidate.size = PickCandidate.size(ofFiles: readStatuses.map(\.size))
      candidate.modified = readStatuses.first?.modified ?? 0
      return (candidate.files[0].bytes, .candidate(candidate))
    }
    keyed += folders.map { ($0.bytes + [UInt8.slash], .folder($0)) }
    keyed.sort { ItemPath(bytes: $0.key) < ItemPath(bytes: $1.key) }
    return keyed.map(\.step)
  }

  /// - Returns: Nil for what has gone, and for a folder on another file system.
  private func kind(
    of entry: FileSystem.Entry,
    in folder: Descriptor
  ) throws(FileSystemError) -> FileStatus.Kind? {
    if let kind = entry.kind, kind != .folder { return kind }
    guard let status = try? FileSystem.status(in: folder, name: entry.name) else { return nil }
    if status.kind == .folder, !crossMounts, status.isOnOtherMount(than: rootStatus) { return nil }
    return status.kind
  }

  /// Component by component, since openat2's flags are in memory, where a filter of system calls
  /// cannot look.
  private func open(_ path: ItemPath) throws(FileSystemError) -> Descriptor {
    var folder = try open([UInt8.dot], in: root)
    for component in path.bytes.split(separator: UInt8.slash) {
      folder = try open(Array(component), in: folder)
    }
    return folder
  }

  private func open(
    _ name: [UInt8],
    in folder: Descriptor
  ) throws(FileSystemError) -> Descriptor {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let opened = name.withCString { openat(folder.raw, $0, flags) }
    guard opened >= 0 else { throw FileSystemError(call: "list", path: name, errno: errno) }
    return Descriptor(owning: opened, path: name)
  }
}
