/// The months as programs write them in English.
package enum EnglishMonth {
  private static let names = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november",
    "december",
  ]

  /// Returns the number of a month, 1 to 12, of its name or the first three letters of it, in either case; nil
  /// for another word.
  package static func number(of word: some Sequence<UInt8>) -> Int? {
    let word = word.map(\.asciiLowercased)
    return names.firstIndex { word.elementsEqual($0.utf8) || word.elementsEqual($0.utf8.prefix(3)) }.map {
      $0 + 1
    }
  }
}
