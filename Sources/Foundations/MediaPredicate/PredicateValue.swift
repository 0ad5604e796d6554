package import MediaModel

/// A value that a predicate compares: of an item, or written in it.
package typealias PredicateValue = FactValue

extension FactValue {
  /// Compares numbers with numbers and texts, by their bytes, with texts.
  ///
  /// - Returns: Less than 0, 0, or more than 0; nil for values of which neither is before the other.
  func order(to other: PredicateValue) -> Int? {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): first < second ? -1 : first == second ? 0 : 1
    case (.integer(let first), .real(let second)): Self.order(Double(first), second)
    case (.real(let first), .integer(let second)): Self.order(first, Double(second))
    case (.real(let first), .real(let second)): Self.order(first, second)
    case (.text(let first), .text(let second)): Self.order(first, second)
    default: nil
    }
  }

  private static func order(_ first: Double, _ second: Double) -> Int {
    first < second ? -1 : first == second ? 0 : 1
  }

  private static func order(_ first: String, _ second: String) -> Int {
    if first.utf8.elementsEqual(second.utf8) { return 0 }
    return first.utf8.lexicographicallyPrecedes(second.utf8) ? -1 : 1
  }
}

/// A relation of numbers, dates and texts.
package enum PredicateRelation: String, CaseIterable, Sendable, Hashable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The relation of the two sides in the other order.
  var reversed: PredicateRelation {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  var isEquality: Bool { self == .equal || self == .notEqual }

  /// Whether it holds: nothing known equals nothing known, differs from all else, and has no order.
  func holds(_ first: PredicateValue, _ second: PredicateValue) -> Bool {
    if first == .null || second == .null {
      return self == .equal ? first == second : self == .notEqual && first != second
    }
    guard let order = first.order(to: second) else { return self == .notEqual }
    switch self {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    }
  }
}
