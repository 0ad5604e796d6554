internal import MediaModel

/// The records that a report is made from.
package enum ReportScope: Sendable, Hashable {
  /// Every run of the library.
  case all
  /// The run with this identifier.
  case run(String)
  /// The newest run.
  case lastRun
  /// Runs that began in a span of time, of which both ends are in it: a day, `2026-11-21`, or a second,
  /// `2026-11-21T08:00:00`, in UTC; nil for no limit.
  case began(since: String?, until: String?)
  /// All that happened to one asset, by its localIdentifier, its label, or the path of its file.
  case asset(String)

  /// The subject of the report in words; escaped.
  package var title: String {
    switch self {
    case .all: "all runs"
    case .run(let run): "run \(ReportText.line(run, limit: 100))"
    case .lastRun: "the last run"
    case .began(let since, let until): "runs" + Self.span(since, until)
    case .asset(let asset): "asset \(ReportText.line(asset, limit: 100))"
    }
  }

  /// The words for a span of time, with a space before them; escaped.
  static func span(_ since: String?, _ until: String?) -> String {
    func part(_ word: String, _ time: String?) -> String {
      time.map { " \(word) \(ReportText.line($0, limit: 100))" } ?? ""
    }
    return part("since", since) + part("until", until)
  }

  /// Whether a timestamp of a record is in a span of time.
  package static func holds(_ time: String, since: String?, until: String?) -> Bool {
    let bytes = Array(time.utf8)
    if let since, bytes.lexicographicallyPrecedes(since.utf8) { return false }
    // All of the day, or of the second, is in it.
    guard let last = until.map({ Array($0.utf8) }) else { return true }
    return !last.lexicographicallyPrecedes(bytes.prefix(last.count))
  }

  /// The time that a date of the command line means, in the form of a record: `2026-11-21`, which is
  /// its midnight, or `2026-11-21T08:00:00Z`; nil for anything else.
  package static func timestamp(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    func isNumber(_ range: Range<Int>, in allowed: ClosedRange<Int>) -> Bool {
      let digits = bytes[range]
      guard digits.allSatisfy(\.isASCIIDigit),
        let number = Int(String(decoding: digits, as: UTF8.self))
      else { return false }
      return allowed.contains(number)
    }
    guard bytes.count >= 10, isNumber(0..<4, in: 0...9999), bytes[4] == .hyphen,
      isNumber(5..<7, in: 1...12), bytes[7] == .hyphen, isNumber(8..<10, in: 1...31)
    else { return nil }
    if bytes.count == 10 { return text }
    guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), isNumber(11..<13, in: 0...23),
      bytes[13] == .colon, isNumber(14..<16, in: 0...59), bytes[16] == .colon,
      isNumber(17..<19, in: 0...60), bytes[19] == UInt8(ascii: "Z")
    else { return nil }
    // Without the Z, so that a time with a fraction of the same second sorts behind.
    return String(text.dropLast())
  }
}

/// Whether what a report covers went well.
package enum ReportResult: String, Sendable, Hashable, Comparable {
  /// Everything that was allowed was done, and the log is whole.
  case passed
  /// As passed, but something was left out by a rule, or a run has not come to its end.
  case warned
  /// A run ended with another code than 0, or the log is not what was written.
  case failed

  package static func < (lhs: ReportResult, rhs: ReportResult) -> Bool { lhs.rank < rhs.rank }

  private var rank: Int {
    switch self {
    case .passed: 0
    case .warned: 1
    case .failed: 2
    }
  }
}
