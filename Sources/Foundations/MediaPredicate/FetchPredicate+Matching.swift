internal import MediaModel

extension FetchPredicate {
  /// Evaluates the condition; `value` gives the value of a key, and is called for each that is compared.
  package func matches(_ value: (PredicateKey) throws -> PredicateValue) rethrows -> Bool {
    try root.matches(value)
  }
}

extension PredicateSubject {
  func value(_ value: (PredicateKey) throws -> PredicateValue) rethrows -> PredicateValue {
    let stored = try PredicateValue.compared(key, value)
    switch reading {
    case .stored: return stored
    case .masked(let mask):
      guard case .integer(let bits) = stored else { return .null }
      return .integer(bits & mask)
    case .instant:
      guard case .text(let local) = stored, let seconds = PredicateDate.seconds(ofStored: local)
      else { return .null }
      guard case .integer(let offset) = try value(.creationDateOffsetMinutes) else {
        return .integer(seconds)
      }
      return .integer(seconds - 60 * offset)
    }
  }
}

extension PredicateValue {
  /// The value of a key, in the form in which it is compared.
  static func compared(
    _ key: PredicateKey,
    _ value: (PredicateKey) throws -> PredicateValue
  ) rethrows -> PredicateValue {
    let value = try value(key)
    if value == .null { return key.absent }
    if key.kind == .localDate, case .text(let local) = value {
      return .text(PredicateDate.padded(stored: local))
    }
    return value
  }
}

extension PredicateNode {
  func matches(_ value: (PredicateKey) throws -> PredicateValue) rethrows -> Bool {
    switch self {
    case .constant(let isTrue): return isTrue
    case .not(let node): return try !node.matches(value)
    case .all(let nodes): return try nodes.allSatisfy { try $0.matches(value) }
    case .any(let nodes): return try nodes.contains { try $0.matches(value) }
    case .comparison(let subject, let relation, let wanted):
      return relation.holds(try subject.value(value), wanted)
    case .keys(let first, let relation, let second):
      return relation.holds(try first.value(value), try second.value(value))
    case .among(let subject, let wanted):
      let actual = try subject.value(value)
      return wanted.contains { PredicateRelation.equal.holds(actual, $0) }
    case .between(let subject, let lowest, let highest):
      let actual = try subject.value(value)
      return PredicateRelation.greaterOrEqual.holds(actual, lowest)
        && PredicateRelation.lessOrEqual.holds(actual, highest)
    case .text(let key, let comparison):
      guard case .text(let text) = try PredicateValue.compared(key, value) else { return false }
      return comparison.matches(text)
    case .element(let key, let comparison):
      guard case .list(let elements) = try value(key) else { return false }
      return elements.contains { comparison.matches($0) }
    }
  }
}
