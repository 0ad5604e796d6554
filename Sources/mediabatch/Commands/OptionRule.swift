internal import ArgumentParser

/// A rule about options of a command, as the sentence that its description and its error have.
///
/// Its meaning has one of these forms, each with one or several options in the place of one: `--a goes with --b.`,
/// `--a does not combine with --b.`, both also with words that `--b` has, such as `--b c or d`;
/// `--a takes a number from 1 to 50.`, `--a takes 90, 180 or 270.`. Of the options of a sentence that begins with
/// `Say one of` exactly one has to be there, and of those of any other at least one.
struct OptionRule: ExpressibleByStringLiteral {
  let sentence: String
  private let meaning: String
  private let condition: String?
  private let isDefault: Bool

  init(stringLiteral sentence: String) { self.init(sentence) }

  /// - Parameters:
  ///   - sentence: The rule as people read it.
  ///   - meaning: The same in one of the forms; nil for a sentence that has one.
  ///   - condition: The option without which the rule does not count; nil where it always does.
  ///   - isDefault: Whether an option that is not there has one of the words.
  init(
    _ sentence: String,
    means meaning: String? = nil,
    where condition: String? = nil,
    isDefault: Bool = false
  ) {
    self.sentence = sentence
    self.meaning = meaning ?? sentence
    self.condition = condition
    self.isDefault = isDefault
  }

  /// Whether the arguments of this process follow it.
  fileprivate var holds: Bool {
    let words = meaning.dropLast().split { $0 == " " || $0 == "," }.map(String.init)
    let subject = words.prefix { $0.hasPrefix("--") || $0 == "and" }
    let values = subject.flatMap(Self.values)
    let predicate = words[subject.endIndex...]
    let others = predicate.filter { $0.hasPrefix("--") }.map(Self.values).filter { !$0.isEmpty }
    let named = predicate.drop { !$0.hasPrefix("--") }.filter { $0 != "and" && $0 != "or" }
      .filter { !$0.hasPrefix("--") }
    let hasOther =
      named.isEmpty
      ? !others.isEmpty : others.last?.last.map { named.contains($0) } ?? isDefault
    switch predicate.first?.prefix(2) {
    case "ta":
      let numbers = predicate.compactMap { Double($0) }
      return values.compactMap { Double($0) }.allSatisfy { value in
        predicate.contains("number")
          ? value >= numbers[0] && value <= numbers.dropFirst().first ?? .infinity
          : numbers.contains(value)
      }
    case "do": return values.isEmpty || !hasOther
    case "go":
      return values.isEmpty || hasOther || condition.map { Self.values(of: $0).isEmpty } == true
    default: return predicate.starts(with: ["Say", "one"]) ? others.count == 1 : !others.isEmpty
    }
  }

  /// What follows each occurrence of an option in the arguments; nothing for a word that is none.
  private static func values(of option: String) -> [String] {
    guard option.hasPrefix("--") else { return [] }
    let words = CommandArguments.current.texts.prefix { $0 != "--" }
    return words.indices.compactMap { index in
      if words[index] == option { return words.dropFirst(index + 1).first ?? "" }
      return words[index].hasPrefix(option + "=")
        ? String(words[index].dropFirst(option.count + 1)) : nil
    }
  }
}

extension [OptionRule] {
  /// The rules as the last paragraph of a command's description.
  var paragraph: String { "\n\n" + map(\.sentence).joined(separator: " ") }
}

/// A command, or a group of options, whose rules are checked when the arguments were read.
protocol RuledArguments: ParsableArguments {
  static var rules: [OptionRule] { get }
}

extension RuledArguments {
  func validate() throws { try checkRules() }

  /// - Throws: A `ValidationError` with the first rule that is broken.
  func checkRules() throws {
    if let broken = Self.rules.first(where: { !$0.holds }) {
      throw ValidationError(broken.sentence)
    }
  }
}

extension Optional {
  /// The value that a word of an option has, or the reason why it has none.
  func orThrow(_ reason: String) throws(OptionWordError) -> Wrapped {
    if let self { return self }
    throw OptionWordError(description: reason)
  }
}

/// The reason why a word is no value of an option, as the parser shows it behind the word.
struct OptionWordError: Error, CustomStringConvertible {
  /// What the option takes.
  let description: String
}
