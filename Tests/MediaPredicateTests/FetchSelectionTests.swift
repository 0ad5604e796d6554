import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPredicate

@Suite("The first items of an order that only open files tell")
struct FetchSelectionTests {
  private func selection(_ limit: Int, _ sort: String...) throws -> FetchSelection {
    var options = FetchOptions()
    options.fetchLimit = limit
    options.sortDescriptors = try sort.map { try FetchSortDescriptor($0) }
    return FetchSelection(options)
  }

  private func path(_ name: String) -> ItemPath { ItemPath(bytes: Array(name.utf8)) }

  @Test("A group is at the place of its first file, whichever was read first")
  func groups() throws {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      var selection = try selection(1, "rating:descending")
      let files: [(String, Int, Int64)] = [("a.jpg", 1, 5), ("a.mov", 1, 0), ("b.jpg", 2, 3)]
      for index in order {
        let (name, group, rating) = files[index]
        selection.note(path(name), group: group, [.integer(rating)])
      }
      let isChosen = selection.chosen()
      #expect(isChosen(path("a.jpg"), 1) && isChosen(path("a.mov"), 1), "\(order)")
      #expect(!isChosen(path("b.jpg"), 2), "\(order)")
    }
  }

  @Test("It is what sorting all gives, for any number of items, with ties by path and nil last")
  func sorted() throws {
    var random = SeededGenerator(seed: 17)
    for limit in [1, 7, 500] {
      var selection = try selection(limit, "rating", "path:descending")
      var all: [(path: ItemPath, rating: Int?)] = []
      for number in 0..<6000 {
        let rating = number % 5 == 0 ? nil : Int.random(in: 0..<300, using: &random)
        all.append((path("\(number)"), rating))
        selection.note(
          path("\(number)"),
          group: number,
          [rating.map { .integer(Int64($0)) } ?? .null, .null]
        )
      }
      let expected = all.sorted { first, second in
        let (firstRating, secondRating) = (first.rating ?? .max, second.rating ?? .max)
        return firstRating != secondRating ? firstRating < secondRating : second.path < first.path
      }.prefix(limit)
      let isChosen = selection.chosen()
      let chosen = all.enumerated().filter { isChosen($0.element.path, $0.offset) }.map(\.element.path)
      #expect(Set(chosen) == Set(expected.map(\.path)), "\(limit)")
    }
  }

  @Test("What is not counted is chosen besides, and what does not meet the options is not")
  func others() throws {
    var selection = try selection(1, "rating")
    selection.note(path("a"), group: 1, [.integer(1)])
    selection.note(path("b"), group: 2, nil)
    selection.noteOther(path("c"))
    let isChosen = selection.chosen()
    #expect(isChosen(path("a"), 1) && !isChosen(path("b"), 2) && isChosen(path("c"), 3))
  }
}
