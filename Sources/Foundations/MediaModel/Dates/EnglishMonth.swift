/// The months as programs write them in English.
package enum EnglishMonth {
  /// The names, from January on.
  package static let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let lowercased = names.map { $0.lowercased() }

  /// Returns the number of a month, 1 to 12, of its name or the first three letters of it, in either case; nil
  /// for another word.
  package static func number(of word: some Sequence<UInt8>) -> Int? {
    let word = word.map(\.asciiLowercased)
    return lowercased.firstIndex {
      word.elementsEqual($0.utf8) || word.elementsEqual($0.utf8.prefix(3))
    }.map { $0 + 1 }
  }

  /// Returns the number of the month whose name begins with a text in lower case; nil when none does.
  package static func number(beginningWith start: String) -> Int? {
    lowercased.firstIndex { $0.hasPrefix(start) }.map { $0 + 1 }
  }
}
