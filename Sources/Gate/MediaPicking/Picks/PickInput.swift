import MediaModel

/// The commands that a person types at a picker.
package enum PickInput: Hashable {
  /// Numbers of the list, 1-based; `3 7-9` chooses, `-3` takes back.
  case numbers([Change])
  case all
  case none
  /// `/text`; empty shows every name again.
  case filter(String)
  case next
  case previous
  /// Enter alone.
  case show
  case done
  /// `?`
  case help
  case cancel
  case unknown

  package struct Change: Hashable {
    package var range: ClosedRange<Int>
    package var takesBack: Bool
  }

  package init(_ line: String) {
    var scalars = line.unicodeScalars[...]
    while scalars.first == " " { scalars.removeFirst() }
    if scalars.first == "/" {
      self = .filter(String(scalars.dropFirst()))
      return
    }
    let words = line.split(separator: " ").map { String($0) }
    if words.isEmpty {
      self = .show
      return
    }
    if words.count == 1, let word = Self.words[words[0].lowercased()] {
      self = word
      return
    }
    var changes: [Change] = []
    for word in words.flatMap({ $0.split(separator: ",") }) {
      guard let change = Self.change(word) else {
        self = .unknown
        return
      }
      changes.append(change)
    }
    self = changes.isEmpty ? .unknown : .numbers(changes)
  }

  private static let words: [String: PickInput] = [
    "n": .next, "p": .previous, "q": .cancel, "done": .done, "all": .all, "none": .none,
    "?": .help,
  ]

  private static func change(_ word: Substring) -> Change? {
    let takesBack = word.first == "-"
    let ends = (takesBack ? word.dropFirst() : word).split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(ends.count), let first = number(ends[0]),
      let last = ends.count == 2 ? number(ends[1]) : first, first <= last
    else { return nil }
    return Change(range: first...last, takesBack: takesBack)
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit),
      let number = Int(text), number > 0
    else { return nil }
    return number
  }
}
