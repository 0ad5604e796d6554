/// A mistake in a template, in words for a person.
package struct TemplateMistake: Error, Sendable, Hashable, CustomStringConvertible {
  package var message: String
  /// The allowed words; empty when the message says them.
  package var allowed: [String]

  package init(_ message: String, allowed: [String] = []) {
    (self.message, self.allowed) = (message, allowed)
  }

  package var description: String {
    message + (allowed.isEmpty ? "" : ". Allowed here: \(allowed.joined(separator: ", "))")
  }
}

/// Text with fields in braces, such as `{saved:yyyy}/{label}`; `{{` and `}}` stand for a brace.
package struct FieldTemplate: Sendable, Hashable {
  /// A part of a template, in its order.
  package enum Part: Sendable, Hashable {
    /// Text that stands for itself.
    case text(String)
    /// A field; `argument` is what stands behind its colon.
    case field(name: String, argument: String?)
  }

  /// The parts; no text is empty.
  package private(set) var parts: [Part] = []

  /// Parses the notation; which fields there are is not known here.
  ///
  /// - Throws: ``TemplateMistake`` for a brace without its other one.
  package init(_ text: String) throws(TemplateMistake) {
    let scalars = Array(text.unicodeScalars)
    var literal = String.UnicodeScalarView()
    var index = 0
    func flush(_ parts: inout [Part]) {
      if !literal.isEmpty { parts.append(.text(String(literal))) }
      literal = String.UnicodeScalarView()
    }
    while index < scalars.count {
      let scalar = scalars[index]
      let isDoubled = index + 1 < scalars.count && scalars[index + 1] == scalar
      switch scalar {
      case "{" where isDoubled, "}" where isDoubled:
        literal.append(scalar)
        index += 2
      case "{":
        guard let end = scalars[index...].firstIndex(of: "}") else {
          throw TemplateMistake("\"{\" without \"}\" in the template; for the character itself write \"{{\"")
        }
        flush(&parts)
        parts.append(Self.field(scalars[(index + 1)..<end]))
        index = end + 1
      case "}":
        throw TemplateMistake("\"}\" without \"{\" in the template; for the character itself write \"}}\"")
      default:
        literal.append(scalar)
        index += 1
      }
    }
    flush(&parts)
  }

  /// The digits of a number that a field's argument asks for: 1 without one.
  ///
  /// - Throws: ``TemplateMistake`` for another argument than one digit from 1 to 9.
  package static func digits(_ argument: String?) throws(TemplateMistake) -> Int {
    guard let argument else { return 1 }
    guard argument.utf8.count == 1, let count = Int(argument), count > 0 else {
      throw TemplateMistake("{number:…} takes one digit from 1 to 9")
    }
    return count
  }

  /// The date that a field's argument asks for: `yyyy-MM-dd` without one.
  ///
  /// - Throws: ``TemplateMistake`` for a pattern that is empty or not known.
  package static func date(_ argument: String?) throws(TemplateMistake) -> DatePattern {
    let pattern = argument ?? "yyyy-MM-dd"
    if pattern.isEmpty { throw TemplateMistake("the date has no pattern, such as yyyy-MM-dd") }
    return try DatePattern(pattern)
  }

  /// The mistake of a field that has an argument and takes none.
  package static func withoutColon(_ field: String) -> TemplateMistake {
    TemplateMistake("{\(field)} takes no colon")
  }

  private static func field(_ scalars: ArraySlice<Unicode.Scalar>) -> Part {
    func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }
    guard let colon = scalars.firstIndex(of: ":") else {
      return .field(name: text(scalars), argument: nil)
    }
    return .field(name: text(scalars[..<colon]), argument: text(scalars[(colon + 1)...]))
  }
}
