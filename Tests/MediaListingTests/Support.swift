import MediaFileSystem
import MediaListing
import MediaModel

/// A listing of files by their paths, in the order of their bytes.
func listing(
  _ paths: [String],
  status: (String) -> FileStatus = { _ in FileStatus(kind: .regular) }
) -> ListedItems {
  let sorted = paths.map { (ItemPath(bytes: Array($0.utf8)), status($0)) }.sorted { $0.0 < $1.0 }
  return ListedItems(sorted.map { ListedItem(path: $0.0, status: $0.1) })
}

func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

extension ListedItems {
  /// The items that are left out, and why.
  var leftOut: [String: ItemReason] {
    reduce(into: [:]) { reasons, item in reasons[item.path.text] = item.reason }
  }

  /// The paths of the items that are not left out.
  var wanted: [String] { filter { $0.reason == nil }.map(\.path.text) }

  /// The owner of each sidecar that is read.
  var ownersByPath: [String: String] {
    indices.reduce(into: [:]) { $0[path(at: $1).text] = owner(at: $1)?.text }
  }
}
