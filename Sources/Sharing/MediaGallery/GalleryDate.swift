internal import MediaModel

/// Dates as the pages write them, in English, from those of the catalogue: local time, such as
/// `2025-08-30T11:05:00`, or a date, a month or a year alone.
enum GalleryDate {
  private static let months = EnglishMonth.names
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// The year, the month and the day of a date; nil of what is none.
  private static func parts(_ date: String) -> (year: Int, month: Int, day: Int)? {
    let parts = date.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
      months.indices.contains(month - 1), let day = Int(parts[2]), (1...31).contains(day)
    else { return nil }
    return (year, month, day)
  }

  /// The name of a month such as `2019-07`, without its year; a year alone is its own name.
  static func monthName(_ month: String) -> String {
    guard month.utf8.count == 7, let number = Int(month.suffix(2)), months.indices.contains(number - 1) else {
      return month
    }
    return months[number - 1]
  }

  /// The name of a month such as `2019-07`: July 2019.
  static func month(_ month: String) -> String {
    let name = monthName(month)
    return name == month ? month : "\(name) \(month.prefix(4))"
  }

  /// A day such as Sat, Aug 30; nil of what is no date.
  static func day(_ date: String) -> String? {
    guard let (year, month, day) = parts(date) else { return nil }
    // Sakamoto's method.
    let shifts = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    let from = month < 3 ? year - 1 : year
    let number = from + from / 4 - from / 100 + from / 400 + shifts[month - 1] + day
    return "\(days[(number % 7 + 7) % 7]), \(months[month - 1].prefix(3)) \(day)"
  }

  /// The time between two dates: May 2 – August 30, 2025; beyond a year, and where no more is known of one, the months
  /// or years alone.
  static func range(_ first: String, _ last: String) -> String? {
    guard let one = parts(first), let other = parts(last) else {
      if first.isEmpty || last.isEmpty { return nil }
      let ends = [first, last].map { month(String($0.prefix(7))) }
      return ends[0] == ends[1] ? ends[0] : "\(ends[0]) – \(ends[1])"
    }
    let end = "\(months[other.month - 1]) \(other.day), \(other.year)"
    if one == other { return end }
    let start = months[one.month - 1]
    if one.year != other.year {
      return "\(start) \(one.year) – \(months[other.month - 1]) \(other.year)"
    }
    if one.month != other.month { return "\(start) \(one.day) – \(end)" }
    return "\(start) \(one.day) – \(other.day), \(other.year)"
  }
}
