internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel

/// The numbered names of a picker, and which of them are chosen. Numbers are 1-based and never change.
struct PickList {
  /// The candidates that were loaded so far; see ``load(count:)``.
  private(set) var items: [PickCandidate] = []
  /// Whether every name is known.
  private(set) var isComplete = false
  /// The chosen candidates in the order of choice.
  private(set) var chosen: [Int] = []
  /// The numbers that a filter leaves, or nil without one.
  private(set) var filtered: [Int]?

  private var walk: DirectoryWalker
  private var isChosen: Set<Int> = []

  init(_ walk: DirectoryWalker) {
    self.walk = walk
  }

  /// Folders that could not be listed, so far.
  var unlistedCount: Int { walk.unlistedCount }

  /// Makes at least so many items known, if there are so many; at most 100,000 ever are.
  mutating func load(count: Int) {
    while !isComplete, items.count < count {
      guard items.count < PickRequest.maximumLimit, let item = walk.next() else {
        isComplete = true
        return
      }
      items.append(item)
    }
  }

  /// Whether there are more names than can be shown.
  mutating func isCut() -> Bool {
    items.count >= PickRequest.maximumLimit && walk.next() != nil
  }

  /// Shows only the names whose text holds `text`, ASCII case aside; all of them for an empty text.
  mutating func filter(_ text: String) {
    if text.isEmpty {
      filtered = nil
      return
    }
    load(count: .max)
    let wanted = Self.folded(text)
    filtered = items.indices.filter { index in
      items[index].files.contains { Self.holds(Self.folded($0.text), wanted) }
    }.map { $0 + 1 }
  }

  /// The numbers from the one at `start` (0-based, among those that the filter leaves) on.
  mutating func numbers(from start: Int, count: Int) -> [Int] {
    if let filtered { return Array(filtered.dropFirst(start).prefix(count)) }
    load(count: start + count)
    return Array((min(start, items.count)..<min(start + count, items.count)).map { $0 + 1 })
  }

  /// Whether a number's item is chosen.
  func contains(_ number: Int) -> Bool { isChosen.contains(number) }

  /// Chooses the items of a range, or takes them back; of a range only what the filter leaves.
  ///
  /// - Returns: False when the range holds no item.
  mutating func change(_ change: PickInput.Change) -> Bool {
    load(count: change.range.upperBound)
    let known = change.range.clamped(to: 1...max(items.count, 1))
    let numbers = known.filter { number in
      number <= items.count && change.range.contains(number)
        && (filtered.map { Self.sorted($0, contains: number) } ?? true)
    }
    if change.takesBack {
      isChosen.subtract(numbers)
      chosen.removeAll { !isChosen.contains($0) }
    } else {
      choose(numbers)
    }
    return !numbers.isEmpty
  }

  /// Chooses all that the filter leaves.
  mutating func chooseAll() {
    load(count: .max)
    choose(filtered ?? items.indices.map { $0 + 1 })
  }

  /// Takes all back, whatever the filter leaves.
  mutating func chooseNone() {
    chosen = []
    isChosen = []
  }

  /// The files of all that is chosen.
  var chosenFiles: [ItemPath] { chosen.flatMap { items[$0 - 1].files } }

  private mutating func choose(_ numbers: [Int]) {
    for number in numbers where isChosen.insert(number).inserted { chosen.append(number) }
  }

  private static func sorted(_ numbers: [Int], contains number: Int) -> Bool {
    var low = 0
    var high = numbers.count
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count && numbers[low] == number
  }

  private static func folded(_ text: String) -> [UInt8] {
    text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  private static func holds(_ text: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard text.count >= wanted.count else { return false }
    return (0...(text.count - wanted.count)).contains { text[$0...].starts(with: wanted) }
  }
}
