import Foundation
import GRDB
import MediaModel
import MediaPredicate
import MediaTestSupport
import Testing

/// Compares what SQLite finds with what the closure says, on random rows and predicates.
@Suite("Predicates mean the same in SQL and on items")
struct PredicateAgreementTests {
  private typealias Item = [PredicateKey: PredicateValue]

  private static let texts = [
    "", "a", "A", "ab", "Über", "über", "uber", "U\u{308}ber", "straße", "a*b", "a%b", "北京",
    "a\u{1F600}b", "É", "z z", "IMG_2.jpg", "IMG_10.jpg", "img_002.jpg", "IMG_2-1.jpg",
  ]
  private static let dates = [
    "2019-07-04", "2019-07-04T00:00:00", "2019-07-04T10:15:30", "2019-12-31T23:59:59",
    "2020-02-29T12:00:00", "1969-12-31T23:59:59", "0001-01-01T00:00:00", "2019-02-30T01:02:03",
    "no date", "2019", "2019-07",
  ]

  private static let lists = ["keywords", "people"]

  private static func value(of key: PredicateKey, _ random: inout SeededGenerator) -> PredicateValue {
    if random.chance(0.25) { return .null }
    switch key.rawValue {
    case "creationDate": return .text(random.pick(dates))
    case "creationDateOffsetMinutes": return .integer(random.pick([0, 60, -90, 720]))
    case "addedDate":
      return .text(random.pick(["2019-07-04T10:15:30.000000Z", "2019-07-04T10:15:30.123456Z"]))
    case "modificationDate":
      return .integer(random.pick([0, -1, 1_562_228_130_000_000_000, 1_562_228_130_000_000_001]))
    case "mediaType": return .integer(random.pick([0, 1, 2, 3]))
    case "mediaSubtypes": return .integer(random.pick([0, 1, 4, 12, 1 << 17]))
    case "isFavorite", "isHidden", "hasLocation", "isDegraded", "isThumbnailMissing":
      return .integer(random.pick([0, 1]))
    case "duration", "latitude", "longitude": return .real(random.pick([0, 0.5, 2.5, -1.25, 100]))
    case "pixelWidth", "pixelHeight", "rating", "size":
      return .integer(random.pick([0, 1, 3, 5, 4000]))
    case "keywords", "people":
      return .list((0..<Int(random.next() % 3)).map { _ in random.pick(texts) })
    default: return .text(random.pick(texts))
    }
  }

  private static func quoted(_ text: String) -> String { "\"\(text)\"" }

  private static func literal(of key: PredicateKey, _ random: inout SeededGenerator) -> String {
    switch key.rawValue {
    case "creationDate", "addedDate", "modificationDate":
      let fraction = key == .creationDate ? ".000" : ".123456"
      return random.pick([
        "2019-07-04", "\"2019-07-04T10:15:30\"", "2019-07-04T10:15:30" + fraction,
        "1969-12-31T23:59:59",
      ])
    case "mediaType": return random.pick(["image", "2", "'audio'", "0"])
    case "mediaSubtypes": return random.pick(["photoScreenshot", "0", "12", "photoPanorama"])
    case "isFavorite", "isHidden", "hasLocation", "isDegraded", "isThumbnailMissing":
      return random.pick(["YES", "NO"])
    case "duration", "latitude", "longitude", "pixelWidth", "pixelHeight", "rating", "size",
      "creationDateOffsetMinutes":
      return random.pick(["0", "1", "2.5", "-1.25", "5", "4000", "60"])
    default: return quoted(random.pick(texts))
    }
  }

