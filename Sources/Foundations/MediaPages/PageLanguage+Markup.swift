internal import MediaModel
package import MediaSyntax

/// Sentences, numbers and dates that `Web/words.js` exchanges by their attributes.
extension PageLanguage {
  /// The attributes of the element `html`.
  package var attributes: Markup {
    "lang=\"\(tag)\"\(" dir=\"rtl\"", if: page.isRightToLeft)"
  }

  /// An element with a sentence; see ``callAsFunction(_:_:_:)``.
  package func element(_ key: String, _ number: Int? = nil, _ values: [String: String] = [:]) -> Markup {
    var members = values.mapValues { JSONValue.string($0) }
    if let number { members["n"] = JSONValue(number) }
    let json = String(decoding: JSONValue.object(members).serialized, as: UTF8.self)
    return """
      <bdi data-text="\(key)"\(" data-values=\"\(json)\"", if: !members.isEmpty)>\(self(key, number, values))</bdi>
      """
  }

  /// The attributes that have sentences.
  package enum Place: String {
    case label, hint, place

    fileprivate var name: String {
      switch self {
      case .label: "aria-label"
      case .hint: "title"
      case .place: "placeholder"
      }
    }
  }

  /// An attribute with a sentence, behind the one that has its key; a shortcut stands behind the sentence.
  package func attribute(_ place: Place, _ key: String, _ shortcut: String? = nil) -> Markup {
    let name: Markup =
      " data-\(raw: place.rawValue)=\"\(key)\"\(shortcut.map { " data-key=\"\($0)\"" as Markup })"
    return "\(name) \(raw: place.name)=\"\(self(key))\(shortcut.map { " (\($0))" as Markup })\""
  }

  /// An element with a number.
  package func number(_ number: Int) -> Markup {
    "<bdi data-number=\"\(number)\">\(grouped(number))</bdi>"
  }

  /// An element with a number of bytes, in powers of 1000.
  package func bytes(_ count: Int64) -> Markup {
    "<bdi data-length=\"\(String(count))\">\(ByteCount.text(count))</bdi>"
  }

  /// An element with a month such as `2019-07`, or one without a year (`--07`); a year alone is its own name.
  package func month(_ month: String) -> Markup {
    let name = monthName(month)
    return name == month ? .isolated(month) : "<bdi data-date=\"\(month)\">\(name)</bdi>"
  }

  /// The words for what ``month(_:)`` takes.
  package func monthName(_ month: String) -> String {
    guard month.utf8.count > 4 || month.hasPrefix("--"),
      let name = name("date.months", Int(month.suffix(2)) ?? 0)
    else { return month }
    return month.hasPrefix("--")
      ? name : self("date.month", nil, ["month": name, "year": String(month.prefix(4))])
  }

  /// An element with a day such as `2025-08-30` whose year is known: its weekday, and the rest; nil of what is no day.
  package func day(_ date: String) -> Markup? {
    guard let (year, month, day) = Self.day(date), let name = name("date.shortMonths", month) else {
      return nil
    }
    let days = Int(CalendarTime.days(year: Int64(year), month: Int64(month), day: Int64(day)))
    // 1970 began on a Thursday.
    let weekday = self.name("date.weekdays", ((days + 4) % 7 + 7) % 7 + 1) ?? ""
    let monthAndDay = self("date.day", nil, ["month": name, "day": String(day)])
    return """
      <span class="day" data-date="\(String(date.prefix(10)))"><span>\(weekday) </span><span>\(monthAndDay)</span></span>
      """
  }

  /// An element with the time between two dates; beyond a year, and where no more is known of one, the months or years
  /// alone. Nil of what is no date.
  package func range(_ first: String, _ last: String) -> Markup? {
    if first.isEmpty || last.isEmpty { return nil }
    let isShort = first.prefix(4) == last.prefix(4) && Self.day(first) != nil && Self.day(last) != nil
    let ends = [first, last].map { String($0.prefix(isShort ? 10 : 7)) }
    if ends[0] == ends[1], !isShort { return month(ends[0]) }
    let names = ends.map(isShort ? wholeName : monthName)
    // A year alone is no date to a browser.
    if names[0] == ends[0] || names[1] == ends[1] { return "\(month(ends[0])) – \(month(ends[1]))" }
    let text = names[0] == names[1] ? names[0] : names.joined(separator: " – ")
    return "<bdi data-date=\"\(ends.joined(separator: "/"))\">\(text)</bdi>"
  }

  private func wholeName(_ date: String) -> String {
    guard let (year, month, day) = Self.day(date), let name = name("date.shortMonths", month) else {
      return date
    }
    return self("date.whole", nil, ["month": name, "day": String(day), "year": String(year)])
  }

  /// A name of a list, counted from 1.
  private func name(_ key: String, _ number: Int) -> String? {
    let names = self(key).split(separator: "|")
    return names.indices.contains(number - 1) ? String(names[number - 1]) : nil
  }

  private static func day(_ date: String) -> (year: Int, month: Int, day: Int)? {
    let parts = date.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), 1...12 ~= month,
      let day = Int(parts[2]), 1...31 ~= day
    else { return nil }
    return (year, month, day)
  }
}
