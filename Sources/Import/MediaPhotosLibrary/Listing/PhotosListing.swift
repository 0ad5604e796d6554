internal import MediaFileSystem
package import MediaListing
internal import MediaManifest
package import MediaModel

/// The items of a Photos library that a run may see, and what is to become of them.
package struct PhotosListing {
  /// The files that were found and what the database names besides, in the order of their paths.
  package private(set) var items = ListedItems()
  /// What a person has to know.
  package private(set) var warnings: [String] = []
  /// The entries of the selection that nothing matches.
  package private(set) var unmatched: [String] = []

  /// Looks each file up in the database, and leaves out what is not selected, of which nothing is said.
  ///
  /// - Parameters:
  ///   - walked: The files of the library's folders, in the order of their paths.
  ///   - index: What the database says.
  ///   - selection: Under `limited`, what is selected; nil for all.
  ///   - includesHidden: Whether hidden and shared assets are imported.
  package init(
    of walked: ListedItems,
    _ index: PhotosIndex,
    _ selection: PhotosSelection?,
    includesHidden: Bool
  ) {
    if index.unusableRows > 0 {
      warnings.append(
        Quantity.text(index.unusableRows, "row")
          + " of the Photos library's database cannot be read as assets or albums. Open the library in "
          + "Photos, which repairs it."
      )
    }
    var view = PhotosView(walked, index, selection, includesHidden: includesHidden)
    items = view.files()
    view.addMissing(to: &items)
    warnings += view.warnings
    unmatched = view.unmatched
  }
}

/// The database's view of single files.
private struct PhotosView {
  /// What the database names, and no file is there for; or a path of the selection at which nothing is.
  private struct Missing {
    var path: ItemPath
    var reason: ItemReason
    /// Whether the path is that of an original which has the name that Photos gives it.
    var isUsual: Bool
  }

  /// The files, in the order of their paths.
  private let walked: ListedItems
  private let index: PhotosIndex
  private let selection: PhotosSelection?
  private let names: PhotosNames
  private let includesHidden: Bool
  /// Whether an asset's original was found, by its index.
  private var hasOriginal: [Bool]
  private var matched: Set<String> = []
  /// The numbers of files in scopes of which nothing is known.
  private var unknownScopes: [ItemPath: Int] = [:]

  init(
    _ walked: ListedItems,
    _ index: PhotosIndex,
    _ selection: PhotosSelection?,
    includesHidden: Bool
  ) {
    self.walked = walked.isInOrder ? walked : ListedItems(walked.sorted { $0.path < $1.path })
    self.index = index
    self.selection = selection
    self.includesHidden = includesHidden
    names = PhotosNames(of: selection == nil ? PhotosIndex() : index)
    hasOriginal = [Bool](repeating: false, count: index.assets.count)
  }

  /// The files that are selected, each with the reason that its asset gives.
  mutating func files() -> ListedItems {
    // All of them share the memory of those that were walked.
    var files = selection == nil ? walked : ListedItems()
    for position in walked.indices {
      let path = walked.path(at: position)
      let asset = index.index(of: path)
      if let asset, isOriginal(path) { hasOriginal[asset] = true }
      guard isSelected(path, asset) else { continue }
      let reason =
        if let asset { index.assets[asset].reason(at: path, includesHidden: includesHidden) } else {
          ItemReason.unlisted
        }
      if let scope = PhotosLibraryFiles.scope(of: path), PhotosLibraryFiles.isUnknown(scope: scope) {
        unknownScopes[ItemPath(bytes: Array(scope)), default: 0] += 1
      }
      if selection != nil { files.append(walked[position]) }
      if let reason {
        files.leaveOut(at: selection == nil ? position : files.count - 1, because: reason)
      }
    }
    return files
  }

  /// Adds what the database names, and no file is there for, and paths of the selection at which nothing is; of one
  /// path what was known first.
  mutating func addMissing(to items: inout ListedItems) {
    let (usual, others) = missing()
    if usual.isEmpty, others.isEmpty { return }
    let files = items
    items = ListedItems()
    var (file, other) = (0, 0)
    func add(_ missing: Missing) {
      while file < files.count, files.compare(at: file, with: missing.path) <= 0 {
        items.append(files[file])
        file += 1
      }
      if items.isEmpty || items.compare(at: items.count - 1, with: missing.path) != 0 {
        items.append(
          ListedItem(path: missing.path, status: FileStatus(kind: .other), reason: missing.reason)
        )
      }
    }
    for asset in usual {
      let missing = missing(Int(asset))
      while other < others.count, others[other].path < missing.path {
        add(others[other])
        other += 1
      }
      add(missing)
    }
    for missing in others[other...] { add(missing) }
    for position in file..<files.count { items.append(files[position]) }
  }

