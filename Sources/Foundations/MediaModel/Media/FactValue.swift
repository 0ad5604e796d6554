/// A single value of a fact, as a column of the catalogue, a predicate and a list have it.
///
/// A flag is 0 or 1, a date a text, a position a number of degrees.
package enum FactValue: Sendable, Hashable, Codable {
  /// Nothing is known.
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case list([String])
}

extension FactValue {
  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: Bool?) { self = value.map { .integer($0 ? 1 : 0) } ?? .null }
  init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
  init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  init(_ texts: [String]) { self = texts.isEmpty ? .null : .list(texts) }

  var integer: Int? { if case .integer(let value) = self { Int(value) } else { nil } }
  var flag: Bool? { integer.map { $0 != 0 } }
  var real: Double? { if case .real(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var texts: [String] { if case .list(let texts) = self { texts } else { [] } }
}
