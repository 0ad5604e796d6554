import Foundation
import GRDB
import MediaLibraryTestSupport
import MediaModel
import MediaPredicate
import MediaTestSupport
import Testing

@testable import MediaLibrary

@Suite("How SQLite answers questions about assets")
struct QueryPlanTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/Library" }
  private var file: String { path + "/library.sqlite" }

  init() throws {
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      try fixture.publish()
    }
  }

  /// The steps of SQLite's plan for a query.
  private func plan(_ query: AssetQuery) throws -> [String] {
    try CatalogueReader(library: Array(path.utf8)).read { db in
      let columns = try AssetExpressions(in: db)
      let (sql, arguments) = try CatalogueReader.statement(of: query, columns, in: db)
      return try Row.fetchAll(
        db,
        sql: "EXPLAIN QUERY PLAN " + sql,
        arguments: StatementArguments(arguments)
      ).map { $0["detail"] }
    }
  }

  private func makeEarlier() throws {
    try tamper(file) { try $0.execute(sql: "DROP INDEX assetsInOrder; DROP INDEX assetsUndated") }
  }

  private func problems() throws -> [String] {
    try CatalogueReader(library: Array(path.utf8)).integrityProblems()
  }

  @Test("The order of a list is an index, which no row is looked up for", arguments: [0, 100])
  func order(limit: Int) throws {
    var query = AssetQuery()
    query.limit = limit
    #expect(try plan(query) == ["SCAN assets USING COVERING INDEX assetsInOrder"])
    query.includesHidden = true
    #expect(try plan(query) == ["SCAN assets USING COVERING INDEX assetsInOrder"])
  }

  @Test(
    "Where rows decide which assets are wanted, or their order, they are read one behind the other",
    arguments: [
      ("duration > 5", "creationDate:descending"), ("TRUEPREDICATE", "pixelWidth"),
      ("rating > 2", "name:descending"),
    ]
  )
  func rows(predicate: String, sort: String) throws {
    var query = AssetQuery()
    query.limit = 100
    query.predicate = try FetchPredicate(predicate)
    query.sortDescriptors = [try FetchSortDescriptor(sort)]
    let steps = try plan(query)
    #expect(steps.first == "SCAN assets", "\(steps)")
  }

  @Test("Assets that are named are looked up")
  func identifiers() throws {
    var query = AssetQuery()
    query.identifiers = ["a"]
    #expect(try plan(query).contains { $0.contains("localIdentifier=?") })
    query.identifiers = nil
    query.predicate = try FetchPredicate("localIdentifier == 'a'")
    #expect(try plan(query).contains { $0.contains("localIdentifier=?") })
  }

  @Test("The indexes of a catalogue from before them are made by who writes next, and by no reader")
  func earlier() throws {
    try makeEarlier()
    try tamper(file) { try TableSums.set(TableSums.schema(in: $0), of: TableSums.schemaTable, in: $0) }
    let before = try readBytes(file)
    let reader = try CatalogueReader(library: Array(path.utf8))
    let earlier = try reader.select(AssetQuery())
    _ = try reader.albums()
    #expect(try problems() == [])
    #expect(try readBytes(file) == before)

    try withLibrary(path) { _ in }
    #expect(try plan(AssetQuery()) == ["SCAN assets USING COVERING INDEX assetsInOrder"])
    #expect(try problems() == [])
    let now = try CatalogueReader(library: Array(path.utf8)).select(AssetQuery())
    #expect(now.rows == earlier.rows && now.rows.count == 4)
  }

  @Test("A schema that somebody else changed stays damaged")
  func damaged() throws {
    try makeEarlier()
    try withLibrary(path) { _ in }
    #expect(try problems().contains { $0.contains("sqlite_schema") })
    #expect(try plan(AssetQuery()).contains { $0.contains("ORDER BY") })
  }
}