  /// What is missing, in the order of the paths: assets whose originals Photos would have named by their UUIDs, which
  /// are many where the originals are in iCloud, and all else.
  private mutating func missing() -> (usual: [UInt32], others: [Missing]) {
    var usual: [UInt32] = []
    var others: [Missing] = []
    for asset in index.assets.indices where !hasOriginal[asset] {
      let missing = missing(asset)
      guard isSelected(missing.path, asset) else { continue }
      if missing.isUsual, index.assets.order(at: asset) != nil {
        usual.append(UInt32(asset))
      } else {
        others.append(missing)
      }
    }
    others += (selection?.literals ?? []).map { path in
      Missing(path: path, reason: .identifierNotFound, isUsual: false)
    }
    // The orders are read again and again, since there may be a million of them.
    let assets = index.assets
    usual.sort { first, second in
      let orders = (assets.order(at: Int(first)) ?? 0, assets.order(at: Int(second)) ?? 0)
      return orders.0 == orders.1
        ? assets[Int(first)].uuid < assets[Int(second)].uuid : orders.0 < orders.1
    }
    others.sort { first, second in
      first.path == second.path
        ? second.reason == .identifierNotFound && first.reason != .identifierNotFound
        : first.path < second.path
    }
    return (usual, others)
  }

  private func missing(_ asset: Int) -> Missing {
    let asset = index.assets[asset]
    let path = index.originalPath(of: asset)
    let marks = asset.marks
    let absence: ItemReason =
      if marks.contains(.referenced) {
        .referenced
      } else if marks.contains(.inConversation) || marks.isSuperset(of: [.local, .inSharedLibrary]) {
        .notFetched
      } else { marks.contains(.local) ? .originalMissing : .notDownloaded }
    return Missing(
      path: path,
      reason: asset.reason(includesHidden: includesHidden) ?? absence,
      isUsual: path.bytes.starts(with: PhotosLibraryFiles.original(of: asset.uuid))
    )
  }

  var warnings: [String] {
    unknownScopes.sorted { $0.key < $1.key }.map { scope, count in
      "The Photos library has \(Quantity.text(count, "file")) in \"scopes/\(scope.text)\". mediabatch does not know this "
        + "kind, and takes them for pictures of others."
    }
  }

  /// The entries of the selection that name albums and assets and matched nothing.
  var unmatched: [String] {
    selection?.referencePatterns.map(\.text).filter { !matched.contains($0) } ?? []
  }

  private mutating func isSelected(_ path: ItemPath, _ asset: Int?) -> Bool {
    guard let selection else { return true }
    guard selection.contains(path, asset, names) else { return false }
    if let asset, matched.count < selection.referencePatterns.count {
      let own = names.names(of: asset)
      for pattern in selection.referencePatterns
      where !matched.contains(pattern.text) && own.contains(where: pattern.matches) {
        matched.insert(pattern.text)
      }
    }
    return true
  }

  private func isOriginal(_ path: ItemPath) -> Bool {
    switch PhotosFileName(stem: path.stem)?.part {
    case .original: true
    case .pairedMovie, .raw, .rendition, .renderedMovie: false
    // A name that does not begin with an identifier was found by its whole path, or is a sidecar's.
    case nil: !SidecarName.isSidecar(path)
    }
  }
}

extension PhotosAsset {
  /// Tells why an asset is not imported, wherever its files are.
  ///
  /// - Parameter includesHidden: Whether hidden and shared assets are imported.
  /// - Returns: The reason; nil where nothing keeps it back.
  package func reason(includesHidden: Bool) -> ItemReason? {
    standings.lazy.compactMap {
      $0.reason(includesHidden: includesHidden, includesOthers: includesHidden)
    }.first
  }

  /// What the database says of its standing.
  package var standings: [Standing] {
    guard !marks.isDisjoint(with: [.trashed, .hidden, .shared, .ofOthers]) else { return [] }
    return [
      (.trashed, .thrownAway), (.hidden, .putAway), ([.shared, .ofOthers], .others),
    ].compactMap { (signs: Marks, standing: Standing) in
      marks.isDisjoint(with: signs) ? nil : standing
    }
  }

  /// Tells why a file of an asset is not imported: what is true of the asset, or where the file lies.
  ///
  /// - Parameters:
  ///   - path: The file's path in the library.
  ///   - includesHidden: Whether hidden and shared assets are imported.
  /// - Returns: The reason; nil where nothing keeps it back.
  package func reason(at path: ItemPath, includesHidden: Bool) -> ItemReason? {
    reason(includesHidden: includesHidden)
      ?? PhotosLibraryFiles.standing(of: path)?
      .reason(includesHidden: includesHidden, includesOthers: includesHidden)
  }
}
