internal import MediaPicking

/// The facts of a candidate that a page sorts by.
extension PickCandidate {
  /// The time by which it is sorted, in nanoseconds since 1970: when its first file changed; nil for none.
  var shownTime: Int64? { modified > 0 ? modified : nil }
}

/// The items that a person has selected and not sent yet, in the order of selection.
struct ShownSelection {
  private(set) var numbers: [Int] = []
  private var isSelected: Set<Int> = []

  func contains(_ number: Int) -> Bool { isSelected.contains(number) }

  mutating func add(_ more: [Int]) {
    for number in more where isSelected.insert(number).inserted { numbers.append(number) }
  }

  mutating func remove(_ others: [Int]) {
    isSelected.subtract(others)
    numbers.removeAll { !isSelected.contains($0) }
  }
}
