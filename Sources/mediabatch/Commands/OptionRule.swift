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
    let values = subject.compactMap(Self.value)
    let predicate = words[subject.endIndex...]
    if predicate.first?.hasPrefix("take") == true {
      let bounds = predicate.compactMap { Double($0) }
      return values.allSatisfy { value in
        Double(value).map { $0 >= bounds[0] && $0 <= bounds[1] } ?? true
      }
    }
    let hasOther = predicate.contains { Self.value(of: $0) != nil }
    return values.isEmpty || hasOther != (predicate.first == "does")
  }

  /// What follows an option in the arguments; nil for one that is not among them, and for a word that is none.
  private static func value(of option: String) -> String? {
    let words = PathArgument.arguments.texts.prefix { $0 != "--" }
    guard option.hasPrefix("--"),
      let index = words.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") })
    else { return nil }
    return words[index] == option
      ? words.dropFirst(index + 1).first ?? "" : String(words[index].dropFirst(option.count + 1))
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
