internal import MediaModel
internal import MediaPicking

/// The facts of a candidate that a page shows and sorts by.
extension PickCandidate {
  /// The month, such as "August 2025", in UTC.
  var month: String {
    guard let shownTime else { return "No date" }
    let time = CalendarTime(microsecondsSince1970: shownTime / 1000)
    return "\(Self.months[Int(time.month) - 1]) \(time.year)"
  }

  /// The day, such as "Sat, Aug 30", in UTC; nil without a date.
  var day: String? {
    guard let shownTime else { return nil }
    let time = CalendarTime(microsecondsSince1970: shownTime / 1000)
    // 1970 began on a Thursday.
    let (days, nanoseconds) = shownTime.quotientAndRemainder(dividingBy: 86_400_000_000_000)
    let weekday = Self.weekdays[Int(((days - (nanoseconds < 0 ? 1 : 0) + 4) % 7 + 7) % 7)]
    return "\(weekday), \(Self.months[Int(time.month) - 1].prefix(3)) \(time.day)"
  }

  private static let months = EnglishMonth.names
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
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
