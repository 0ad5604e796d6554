package import MediaModel

/// The names of a picker, and which of them are chosen.
///
/// Its parts know a name by its index in ``items``. A person knows it by its number: 1-based, among the names
/// that the filter leaves, in the order in which they are shown.
package struct PickList {
  /// The most items that a list has.
  package static let maximumCount = PickRequest.maximumLimit

  /// The candidates, in the order in which they were found.
  package private(set) var items: [PickCandidate]
  /// Folders that could not be listed.
  package let unlistedCount: Int
  /// The indexes of the chosen candidates in the order of choice.
  package private(set) var chosen: [Int] = []
  /// The indexes that a filter leaves, in the order in which they are shown.
  package private(set) var shown: [Int]

  private let sort: PickOrder
  /// All indexes in the order in which they are shown.
  private var order: [Int]
  /// The place in ``order`` of each index.
  private var ranks: [Int]
  private var isChosen: Set<Int> = []

  /// Makes a list of candidates that another process has found.
  package init(_ items: [PickCandidate], unlistedCount: Int, sort: PickOrder = .newestFirst) {
    (self.items, self.unlistedCount, self.sort) = (items, unlistedCount, sort)
    order = sort.indexes(of: items)
    ranks = Self.ranks(order)
    shown = order
  }

  /// Whether there are as many names as can be shown; then there may be more.
  package var isFull: Bool { items.count >= Self.maximumCount }

  /// Changes candidates, such as by the times when they were taken, and sorts them anew; what a filter had left out is
  /// shown again.
  package mutating func update(_ change: (inout [PickCandidate]) -> Void) {
    change(&items)
    order = sort.indexes(of: items)
    ranks = Self.ranks(order)
    shown = order
  }

  private static func ranks(_ order: [Int]) -> [Int] {
    var ranks = [Int](repeating: 0, count: order.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    return ranks
  }

  // MARK: Showing

  /// The albums that have an item, with the number of items in each: by their titles, or folders in the order of
  /// their paths where the source has no album.
  package var albums: [(album: PickAlbum, count: Int)] {
    let isInFolders = isInFolders
    var counts: [PickAlbum: Int] = [:]
    for item in items {
      for album in item.albums(orFolder: isInFolders) { counts[album, default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Whether folders stand for albums: not where most items have a title, so that paths are no names for a person.
  private var isInFolders: Bool {
    let titledCount = items.count { $0.title != nil }
    return 2 * titledCount <= items.count && items.allSatisfy(\.albums.isEmpty)
  }

  /// Shows only the items whose title, albums or paths hold `text`, ASCII case aside; all of them for an empty text.
  package mutating func filter(_ text: String) {
    if text.isEmpty {
      shown = order
      return
    }
    let wanted = text.utf8.map(\.asciiLowercased)
    shown = order.filter { index in
      let item = items[index]
      let texts = item.title.map { [$0] } ?? item.files.map(\.text)
      return (texts + item.albums).contains { Self.holds($0.utf8.map(\.asciiLowercased), wanted) }
    }
  }

  /// Leaves of the names that ``filter(_:)`` left only those of one kind.
  package mutating func filter(kind: PickFilter) { shown.removeAll { items[$0].kind != kind } }

  /// Leaves of the names that ``filter(_:)`` left only those that are in one album, or in one folder itself.
  package mutating func filter(album: PickAlbum) {
    let isInFolders = isInFolders
    shown.removeAll { !items[$0].albums(orFolder: isInFolders).contains(album) }
  }

  /// The indexes from the one at `start` (0-based, among those that the filter leaves) on.
  package func indexes(from start: Int, count: Int) -> [Int] {
    Array(shown.dropFirst(start).prefix(count))
  }

  /// The number of an item; nil when the filter leaves it out.
  package func number(of index: Int) -> Int? {
    let position = position(of: index)
    return position < shown.count && shown[position] == index ? position + 1 : nil
  }

  // MARK: Choosing

  package func contains(_ index: Int) -> Bool { isChosen.contains(index) }

  /// Chooses the names of a range of numbers, or takes them back.
  ///
  /// - Returns: False when the range holds no name.
  package mutating func change(_ change: PickInput.Change) -> Bool {
    let indexes = indexes(from: change.range.lowerBound - 1, count: change.range.count)
    if change.takesBack {
      isChosen.subtract(indexes)
      chosen.removeAll { !isChosen.contains($0) }
    } else {
      choose(indexes)
    }
    return !indexes.isEmpty
  }

  /// Chooses all that the filter leaves.
  package mutating func chooseAll() { choose(shown) }

  /// Takes all back, whatever the filter leaves.
  package mutating func chooseNone() {
    chosen = []
    isChosen = []
  }

  /// The indexes of the items of which a file is among some, in the order in which they are shown.
  package func indexes(holding files: Set<ItemPath>) -> [Int] {
    files.isEmpty ? [] : order.filter { items[$0].files.contains(where: files.contains) }
  }

  /// Chooses items, each once.
  package mutating func choose(_ indexes: [Int]) {
    for index in indexes where isChosen.insert(index).inserted { chosen.append(index) }
  }

  /// The files of all that is chosen.
  package var chosenFiles: [ItemPath] { chosen.flatMap { items[$0].files } }

  /// Where an index is among the shown ones, or would be.
  private func position(of index: Int) -> Int {
    var low = 0
    var high = shown.count
    while low < high {
      let middle = (low + high) / 2
      if ranks[shown[middle]] < ranks[index] { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func holds(_ text: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard text.count >= wanted.count else { return false }
    return (0...(text.count - wanted.count)).contains { text[$0...].starts(with: wanted) }
  }
}

extension PickOrder {
  /// The indexes of candidates in this order.
  fileprivate func indexes(of items: [PickCandidate]) -> [Int] {
    let names = items.map { item in
      item.title.map { NaturalOrder.key(of: $0.utf8) } ?? item.files.first?.nameOrder ?? []
    }
    let times = items.map { isByDate ? $0.shownTime : nil }
    let sorted = items.indices.sorted {
      let (first, second) = (times[$0] ?? .max, times[$1] ?? .max)
      if first != second { return first < second }
      return names[$0] == names[$1] ? $0 < $1 : names[$0].lexicographicallyPrecedes(names[$1])
    }
    let isForward = self == .oldestFirst || self == .name
    let directed = isForward ? sorted : sorted.reversed()
    guard isByDate else { return directed }
    return directed.filter { times[$0] != nil } + directed.filter { times[$0] == nil }
  }
}
