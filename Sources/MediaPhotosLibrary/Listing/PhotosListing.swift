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
    var view = PhotosView(index, selection, includesHidden: includesHidden)
    for item in walked {
      if let item = view.item(item) { items.append(item) }
    }
    let missing = view.missing()
    if !missing.isEmpty {
      items = ListedItems((Array(items) + missing).sorted { $0.path < $1.path })
    }
    warnings += view.unmatched.map { text in
      "The entry \"\(EscapedText.printable(text))\" of the selection matches nothing."
    }
  }
}

/// The database's view of single files.
private struct PhotosView {
  private let index: PhotosIndex
  private let selection: PhotosSelection?
  private let names: PhotosNames
  private let includesHidden: Bool
  /// Assets whose original was found.
  private var found: Set<String> = []
  private var paths: Set<ItemPath> = []
  private var matched: Set<String> = []

  init(_ index: PhotosIndex, _ selection: PhotosSelection?, includesHidden: Bool) {
    self.index = index
    self.selection = selection
    self.includesHidden = includesHidden
    names = selection == nil ? PhotosNames(of: PhotosIndex()) : PhotosNames(of: index)
  }

  /// Returns a file with the reason that its asset gives; nil for one that is not selected.
  mutating func item(_ item: ListedItem) -> ListedItem? {
    let asset = index.asset(of: item.path)
    if let asset, isOriginal(item.path) { found.insert(asset.uuid) }
    guard isSelected(item.path, asset) else { return nil }
    paths.insert(item.path)
    var item = item
    if let asset {
      item.reason = asset.reason(includesHidden: includesHidden) ?? item.reason
    } else {
      item.reason = .unlisted
    }
    return item
  }

  /// What the database names, and no file is there for; and paths of the selection at which nothing is.
  mutating func missing() -> [ListedItem] {
    var items: [ListedItem] = []
    for asset in index.assets.values.sorted(by: { $0.uuid < $1.uuid })
    where !found.contains(asset.uuid) {
      let path = index.place(of: asset)
      guard isSelected(path, asset), paths.insert(path).inserted else { continue }
      let reason: ItemReason =
        asset.reason(includesHidden: includesHidden)
        ?? (asset.marks.contains(.referenced)
          ? .referenced : asset.marks.contains(.local) ? .originalMissing : .notDownloaded)
      items.append(ListedItem(path: path, status: FileStatus(kind: .other), reason: reason))
    }
    for path in selection?.literals ?? [] where paths.insert(path).inserted {
      items.append(
        ListedItem(path: path, status: FileStatus(kind: .other), reason: .identifierNotFound)
      )
    }
    return items
  }

  /// The entries of the selection that name albums and assets and matched nothing.
  var unmatched: [String] {
    selection?.referencePatterns.map(\.text).filter { !matched.contains($0) } ?? []
  }

  private mutating func isSelected(_ path: ItemPath, _ asset: PhotosAsset?) -> Bool {
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
    case nil: !SidecarName.isSidecar(path.bytes)
    }
  }
}

extension PhotosAsset {
  /// Tells why an asset is not imported, wherever its files are.
  ///
  /// - Parameter includesHidden: Whether hidden and shared assets are imported.
  /// - Returns: The reason; nil where nothing keeps it back.
  package func reason(includesHidden: Bool) -> ItemReason? {
    if marks.contains(.trashed) { return .trashed }
    let isPutAway = !marks.isDisjoint(with: [.hidden, .shared])
    return isPutAway && !includesHidden ? .notFetched : nil
  }
}
