internal import MediaModel
internal import MediaPicking

/// The facts of a candidate that a page shows and sorts by.
extension PickCandidate {
  /// The month, such as `2025-08`, in UTC; nil without a date.
  var month: String? { day.map { String($0.prefix(7)) } }

  /// The day, such as `2025-08-30`, in UTC; nil without a date.
  var day: String? { shownTime == nil ? nil : dateText }
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
