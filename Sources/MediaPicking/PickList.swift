internal import MediaFileSystem
package import MediaModel

/// The names of a picker, and which of them are chosen.
///
/// Its parts know a name by its index in ``items``. A person knows it by its number: 1-based, among the names
/// that the filter leaves.
package struct PickList {
  /// The most items that a list has.
  package static let maximumCount = PickRequest.maximumLimit

  /// The candidates that were loaded so far; see ``load(count:)``.
  package private(set) var items: [PickCandidate] = []
  /// Whether every name is known.
  package private(set) var isComplete = false
  /// The indexes of the chosen candidates in the order of choice.
  package private(set) var chosen: [Int] = []
  /// The indexes that a filter leaves, ascending, or nil without one.
  package private(set) var filtered: [Int]?

  /// Nil for a list that was made elsewhere.
  private var walk: DirectoryWalker?
  private let otherUnlistedCount: Int
  private var isChosen: Set<Int> = []

  /// Makes a list of what a walk finds, as far as it is asked for.
  package init(_ walk: DirectoryWalker) {
    self.walk = walk
    otherUnlistedCount = 0
  }

  /// Makes a whole list of candidates that another process has found.
  package init(_ items: [PickCandidate], unlistedCount: Int) {
    self.items = items
    isComplete = true
    otherUnlistedCount = unlistedCount
  }

  /// Folders that could not be listed, so far.
  package var unlistedCount: Int { walk?.unlistedCount ?? otherUnlistedCount }

  /// The folders that have an item, in the order of the list, with the number of items in each.
  package var folders: [(path: [UInt8], count: Int)] {
    var places: [[UInt8]: Int] = [:]
    var folders: [(path: [UInt8], count: Int)] = []
    for item in items {
      let folder = Array(item.files[0].folder)
      if let place = places[folder] {
        folders[place].count += 1
      } else {
        places[folder] = folders.count
        folders.append((folder, 1))
      }
    }
    return folders
  }

  /// Makes at least so many items known, if there are so many; at most 100,000 ever are.
  package mutating func load(count: Int) {
    while !isComplete, items.count < count {
      guard items.count < PickRequest.maximumLimit, let item = walk?.next() else {
        isComplete = true
        return
      }
      items.append(item)
    }
  }

  /// Whether there are more names than can be shown.
  package mutating func isCut() -> Bool {
    items.count >= PickRequest.maximumLimit && walk?.next() != nil
  }

  /// Shows only the names whose text holds `text`, ASCII case aside; all of them for an empty text.
  package mutating func filter(_ text: String) {
    if text.isEmpty {
      filtered = nil
      return
    }
    load(count: .max)
    let wanted = Self.folded(text)
    filtered = items.indices.filter { index in
      items[index].files.contains { Self.holds(Self.folded($0.text), wanted) }
    }
  }

  /// Leaves of the names that ``filter(_:)`` left only those of one kind.
  package mutating func filter(kind: PickFilter) {
    load(count: .max)
    filtered = (filtered ?? Array(items.indices)).filter { items[$0].kind == kind }
  }

  /// Leaves of the names that ``filter(_:)`` left only those that are in one folder itself.
  package mutating func filter(folder: [UInt8]) {
    load(count: .max)
    filtered = (filtered ?? Array(items.indices)).filter {
      items[$0].files[0].folder.elementsEqual(folder)
    }
  }

  /// The indexes from the one at `start` (0-based, among those that the filter leaves) on.
  package mutating func indexes(from start: Int, count: Int) -> [Int] {
    if let filtered { return Array(filtered.dropFirst(start).prefix(count)) }
    load(count: start + count)
    return Array(min(start, items.count)..<min(start + count, items.count))
  }

  /// The number of an item; nil when the filter leaves it out.
  package func number(of index: Int) -> Int? {
    guard let filtered else { return index + 1 }
    let place = Self.place(of: index, in: filtered)
    return place < filtered.count && filtered[place] == index ? place + 1 : nil
  }

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
  package mutating func chooseAll() {
    load(count: .max)
    choose(filtered ?? Array(items.indices))
  }

  /// Takes all back, whatever the filter leaves.
  package mutating func chooseNone() {
    chosen = []
    isChosen = []
  }

  /// The files of all that is chosen.
  package var chosenFiles: [ItemPath] { chosen.flatMap { items[$0].files } }

  private mutating func choose(_ indexes: [Int]) {
    for index in indexes where isChosen.insert(index).inserted { chosen.append(index) }
  }

  /// Where an index is in an ascending list, or would be.
  private static func place(of index: Int, in indexes: [Int]) -> Int {
    var low = 0
    var high = indexes.count
    while low < high {
      let middle = (low + high) / 2
      if indexes[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func folded(_ text: String) -> [UInt8] {
    text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  private static func holds(_ text: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard text.count >= wanted.count else { return false }
    return (0...(text.count - wanted.count)).contains { text[$0...].starts(with: wanted) }
  }
}
