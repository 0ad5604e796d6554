/// A part of an HTML, XML or SVG text, in which every text that is put into it is escaped.
///
///     let cell: Markup = "<td class=\"name\">\(name)</td>"
///
/// A literal is markup. What is interpolated is escaped by ``XMLText``, unless it is a number or markup itself,
/// or is named `raw`.
package struct Markup: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The text with its tags.
  package private(set) var text: String

  package init(stringLiteral value: String) { text = value }
  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    /// Appends a text, escaped for an element or an attribute in double quotes.
    package mutating func appendInterpolation(_ text: String) {
      self.text += XMLText.escaped(text)
    }

    package mutating func appendInterpolation(_ number: Int) { text += String(number) }

    package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

    /// Appends a text as it is: a constant of the program, or what is markup already.
    package mutating func appendInterpolation(raw text: String) { self.text += text }
  }

  /// A text of a file or a person, isolated from the direction of what surrounds it.
  package static func isolated(_ text: String) -> Markup { "<bdi>\(text)</bdi>" }

  package var isEmpty: Bool { text.isEmpty }

  package static func + (left: Markup, right: Markup) -> Markup { "\(left)\(right)" }
  package static func += (left: inout Markup, right: Markup) { left.text += right.text }
}

extension Sequence<Markup> {
  /// The parts behind each other, with the same between any two.
  package func joined(separator: Markup = "") -> Markup {
    let text = lazy.map(\.text).joined(separator: separator.text)
    return "\(raw: text)"
  }
}