  private static func comparison(_ random: inout SeededGenerator) -> String {
    let key = random.pick(PredicateKey.allCases)
    let name = key.rawValue
    let flags: [PredicateKey] = [
      .isFavorite, .isHidden, .hasLocation, .isDegraded, .isThumbnailMissing,
    ]
    let isFlag = flags.contains(key)
    if lists.contains(key.rawValue) {
      let pattern = quoted(random.pick(texts + ["*", "?", "a*"]))
      return random.pick([
        "\(name) CONTAINS \(pattern)", "\(name) CONTAINS[cd] \(pattern)",
        "ANY \(name) LIKE[c] \(pattern)", "ANY \(name) ENDSWITH \(pattern)", "\(name) == NULL",
      ])
    }
    if key == .mediaSubtypes, random.chance(0.6) {
      return "(mediaSubtypes & \(random.pick(["4", "photoPanorama", "13"]))) "
        + random.pick(["==", "!=", ">"]) + " " + random.pick(["0", "4"])
    }
    if key == .creationDate, random.chance(0.3) {
      let first = random.pick(["2019-07-04T08:15:30Z", "2019-07-04T10:15:31+02:00"])
      return random.pick(["creationDate", "NOT creationDate"])
        + random.pick([" == ", " < ", " >= "])
        + first
    }
    let isText =
      literal(of: key, &random).hasPrefix("\"") && key != .creationDate
      && key != .addedDate && key != .modificationDate
    let choice = random.next() % 8
    switch choice {
    case 0: return "\(name) \(random.pick(["==", "!="])) NULL"
    case 1: return "\(name) IN {\(literal(of: key, &random)), \(literal(of: key, &random))}"
    case 2 where !isFlag:
      return "\(name) BETWEEN {\(literal(of: key, &random)), \(literal(of: key, &random))}"
    case 3, 4:
      guard isText else { break }
      let pattern = quoted(random.pick(texts + ["a*", "?ber", "*", "", "b"]))
      let word = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "=="])
      return "\(name) \(word)\(random.pick(["", "[c]", "[d]", "[cd]"])) \(pattern)"
    case 5:
      return random.pick([
        "pixelWidth > pixelHeight", "label == caption", "latitude <= longitude", "rating != size",
        "isFavorite == isHidden", "path != name",
      ])
    default: break
    }
    let relation = random.pick(isFlag ? ["==", "!="] : ["==", "!=", "<", "<=", ">", ">="])
    return "\(name) \(relation) \(literal(of: key, &random))"
  }

  private static func predicate(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    if depth == 3 || random.chance(0.45) { return comparison(&random) }
    let first = predicate(&random, depth: depth + 1)
    if random.chance(0.2) { return "NOT (\(first))" }
    let second = predicate(&random, depth: depth + 1)
    return "(\(first)) \(random.pick(["AND", "OR"])) (\(second))"
  }

  private static func database(_ items: [Item]) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      db.add(
        function: DatabaseFunction(PredicateColumns.textFunction, argumentCount: 3, pure: true) {
          values in
          guard let code = Int64.fromDatabaseValue(values[0]),
            let text = String.fromDatabaseValue(values[1]),
            let pattern = String.fromDatabaseValue(values[2])
          else { return false }
          return TextComparison(code: code, pattern: pattern)?.matches(text)
        }
      )
      db.add(
        function: DatabaseFunction(PredicateColumns.naturalFunction, argumentCount: 1, pure: true) { values in
          String.fromDatabaseValue(values[0]).map { Data(NaturalOrder.key(of: $0.utf8)) }
        }
      )
      let columns = PredicateKey.allCases.map { "\"\($0.rawValue)\"" }
      try db.execute(sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
      for (index, item) in items.enumerated() {
        let values = PredicateKey.allCases.map { item[$0]?.stored ?? .null }
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try db.execute(
          sql: "INSERT INTO items VALUES (?, \(marks))",
          arguments: StatementArguments([index.databaseValue] + values)
        )
      }
    }
    return queue
  }

  private static let columns = PredicateColumns { "items.\"\($0.rawValue)\"" }

  private static func items(_ count: Int, _ random: inout SeededGenerator) -> [Item] {
    (0..<count).map { _ in
      Dictionary(uniqueKeysWithValues: PredicateKey.allCases.map { ($0, value(of: $0, &random)) })
    }
  }

  @Test("SQLite finds the rows that the closure finds")
  func agree() throws {
    var random = SeededGenerator()
    let items = Self.items(80, &random)
    let queue = try Self.database(items)
    var count = 0
    for _ in 0..<3000 {
      let text = Self.predicate(&random)
      let predicate = try FetchPredicate(text)
      let sql = predicate.sql(Self.columns)
      let expected = items.indices.filter { index in
        predicate.matches { items[index][$0] ?? .null }
      }
      let selected = try queue.read { db in
        try Int.fetchAll(
          db,
          sql: "SELECT id FROM items WHERE \(sql.text) ORDER BY id",
          arguments: StatementArguments(sql.arguments.map(\.stored))
        )
      }
      #expect(selected == expected, "\(text)\n\(sql.text)")
      // The condition is never NULL, so that NOT finds all others.
      let values = try queue.read { db in
        try Set(
          Int?.fetchAll(
            db,
            sql: "SELECT DISTINCT \(sql.text) FROM items",
            arguments: StatementArguments(sql.arguments.map(\.stored))
          )
        )
      }
      #expect(values.isSubset(of: [0, 1]), "\(text)\n\(sql.text)")
      count += selected.count
    }
    // Most predicates are neither always true nor always false.
    #expect(count > 3000 && count < 3000 * 79)
  }

  @Test("SQLite sorts as the descriptor does")
  func order() throws {
    var random = SeededGenerator()
    let items = Self.items(80, &random)
    let queue = try Self.database(items)
    for key in PredicateKey.allCases where !Self.lists.contains(key.rawValue) {
      for ascending in [true, false] {
        let descriptor = FetchSortDescriptor(key, ascending: ascending)
        let sorted = items.indices.sorted { first, second in
          let order = descriptor.order(items[first][key] ?? .null, items[second][key] ?? .null)
          return order == 0 ? first < second : order < 0
        }
        let rows = try queue.read { db in
          try Int.fetchAll(db, sql: "SELECT id FROM items ORDER BY \(descriptor.sql(Self.columns)), id")
        }
        #expect(rows == sorted, "\(descriptor.text)")
      }
    }
  }
}

extension PredicateValue {
  fileprivate var stored: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .list(let texts):
      ("[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]").databaseValue
    }
  }
}
