internal import MediaModel

/// A condition or an order as SQLite has it, with its arguments in the order of their question marks.
package struct PredicateSQL: Sendable, Hashable {
  package var text: String
  package var arguments: [PredicateValue]

  init(_ text: String, _ arguments: [PredicateValue] = []) {
    self.text = text
    self.arguments = arguments
  }

  fileprivate static func joined(_ parts: [PredicateSQL], _ word: String) -> PredicateSQL {
    PredicateSQL("(" + parts.map(\.text).joined(separator: " \(word) ") + ")", parts.flatMap(\.arguments))
  }
}

/// The SQL expressions of keys in a query.
///
/// A flag is 0 or 1, `mediaType` PhotoKit's number, a list a JSON array, `modificationDate` nanoseconds
/// since 1970, `addedDate` a timestamp.
package struct PredicateColumns: Sendable {
  private let expression: @Sendable (PredicateKey) -> String
  /// The column that has ``NaturalOrder/key(of:)`` of the name.
  private let nameOrder: String?

  package init(nameOrder: String? = nil, _ expression: @escaping @Sendable (PredicateKey) -> String) {
    (self.expression, self.nameOrder) = (expression, nameOrder)
  }

  /// The name of the SQL function that ``TextComparison`` has to be behind: its code, the text, the
  /// pattern.
  package static let textFunction = "predicateText"
  /// The name of the SQL function that ``NaturalOrder/key(of:)`` has to be behind, of a text that may be NULL.
  package static let naturalFunction = "naturalOrder"

  /// What a key is sorted by.
  fileprivate func ordered(_ key: PredicateKey) -> String {
    guard key.isNatural else { return value(key) }
    if key == .name, let nameOrder { return nameOrder }
    return "\(Self.naturalFunction)(\(value(key)))"
  }

  fileprivate func stored(_ key: PredicateKey) -> String { expression(key) }

  fileprivate func value(_ key: PredicateKey) -> String {
    let stored = stored(key)
    if case .integer(let absent) = key.absent { return "ifnull(\(stored), \(absent))" }
    return key.kind == .localDate ? Self.firstMoment(of: stored) : stored
  }

  /// The first moment of a local date of which not all may be known; NULL where there is none.
  package static func firstMoment(of date: String) -> String {
    "(\(date) || substr('0001-01-01T00:00:00', length(\(date)) + 1))"
  }

  fileprivate func value(_ subject: PredicateSubject) -> String {
    let value = value(subject.key)
    switch subject.reading {
    case .stored: return value
    case .masked(let mask): return "(\(value) & \(mask))"
    case .instant:
      let offset = stored(.creationDateOffsetMinutes)
      return "(CAST(strftime('%s', \(value)) AS INTEGER) - 60 * ifnull(\(offset), 0))"
    }
  }
}

extension FetchPredicate {
  /// The condition in SQL; it is 0 or 1 for every row, never NULL.
  package func sql(_ columns: PredicateColumns) -> PredicateSQL { root.sql(columns) }
}

extension FetchSortDescriptor {
  /// The term of ORDER BY: rows without a value are behind all others in both directions.
  package func sql(_ columns: PredicateColumns) -> String {
    "\(columns.ordered(key)) \(ascending ? "ASC NULLS LAST" : "DESC")"
  }
}

extension PredicateNode {
  fileprivate func sql(_ columns: PredicateColumns) -> PredicateSQL {
    switch self {
    case .constant(let isTrue): return PredicateSQL(isTrue ? "1" : "0")
    case .not(let node):
      let inner = node.sql(columns)
      return PredicateSQL("(NOT \(inner.text))", inner.arguments)
    case .all(let nodes): return .joined(nodes.map { $0.sql(columns) }, "AND")
    case .any(let nodes): return .joined(nodes.map { $0.sql(columns) }, "OR")
    case .comparison(let subject, let relation, let value):
      return relation.sql(columns.value(subject), "?", [value])
    case .keys(let first, let relation, let second):
      return relation.sql(columns.value(first), columns.value(second), [])
    case .among(let subject, let values):
      let marks = values.map { _ in "?" }.joined(separator: ", ")
      return PredicateSQL("ifnull(\(columns.value(subject)) IN (\(marks)), 0)", values)
    case .between(let subject, let lowest, let highest):
      return PredicateSQL("ifnull(\(columns.value(subject)) BETWEEN ? AND ?, 0)", [lowest, highest])
    case .text(let key, let comparison):
      return comparison.sql(columns.value(key))
    case .element(let key, let comparison):
      let list = columns.stored(key)
      let condition = comparison.function("element.value")
      return PredicateSQL(
        "EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(\(list)) THEN \(list) ELSE '[]' END) "
          + "AS element WHERE \(condition.text))",
        condition.arguments
      )
    }
  }
}

extension PredicateRelation {
  fileprivate func sql(
    _ first: String,
    _ second: String,
    _ arguments: [PredicateValue]
  ) -> PredicateSQL {
    switch self {
    case .equal: PredicateSQL("(\(first) IS \(second))", arguments)
    case .notEqual: PredicateSQL("(\(first) IS NOT \(second))", arguments)
    default: PredicateSQL("ifnull(\(first) \(rawValue) \(second), 0)", arguments)
    }
  }
}

extension TextComparison {
  /// A function of SQLite does where bytes are compared; another one costs a call for each row.
  fileprivate func sql(_ column: String) -> PredicateSQL {
    let pattern = PredicateValue.text(self.pattern)
    if isPlain, !self.pattern.isEmpty {
      switch comparison {
      case .equals: return PredicateSQL("(\(column) IS ?)", [pattern])
      case .contains: return PredicateSQL("ifnull(instr(\(column), ?) > 0, 0)", [pattern])
      case .beginsWith:
        return PredicateSQL("ifnull(substr(\(column), 1, length(?)) = ?, 0)", [pattern, pattern])
      case .endsWith, .like: break
      }
    }
    return function(column)
  }

  fileprivate func function(_ column: String) -> PredicateSQL {
    PredicateSQL("\(PredicateColumns.textFunction)(\(code), \(column), ?)", [.text(pattern)])
  }
}
