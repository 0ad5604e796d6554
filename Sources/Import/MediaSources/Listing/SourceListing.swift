internal import Glibc
package import MediaFileSystem
package import MediaListing
internal import MediaManifest
package import MediaModel
internal import MediaPredicate

/// Lists the items of a source that a run may see, in the order of the paths' bytes.
///
/// Names are bytes; symbolic links are not followed; only folders are opened.
package struct SourceListing {
  /// Sorted by path, each path once.
  package var items = ListedItems()
  /// Folders that could not be listed, and the like.
  package var warnings: [String] = []
  /// Patterns of the selection, and of files to ignore, that no file matched.
  package var unmatchedRules: [UnmatchedRule] = []
  /// The number of files and folders that were left out by rule; of a selection only those that its
  /// patterns match, since what is not selected does not exist.
  package internal(set) var ignored = 0
  /// The indexes of the manifest's patterns that a file or folder matched which was left out.
  var matchedIgnores: Set<Int> = []

  let root: Descriptor
  private let rootStatus: FileStatus
  package let source: PlannedSource
  /// Devices on which a file with several names is refused.
  let guardedDevices: Set<UInt64>
  package let checkAccess: CheckAccess

  /// Throws when access to the source was taken back; called before each folder and each name, and cheap.
  package typealias CheckAccess = () throws(RunError) -> Void

  /// - Throws: `FileSystemError` when the source's own folder cannot be listed, `RunError` when what is
  ///   no file of its own cannot be, and what `checkAccess` throws.
  package init(
    of source: PlannedSource,
    guardedDevices: Set<UInt64>,
    checkAccess: @escaping CheckAccess = {}
  ) throws {
    self.checkAccess = checkAccess
    root = source.root
    rootStatus = try source.root.status()
    self.source = source
    self.guardedDevices = guardedDevices
    try source.media.list(into: &self)
    noteUnmatchedIgnores()
    // The walk yields this order, unless the file system does not say which entries are folders.
    if !items.isInOrder { items = ListedItems(items.sorted { $0.path < $1.path }) }
    leaveOutCardFiles()
    items.fetch(source.fetch, of: source.id)
    source.media.placeSidecars(in: &self)
    placeSidecars()
  }

  /// Looks up the items that a plan gives to a run; each has an entry, in the plan's order.
  ///
  /// The plan has applied limits already. A file that is not as the plan has it is not read.
  package init(
    _ assigned: AssignedItems,
    of source: PlannedSource,
    guardedDevices: Set<UInt64>,
    checkAccess: @escaping CheckAccess
  ) throws {
    self.checkAccess = checkAccess
    root = source.root
    rootStatus = try source.root.status()
    self.source = source
    self.guardedDevices = guardedDevices
    var folder: (path: ArraySlice<UInt8>, open: Descriptor)?
    for index in 0..<assigned.count {
      try checkAccess()
      let path = assigned.path(at: index)
      var item = look(up: path, &folder)
      if source.selection?.contains(path) == false { item.reason = .identifierNotFound }
      let isExpected = assigned.isAsPlanned(item.status, at: index)
      if item.reason == .identifierNotFound || item.reason == nil && !isExpected {
        item.reason = .notAsPlanned
      }
      items.append(item)
    }
    placeSidecars()
  }

  /// Looks up a planned item, by a folder that stays open for the items behind it. A link is not followed.
  private func look(
    up path: ItemPath,
    _ folder: inout (path: ArraySlice<UInt8>, open: Descriptor)?
  ) -> ListedItem {
    var why = ItemReason.identifierNotFound
    do throws(FileSystemError) {
      if folder?.path != path.folder {
        folder = (
          path.folder,
          try FileSystem.openPath(
            beneath: root,
            path.folder.isEmpty ? [UInt8.dot] : Array(path.folder),
            crossMounts: source.crossMounts
          )
        )
      }
      if let folder {
        let status = try FileSystem.status(in: folder.open, name: Array(path.name))
        if status.kind != .folder {
          return ListedItem(path: path, status: status, reason: reason(status, of: path))
        }
      }
    } catch {
      why = Self.reason(notFound: error)
    }
    return ListedItem(path: path, status: FileStatus(kind: .other), reason: why)
  }

  /// Takes the files of a source that is listed elsewhere, by the rules of a walk as far as names tell.
  package init(_ listed: [AssignedItem], of source: PlannedSource) throws(FileSystemError) {
    root = source.root
    rootStatus = try source.root.status()
    self.source = source
    (guardedDevices, checkAccess) = ([], {})
    lazy var paths = Set(listed.map(\.path))
    for assigned in listed where source.selection?.contains(assigned.path) != false {
      if source.ignored.ignores(file: assigned.path, isThere: { paths.contains($0) }) {
        ignored += 1
        continue
      }
      let status = FileStatus(kind: .regular, size: assigned.size ?? 0, modified: assigned.modified ?? 0)
      items.append(ListedItem(path: assigned.path, status: status))
    }
    leaveOutCardFiles()
    items.fetch(source.fetch, of: source.id)
    placeSidecars()
  }

  private mutating func placeSidecars() {
    items.placeSidecars(areRead: source.readsSidecars, keepsClipFiles: !source.policy.strips)
  }

  /// Leaves out what cameras keep beside media, which depends on what else is listed.
  private mutating func leaveOutCardFiles() {
    guard source.ignored.usesDefaults else { return }
    let named = Set(source.selection?.literals ?? [])
    ignored += items.leaveOutCardFiles(in: MemoryCardPlace(ofFolder: source.resolvedPath)) { path in
      named.contains(path)
    }
  }

  /// Returns whether the listing has an item at this path.
  package func contains(_ path: ItemPath) -> Bool { items.index(of: path) != nil }

  /// Lists a source, or looks up what a plan gives to the run; a source that cannot be listed counts as
  /// unavailable.
  package static func orUnavailable(
    _ source: PlannedSource,
    guardedDevices: Set<UInt64>,
    assigned: AssignedItems? = nil,
    listed: [AssignedItem]? = nil,
    checkAccess: @escaping CheckAccess = {}
  ) throws(RunError) -> SourceListing {
    do {
      if let listed { return try SourceListing(listed, of: source) }
      if let assigned {
        return try SourceListing(
          assigned,
          of: source,
          guardedDevices: guardedDevices,
          checkAccess: checkAccess
        )
      }
      return try SourceListing(of: source, guardedDevices: guardedDevices, checkAccess: checkAccess)
    } catch let error as RunError {
      throw error
    } catch {
      throw RunError(
        .sourceUnavailable,
        "The \(source.id.displayName) cannot be listed: \(error). Check who may read its folder."
      )
    }
  }

  /// Lists the source's folder: all of it, or what a selection names there.
  package mutating func listFolder() throws {
    if let selection = source.selection {
      try select(selection)
    } else {
      try walk { _ in
        true
      } enters: { _ in
        true
      }
    }
  }

  /// Leaves out what is not selected.
  ///
  /// - Parameter others: Files that stay besides.
  package mutating func keepSelected(and others: Set<ItemPath> = []) {
    guard let selection = source.selection else { return }
    items = ListedItems(items.filter { selection.contains($0.path) || others.contains($0.path) })
  }

  /// The number of items that the selection of the source names and that are there; those that describe them, and
  /// come with them, do not count.
  package var selectedCount: Int {
    items.indices.count { index in
      items.reason(at: index) != .identifierNotFound
        && (!items.isSidecar(at: index)
          || source.selection?.contains(items.path(at: index)) ?? true)
    }
  }

  /// Adds files that describe selected ones, of the folders in which these lie; one that may not be read is not
  /// told of.
  ///
  /// - Parameters:
  ///   - around: Whether also of the folders around these.
  ///   - choose: Chooses among the files of a folder, of which nothing but the names is known.
  /// - Returns: The files that were added.
  /// - Throws: What ``checkAccess`` throws.
  package mutating func addUnselected(
    around: Bool = false,
    _ choose: (ListedItems) -> Set<ItemPath>
  ) throws(RunError) -> Set<ItemPath> {
    let selected = Set(items.lazy.filter { $0.reason == nil }.map(\.path))
    var added: Set<ItemPath> = []
    var folders = Set(selected.map { ItemPath(bytes: Array($0.folder)) })
    if around { folders.formUnion(folders.map { ItemPath(bytes: Array($0.folder)) }) }
    for folder in folders.sorted() {
      try checkAccess()
      let path = folder.bytes.isEmpty ? [UInt8.dot] : folder.bytes
      guard
        let opened = try? FileSystem.openForReading(
          beneath: root,
          path,
          crossMounts: source.crossMounts,
          isFolder: true
        ), let entries = try? FolderEntries(of: opened)
      else { continue }
      let files = entries.filter { $0.kind != .folder }.map { entry in
        ListedItem(path: folder.appending(entry.name), status: FileStatus(kind: .regular))
      }
      for path in choose(ListedItems(files)).subtracting(selected).sorted()
      where !source.ignored.ignores(file: path) {
        let item = item(at: path)
        guard item.reason == nil else { continue }
        items.append(item)
        added.insert(path)
      }
    }
    return added
  }

  /// Applies to files that no walk has found, in the order of their paths, what a walk applies to those of
  /// folders.
  package mutating func applyRulesOfWalk() {
    let named = Set(source.selection?.literals ?? [])
    let kept = items.filter { item in
      named.contains(item.path)
        || !source.ignored.ignores(file: item.path) { items.index(of: $0) != nil }
    }
    ignored += items.count - kept.count
    items = ListedItems(kept)
    guard let selection = source.selection else { return }
    // The listing is still in the order of the paths.
    for path in selection.literals where items.index(of: path) == nil {
      items.append(ListedItem(path: path, status: FileStatus(kind: .other), reason: .identifierNotFound))
    }
  }

  private mutating func select(_ selection: Selection) throws {
    var seen: Set<ItemPath> = []
    for path in selection.literals where seen.insert(path).inserted {
      try checkAccess()
      items.append(item(at: path))
    }
    if selection.patterns.isEmpty { return }
    try walk { path in
      selection.patterns.contains { $0.matches(path) } && seen.insert(path).inserted
    } enters: { folder in
      selection.couldMatchBeneath(folder)
    }
  }

  /// Notes each pattern of the selection that no listed file matches, in the folder or in archives.
  package mutating func noteUnmatched() {
    guard let selection = source.selection else { return }
    for pattern in selection.patterns
    where !items.contains(where: { $0.reason != .identifierNotFound && pattern.matches($0.path) }) {
      unmatchedRules.append(UnmatchedRule(.selection, of: source.id, pattern.text))
    }
  }

  /// Notes each pattern of files to ignore that nothing matches, where the folder's walk has seen everything.
  private mutating func noteUnmatchedIgnores() {
    // A file of an archive, a library or a camera is not found by the walk.
    guard source.selection == nil, source.media.conditionsWord == nil else { return }
    for (index, pattern) in source.ignored.patterns.enumerated()
    where !matchedIgnores.contains(index) {
      unmatchedRules.append(UnmatchedRule(.ignore, of: source.id, pattern.text))
    }
  }

  /// Looks up a file that the selection names. A reason other than `identifierNotFound` is given
  /// only for a file that exists.
  private func item(at path: ItemPath) -> ListedItem {
    var why = ItemReason.identifierNotFound
    do throws(FileSystemError) {
      let opened = try FileSystem.openPath(beneath: root, path.bytes, crossMounts: source.crossMounts)
      let status = try opened.status()
      if status.kind != .folder {
        return ListedItem(path: path, status: status, reason: reason(status, of: path))
      }
    } catch {
      why = Self.reason(notFound: error)
    }
    return ListedItem(path: path, status: FileStatus(kind: .other), reason: why)
  }

  /// The reason of a named file that cannot be looked up.
  private static func reason(notFound error: FileSystemError) -> ItemReason {
    if error.errno == EXDEV { return .otherFileSystem }
    return error.isMissing || error.errno == ELOOP ? .identifierNotFound : .cannotOpen
  }

  /// Returns why a folder is not entered, or a file not read, because of where it lies.
  func reasonElsewhere(_ status: FileStatus) -> ItemReason? {
    if !source.crossMounts, status.isOnOtherMount(than: rootStatus) { return .otherFileSystem }
    return source.boundary.excludes(status, root: rootStatus) ? .otherSource : nil
  }

  func reason(_ status: FileStatus, of path: ItemPath) -> ItemReason? {
    if status.kind != .regular { return .notRegularFile }
    if path.isCloudPlaceholder { return .notDownloaded }
    if let reason = reasonElsewhere(status) { return reason }
    return source.refusesHardLink(status, guardedDevices: guardedDevices) ? .hardLinked : nil
  }
}
