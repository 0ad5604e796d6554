internal import MediaFileSystem
internal import MediaListing
package import MediaModel

/// The files of a source that may be equal to one that a run processes, since they have the same size, and the JSON files
/// that describe them.
///
/// What an earlier run left out needs no file that is unchanged.
package struct PossibleCopies {
  /// The files of each size, at least two.
  package let groups: [[ItemPath]]
  /// The JSON files that describe any of them.
  package let sidecars: PendingItems
  private let items: ListedItems
  /// The files that a JSON file describes.
  private var described: [ItemPath: [ItemPath]] = [:]
  /// The files that have a JSON file.
  private var describedFiles: Set<ItemPath> = []

  /// Looks at the sizes of files; nothing is opened.
  ///
  /// - Parameter pending: What the run processes.
  package init(of pending: PendingItems) {
    let items = pending.items
    var files: [(size: Int64, index: Int)] = []
    func add(_ index: Int) -> Int64? {
      let size = items.status(at: index).size
      // Whatever its name is: what a file is, its content tells.
      guard size > 0, items.reason(at: index) == nil, !items.isSidecar(at: index) else { return nil }
      files.append((size, index))
      return size
    }
    var isProcessed = [Bool](repeating: false, count: items.count)
    var newSizes: Set<Int64> = []
    for position in pending.indices {
      let index = pending.index(at: position)
      isProcessed[index] = true
      if let size = add(index), !pending.wasLeftOut(at: position) { newSizes.insert(size) }
    }
    // A copy that is new, or is read again, is not to show what the JSON file of an unchanged picture hides.
    if !newSizes.isEmpty {
      for index in items.indices where !isProcessed[index] && newSizes.contains(items.status(at: index).size)
      {
        _ = add(index)
      }
    }
    files.sort { $0 < $1 }
    var groups: [[ItemPath]] = []
    var jsonFiles: Set<Int> = []
    var ungrouped = files[...]
    while let first = ungrouped.first {
      let group = ungrouped.prefix { $0.size == first.size }
      ungrouped = ungrouped.dropFirst(group.count)
      if group.count < 2 { continue }
      let paths = group.map { items.path(at: $0.index) }
      groups.append(paths)
      for path in paths {
        for sidecar in items.sidecars(of: path) where TakeoutNames.isSidecar(sidecar.path.name) {
          guard let index = items.index(of: sidecar.path) else { continue }
          jsonFiles.insert(index)
          described[sidecar.path, default: []].append(path)
          describedFiles.insert(path)
        }
      }
    }
    var sidecars = PendingItems(of: items)
    for index in jsonFiles.sorted() { sidecars.append(itemAt: index, number: 0) }
    (self.groups, self.sidecars, self.items) = (groups, sidecars, items)
  }

  /// The files of the groups that a JSON file describes.
  package func files(describedBy sidecar: ItemPath) -> [ItemPath] { described[sidecar] ?? [] }

  /// Whether a file of a group has a JSON file of its own.
  package func isDescribed(_ file: ItemPath) -> Bool { describedFiles.contains(file) }

  /// Files of the listing as items, to be read for nothing but their bytes.
  package func items(at paths: [ItemPath]) -> PendingItems {
    var chosen = PendingItems(of: items)
    for index in paths.compactMap({ items.index(of: $0) }).sorted() {
      chosen.append(itemAt: index, number: 0)
    }
    return chosen
  }
}
