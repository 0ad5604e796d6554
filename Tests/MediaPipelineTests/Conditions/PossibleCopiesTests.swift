import MediaFileSystem
import MediaListing
import MediaModel
import Testing

@testable import MediaPipeline
@testable import MediaSources

@Suite("Files that may be copies")
struct PossibleCopiesTests {
  private let items = ListedItems(
    ([
      ("a", 10, nil), ("b", 10, nil), ("c", 10, .hardLinked), ("d", 0, nil), ("e", 0, nil), ("f", 7, nil),
      ("g", 10, nil),
      ("h", 7, nil), ("i", 8, nil), ("j", 5, nil), ("k", 5, nil),
    ] as [(String, Int64, ItemReason?)]).map { name, size, reason in
      ListedItem(
        path: ItemPath(bytes: bytes(name)),
        status: FileStatus(kind: .regular, size: size),
        reason: reason
      )
    }
  )

  private func groups(_ names: String) -> [[String]] {
    var pending = PendingItems(of: items)
    for (index, item) in items.enumerated() where names.contains(item.path.text) {
      pending.append(itemAt: index, number: 0)
    }
    return PossibleCopies(of: pending).groups.map { $0.map(\.text) }
  }

  @Test("Files of the size of one that is processed are compared, except empty ones and what is not opened")
  func sizes() {
    #expect(groups("adefi") == [["f", "h"], ["a", "b", "g"]])
    #expect(groups("abcg") == [["a", "b", "g"]])
    #expect(groups("c") == [])
    #expect(groups("i") == [])
    #expect(groups("") == [])
  }
}
