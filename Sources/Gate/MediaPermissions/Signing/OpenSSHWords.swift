internal import Glibc
internal import MediaModel

/// The words of a line of OpenSSH's files. Source: OpenSSH, misc.c, strdelimw, opt_dequote.
struct OpenSSHWords {
  private var rest: Substring.UTF8View

  init(_ line: String) { rest = Substring(line).utf8 }

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8.space || byte == 0x09 || byte == 0x0D }

  private mutating func skipBlanks() { rest = rest.drop(while: Self.isBlank) }

  /// The next word; blanks between quotes are of it. Nil at the end of the line.
  mutating func next() -> String? {
    skipBlanks()
    var (isQuoted, isEscaped) = (false, false)
    let word = rest.prefix { byte in
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, Self.isBlank(byte) {
        return false
      }
      return true
    }
    rest = rest.dropFirst(word.count)
    return word.isEmpty ? nil : String(Substring(word))
  }

  /// The first word, which may be quoted as a whole.
  mutating func principals() -> String? {
    skipBlanks()
    guard rest.first == UInt8(ascii: "\"") else { return next() }
    let word = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
    rest = rest.dropFirst(word.count + 1)
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    rest = rest.dropFirst()
    return String(Substring(word))
  }

  /// The options of a word: names in small letters, with the values that stand in quotes behind them.
  static func options(_ word: String) throws(SignatureProblem) -> [(name: String, value: String?)] {
    var options: [(name: String, value: String?)] = []
    var unread = Array(word.utf8)[...]
    while true {
      let name = unread.prefix { $0 != UInt8.comma && $0 != UInt8(ascii: "=") }
      unread = unread.dropFirst(name.count)
      guard !name.isEmpty else { throw SignatureProblem("an option has no name") }
      var value: String?
      if unread.first == UInt8(ascii: "=") {
        unread = unread.dropFirst()
        guard let text = quoted(&unread) else {
          throw SignatureProblem("the value of an option is expected in quotes")
        }
        value = text
      }
      options.append((String(decoding: name.map(\.asciiLowercased), as: UTF8.self), value))
      if unread.isEmpty { return options }
      guard unread.first == UInt8.comma else {
        throw SignatureProblem("a comma is expected behind an option")
      }
      unread = unread.dropFirst()
    }
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "\"") {
        rest = rest.dropFirst()
        text.append(UInt8(ascii: "\""))
      } else {
        text.append(byte)
      }
    }
    return nil
  }
}

/// Patterns with commas between them, such as `*@example.org,!guest@example.org`: one has to match, and none with `!`.
///
/// Source: ssh_config(5), PATTERNS; OpenSSH, match.c, match_pattern_list.
struct OpenSSHPatterns {
  private let patterns: [(isNegated: Bool, bytes: [UInt8])]

  init(_ list: String) {
    patterns = list.utf8.split(separator: UInt8.comma).map { pattern in
      let isNegated = pattern.first == UInt8(ascii: "!")
      return (isNegated, Array(isNegated ? pattern.dropFirst() : pattern))
    }
  }

  func match(_ text: String) -> Bool {
    let text = Array(text.utf8)
    var matches = false
    for pattern in patterns where Self.match(text, pattern.bytes) {
      if pattern.isNegated { return false }
      matches = true
    }
    return matches
  }

  /// `*` stands for any bytes, `?` for one; the time is that of the product of both lengths.
  private static func match(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (position, index) = (0, 0)
    var star: (index: Int, position: Int)?
    while position < text.count {
      if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
        star = (index, position)
        index += 1
      } else if index < pattern.count, pattern[index] == UInt8(ascii: "?") || pattern[index] == text[position]
      {
        (position, index) = (position + 1, index + 1)
      } else if let last = star {
        star = (last.index, last.position + 1)
        (position, index) = (last.position + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// The times of OpenSSH's files: `YYYYMMDD`, with `HHMM` or `HHMMSS` behind it, and `Z` for UTC instead of local standard time.
///
/// Source: OpenSSH, misc.c, parse_absolute_time.
enum OpenSSHTime {
  /// Seconds since 1970, UTC; nil for another text and for no date.
  static func seconds(_ text: String) -> Int64? {
    let zone = ["UTC", "Z"].first { text.uppercased().hasSuffix($0) }
    let digits = Array(text.utf8.dropLast(zone?.utf8.count ?? 0))
    guard [8, 12, 14].contains(digits.count), digits.allSatisfy(\.isASCIIDigit) else { return nil }
    func number(_ range: Range<Int>) -> Int32 {
      guard range.upperBound <= digits.count else { return 0 }
      return digits[range].reduce(0) { $0 * 10 + Int32($1 - 0x30) }
    }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (number(0..<4) - 1900, number(4..<6) - 1, number(6..<8))
    (time.tm_hour, time.tm_min, time.tm_sec) = (number(8..<10), number(10..<12), number(12..<14))
    guard (0...11).contains(time.tm_mon), (1...31).contains(time.tm_mday), time.tm_year >= 70,
      time.tm_hour < 24, time.tm_min < 60, time.tm_sec < 60
    else { return nil }
    // A day that the month does not have would be one of the next.
    var day = time
    guard timegm(&day) >= 0, day.tm_mon == time.tm_mon else { return nil }
    // OpenSSH leaves tm_isdst at 0: a local time is standard time, in summer too.
    let seconds = zone != nil ? timegm(&time) : mktime(&time)
    return seconds >= 0 ? Int64(seconds) : nil
  }
}
