internal import CPages
package import MediaModel
package import MediaSyntax

/// The sentences of pages in a language: those of `Web/languages`, by their keys.
///
/// A page that is shown in another language than the one it was made in finds its sentences by the same keys
/// (`Web/words.js`), which stand in attributes beside them.
package struct PageLanguage: Sendable {
  package var tag: String { page.tag }
  let page: PageTag
  /// The texts of each key by the plural categories of CLDR; one that has no number is `other`.
  private let table: [String: [String: String]]

  /// Reads the table of a language.
  package init(_ page: PageTag) {
    self.page = page
    let index = PageTag.all.firstIndex(of: page.tag) ?? 0
    let bytes = EmbeddedFile.bytes { cpages_language(Int32(index), $0) }
    let table = Self.table(bytes)
    self.table = page.tag == PageTag.pseudo ? table.mapValues { $0.mapValues(Self.pseudo) } : table
  }

  private static func table(_ bytes: [UInt8]) -> [String: [String: String]] {
    guard case .object(let members)? = JSONParser.parse(bytes).root?.value else { return [:] }
    var table: [String: [String: String]] = [:]
    for member in members {
      switch member.value.value {
      case .string(let text): table[member.key] = ["other": text]
      case .object(let forms):
        for form in forms {
          if case .string(let text) = form.value.value { table[member.key, default: [:]][form.key] = text }
        }
      default: break
      }
    }
    return table
  }

  /// A text with 40 % more letters, in words where it has several; lists of months and patterns of dates are no
  /// sentences.
  private static func pseudo(_ text: String) -> String {
    let letters = text.count { $0.isLetter }
    guard letters > 0, !text.contains("|"), !text.hasPrefix("{month}") else { return text }
    let more = String(repeating: "~", count: letters * 2 / 5 + 1)
    return "[\(text)\(letters > 12 ? String(more.map { "\($0)~~~ " }.joined().prefix(more.count)) : more)]"
  }

  /// The script that hands a page the sentences whose keys begin with none of some texts.
  package func script(without prefixes: [String] = []) -> [UInt8] {
    let members = table.filter { key, _ in !prefixes.contains { key.hasPrefix($0) } }.mapValues {
      forms -> JSONValue in
      guard forms.count == 1, let text = forms["other"] else {
        return .object(forms.mapValues { .string($0) })
      }
      return .string(text)
    }
    return Array("words.take(".utf8) + JSONValue.object(members).serialized + Array(");\n".utf8)
  }

  /// A sentence as a text.
  ///
  /// - Parameters:
  ///   - key: Its key; one that is in no table is its own text.
  ///   - number: What `{n}` stands for, by which the plural form is chosen.
  ///   - values: What the other names between braces stand for.
  /// - Returns: The text.
  package func callAsFunction(_ key: String, _ number: Int? = nil, _ values: [String: String] = [:]) -> String
  {
    var text = ""
    for (part, isName) in parts(key, number) {
      text += !isName ? part : part == "n" ? grouped(number ?? 0) : values[part] ?? ""
    }
    return text
  }

  /// A sentence as markup, in which values may be markup.
  package func markup(_ key: String, _ number: Int? = nil, _ values: [String: Markup] = [:]) -> Markup {
    var markup: Markup = ""
    for (part, isName) in parts(key, number) {
      let value = part == "n" ? .plain(grouped(number ?? 0)) : values[part] ?? ""
      markup += isName ? value : .plain(part)
    }
    return markup
  }

  /// Whether there is a text for a key.
  package func has(_ key: String) -> Bool { table[key] != nil }

  /// The parts of a text between braces, and those that are names in braces.
  private func parts(_ key: String, _ number: Int?) -> [(text: String, isName: Bool)] {
    let forms = table[key] ?? ["other": key]
    let text = number.flatMap { forms[category($0)] } ?? forms["other"] ?? key
    return text.split(separator: "{", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      let halves = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return index == 0
        ? [(String(part), false)] : [(halves[0], true), (halves.dropFirst().first ?? "", false)]
    }
  }

  /// The plural category of a number from 0 on. In French, Italian, Portuguese and Spanish millions are not told from
  /// others.
  ///
  /// Source: CLDR, plural rules (cardinal).
  private func category(_ number: Int) -> String {
    let (ones, tens) = (number % 10, number % 100)
    switch (tag, number) {
    case ("ja", _), ("ko", _), ("zh-Hans", _): return "other"
    case ("ar", 0): return "zero"
    case ("fr", 0), ("pt", 0): return "one"
    case ("pl", 1): return "one"
    case ("uk", _) where ones == 1 && tens != 11: return "one"
    case ("pl", _), ("uk", _): return 2...4 ~= ones && !(12...14 ~= tens) ? "few" : "many"
    case (_, 1): return "one"
    case ("ar", 2), ("he", 2): return "two"
    case ("ar", _): return 3...10 ~= tens ? "few" : 11...99 ~= tens ? "many" : "other"
    default: return "other"
    }
  }

  /// A number with what separates thousands.
  package func grouped(_ number: Int) -> String {
    Quantity.grouped(number).split(separator: ",").joined(separator: table["number.group"]?["other"] ?? ",")
  }
}
