internal import MediaModel

/// The name of one run's audit file, such as `000001-7d2c91f0.ndjson`.
///
/// Numbers grow by one, without a gap, so that a file that was taken away leaves a hole.
package struct AuditFileName: Sendable, Hashable, Comparable {
  /// 1 for the library's first run.
  package let number: Int
  /// The run's identifier: 1 to 100 of `A-Z a-z 0-9 . _ -`, not starting with a dot.
  package let run: String

  /// The name for a number of at least 1 and an identifier of the characters above; nil otherwise.
  package init?(number: Int, run: String) {
    guard number >= 1, number <= Self.maximumNumber, Self.isIdentifier(run.utf8) else { return nil }
    self.number = number
    self.run = run
  }

  /// The name that ``text`` wrote; nil for any other file's.
  package init?(text: String) {
    let bytes = Array(text.utf8)
    let suffix = Array(".ndjson".utf8)
    guard let dash = bytes.firstIndex(of: UInt8.hyphen), (6...12).contains(dash),
      bytes.suffix(suffix.count) == suffix[...], bytes.count > dash + 1 + suffix.count,
      bytes[..<dash].allSatisfy(\.isASCIIDigit),
      let number = Int(String(decoding: bytes[..<dash], as: UTF8.self))
    else { return nil }
    let run = String(decoding: bytes[(dash + 1)..<(bytes.count - suffix.count)], as: UTF8.self)
    self.init(number: number, run: run)
    // Each number has exactly one spelling: `0000001-a` is not a name of ours.
    guard self.text.utf8.elementsEqual(bytes) else { return nil }
  }

  /// Six digits, growing to more; sorts as the number does up to 999,999.
  package var text: String { Self.numberText(number) + "-" + run + ".ndjson" }

  static func numberText(_ number: Int) -> String { PaddedNumber.text(number, width: 6) }

  /// The name that the same run's file has as the first one of a library.
  var asFirst: AuditFileName? { AuditFileName(number: 1, run: run) }

  /// The name of the file beside it that has the run's signed head: `000001-7d2c91f0.head`.
  package var headText: String { String(text.dropLast("ndjson".count)) + "head" }

  /// The name of the file beside it that has a timestamp of that head: `000001-7d2c91f0.tsr`.
  package var timestampText: String { String(text.dropLast("ndjson".count)) + "tsr" }

  /// The name of the audit file to whose signed head a timestamp belongs; nil for any other file's.
  package init?(timestampText: String) {
    guard timestampText.hasSuffix(".tsr") else { return nil }
    self.init(text: timestampText.dropLast("tsr".count) + "ndjson")
  }

  /// The name of the audit file that a signed head belongs to; nil for any other file's.
  package init?(headText: String) {
    guard headText.hasSuffix(".head") else { return nil }
    self.init(text: headText.dropLast("head".count) + "ndjson")
  }

  /// The name after all of `names`, for a run that starts now; nil when the identifier is not one.
  package static func next(after names: [AuditFileName], run: String) -> AuditFileName? {
    AuditFileName(number: (names.map(\.number).max() ?? 0) + 1, run: run)
  }

  package static func < (lhs: AuditFileName, rhs: AuditFileName) -> Bool {
    lhs.number == rhs.number
      ? lhs.run.utf8.lexicographicallyPrecedes(rhs.run.utf8) : lhs.number < rhs.number
  }

  private static let maximumNumber = 999_999_999_999

  private static func isIdentifier(_ bytes: some Collection<UInt8>) -> Bool {
    guard (1...100).contains(bytes.count), bytes.first != .dot else { return false }
    return bytes.allSatisfy { $0.isASCIIAlphanumeric || "._-".utf8.contains($0) }
  }
}
