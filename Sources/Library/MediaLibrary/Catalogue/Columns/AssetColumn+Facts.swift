package import GRDB
package import MediaModel

extension AssetColumn {
  /// The fact that each column tells, by its number; nil for any other.
  private static let facts: [FactColumn?] = {
    let facts = Dictionary(uniqueKeysWithValues: FactColumn.all.map { ($0.column.name, $0) })
    return allCases.map { facts[$0.name] }
  }()

  /// The columns of ``FactColumn/all``, in its order.
  package static let inOrderOfFacts: [AssetColumn] = FactColumn.all.compactMap {
    AssetColumn(stringValue: $0.column.name)
  }

  /// The columns that an asset's main file tells.
  package static let ofFacts = allCases.filter { $0.fact != nil }

  /// The columns that depend on the files that an asset has now.
  package static let ofFiles = allCases.filter { !$0.isOfRow }

  /// The assignments that take from an asset's row what its files said; an orientation has to be there.
  package static let forgettingFacts = (ofFacts + [.contentDigest, .burstDigest])
    .map { $0 == .orientation ? "orientation = 1" : "\($0.name) = NULL" }
    .joined(separator: ", ")

  /// The fact that the column tells; nil for any other.
  package var fact: FactColumn? { Self.facts[rawValue] }

  /// Whether it is written with the row, or later by itself.
  private var isOfRow: Bool {
    switch self {
    case .id, .localIdentifier, .superseded, .digest, .olderVersion, .relabelled, .rotation: true
    default: false
    }
  }

  /// The value that facts give a column of ``ofFacts``, NULL any other: a degree is a REAL, keywords and people are
  /// arrays in JSON, and what nothing says is NULL, also a number of subtypes that would be 0.
  ///
  /// - Parameters:
  ///   - facts: The facts.
  ///   - isLive: Whether the asset has a movie beside its still; one within it is among the facts.
  /// - Returns: The value.
  package func value(of facts: Facts, isLive: Bool) -> DatabaseValue {
    guard self != .mediaSubtypes else {
      let isLive = isLive || facts.embeddedMovie != nil
      let subtypes = isLive ? facts.subtypes.union(.photoLive) : facts.subtypes
      return subtypes.isEmpty ? .null : subtypes.rawValue.databaseValue
    }
    return switch fact?.value(of: facts) {
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .list(let texts): Self.json(texts).databaseValue
    case .null, nil: .null
    }
  }

  /// An array in JSON.
  private static func json(_ texts: [String]) -> String {
    var bytes = [UInt8(ascii: "[")]
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.append(UInt8.comma) }
      JSONString.append(text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FactKind {
  /// The type of a column in SQL.
  var sqlType: String {
    switch self {
    case .text, .localDate, .list: "TEXT"
    case .number, .milliseconds, .flag, .subtypes: "INTEGER"
    case .degrees: "REAL"
    }
  }

  /// The value of a column; ``FactValue/null`` for NULL and for what it cannot have, as in a damaged row.
  package func value(_ stored: DatabaseValue) -> FactValue {
    switch self {
    case .text, .localDate: String.fromDatabaseValue(stored).map { .text($0) } ?? .null
    case .list: String.fromDatabaseValue(stored).map { .list(TextList.texts($0)) } ?? .null
    case .number, .milliseconds, .flag, .subtypes:
      Int64.fromDatabaseValue(stored).map { .integer($0) } ?? .null
    case .degrees: Double.fromDatabaseValue(stored).map { .real($0) } ?? .null
    }
  }
}

extension Facts {
  /// Reads the facts of a row that may be damaged; without the tracks, which have rows of their own.
  package init(_ row: TableRow<AssetColumn>, format: MediaFormat) {
    self.init(format: format) { number in
      FactColumn.all[number].kind.value(row[AssetColumn.inOrderOfFacts[number]])
    }
  }
}
