internal import ArgumentParser

/// A rule about options of a command, as the sentence that its description and its error have.
///
/// The sentence has one of three forms, each with one or several options in the place of one:
/// `--a goes with --b.`, `--a does not combine with --b.`, `--a takes a number from 1 to 50.`
struct OptionRule: ExpressibleByStringLiteral {
  let sentence: String

  init(stringLiteral sentence: String) { self.sentence = sentence }

  /// Whether the arguments of this process follow it.
  fileprivate var holds: Bool {
    let words = sentence.dropLast().split { $0 == " " || $0 == "," }.map(String.init)
    let subject = words.prefix { $0.hasPrefix("--") || $0 == "and" }
    let values = subject.flatMap(Self.values)
    let predicate = words[subject.endIndex...]
    if predicate.first?.hasPrefix("take") == true {
      let bounds = predicate.compactMap { Double($0) }
      return values.allSatisfy { value in
        Double(value).map { $0 >= bounds[0] && $0 <= bounds[1] } ?? true
      }
    }
    let hasOther = predicate.contains { !Self.values(of: $0).isEmpty }
    return values.isEmpty || hasOther != (predicate.first == "does")
  }

  /// What follows each occurrence of an option in the arguments; nothing for a word that is none.
  private static func values(of option: String) -> [String] {
    guard option.hasPrefix("--") else { return [] }
    let words = PathArgument.arguments.texts.prefix { $0 != "--" }
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
