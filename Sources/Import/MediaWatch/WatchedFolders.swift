internal import Glibc
internal import MediaManifest
internal import MediaModel
internal import MediaSandbox

/// The folders of granted sources with a watch on each, kept as folders come, move and go.
///
/// Symbolic links are not followed, other mounts are not entered, and neither is what the manifest's rules
/// leave out. All of it happens in the confined watcher.
struct WatchedFolders {
  /// A granted source.
  struct Source {
    /// Opened with O_PATH before confinement.
    var root: Int32
    var ignored: IgnoreRules
  }

  /// The changes since the last call.
  struct Findings: Sendable, Hashable {
    /// A run may find something new.
    var hasChanged = false
    /// The user has no more watches, so that some folders have none.
    var lacksWatches = false
  }

  private struct Folder {
    var source: Int
    var path: ItemPath
  }

  private let sources: [Source]
  private var watches: FolderWatches
  private var folders: [Int32: Folder] = [:]
  private var lacksWatches = false

  /// The descriptor for poll(2).
  var descriptor: Int32 { watches.descriptor }

  /// Watches all folders of the sources.
  ///
  /// - Throws: `.spawnFailed` when the kernel gives no inotify descriptor.
  init(of sources: [Source]) throws(SandboxError) {
    self.sources = sources
    watches = try FolderWatches()
    watchAll()
  }

  /// Whether some folders have no watch, since the user has no more.
  var isIncomplete: Bool { lacksWatches }

  private mutating func watchAll() {
    for source in sources.indices { watch(Folder(source: source, path: ItemPath(bytes: []))) }
  }

  /// Watches a folder and all beneath it.
  private mutating func watch(_ first: Folder) {
    var waiting = [first]
    while let folder = waiting.popLast() {
      waiting += watchOne(folder)
    }
  }

  /// Watches one folder, and only then lists it: what comes between the two is reported.
  ///
  /// - Returns: Its subfolders.
  private mutating func watchOne(_ folder: Folder) -> [Folder] {
    let source = sources[folder.source]
    guard let opened = open(folder) else { return [] }
    defer { close(opened) }
    guard FolderWatches.mount(of: opened) == FolderWatches.mount(of: source.root) else { return [] }
    let watch: Int32
    switch watches.add(opened) {
    case .watched(let number): watch = number
    case .noneLeft:
      lacksWatches = true
      return []
    case .refused: return []
    }
    var names: [[UInt8]] = []
    var isMedia = true
    for (name, mayBeFolder) in FolderWatches.entries(of: opened) {
      if name == IgnoreRules.noMedia { isMedia = false }
      if mayBeFolder { names.append(name) }
    }
    let isLeftOut =
      !isMedia && !folder.path.bytes.isEmpty
      && source.ignored.ignoresFolder(holding: CollectionOfOne(IgnoreRules.noMedia))
    if isLeftOut {
      // The listing finds that the file which says so is gone.
      watches.remove(watch)
      return []
    }
    folders[watch] = folder
    let isBundle = source.ignored.isBundle(folder.path)
    return names.compactMap { name in
      let path = folder.path.appending(name)
      let isIgnored = source.ignored.ignores(name, at: path, isFolder: true, isInBundle: isBundle)
      return isIgnored ? nil : Folder(source: folder.source, path: path)
    }
  }

  /// Opens a folder component by component, so that no symbolic link is followed.
  private func open(_ folder: Folder) -> Int32? {
    guard var opened = FolderWatches.open([UInt8.dot], in: sources[folder.source].root)
    else {
      return nil
    }
    for name in folder.path.bytes.split(separator: UInt8.slash) {
      let next = FolderWatches.open(Array(name), in: opened)
      close(opened)
      guard let next else { return nil }
      opened = next
    }
    return opened
  }

  /// Takes in all events that have arrived.
  ///
  /// - Throws: `.spawnFailed` when the folders have to be watched anew and the kernel does not allow it.
  mutating func takeEvents() throws(SandboxError) -> Findings {
    var findings = Findings()
    var isOutdated = false
    for event in watches.read() {
      if event.isLost {
        isOutdated = true
        continue
      }
      guard let folder = folders[event.watch] else { continue }
      if event.isEnd {
        folders[event.watch] = nil
        continue
      }
      guard let name = event.name else {
        isOutdated = isOutdated || event.hasMoved
        continue
      }
      let path = folder.path.appending(name)
      let rules = sources[folder.source].ignored
      if name == IgnoreRules.noMedia {
        isOutdated = true
        continue
      }
      if rules.ignores(name, at: path, isFolder: event.isFolder, isInBundle: rules.isBundle(folder.path)) {
        continue
      }
      findings.hasChanged = findings.hasChanged || event.hasCome
      if event.isFolder {
        // A folder that is taken away keeps its watches, and those beneath it, wherever it is now.
        if event.hasMoved { isOutdated = true }
        if event.hasCome { watch(Folder(source: folder.source, path: path)) }
      }
    }
    if isOutdated {
      watches = try FolderWatches()
      folders.removeAll()
      lacksWatches = false
      watchAll()
      findings.hasChanged = true
    }
    findings.lacksWatches = lacksWatches
    return findings
  }
}
