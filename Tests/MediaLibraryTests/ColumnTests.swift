import Foundation
import GRDB
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary

@Suite("The lists of columns")
struct ColumnTests {
  private let scratch = TemporaryFolder()

  /// The root of the sources.
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("A catalogue has the columns of each list, in its order, and a row has a digest of all")
  func areThoseOfTheCatalogue() throws {
    try withLibrary(scratch.path + "/Library") { library in
      try library.catalogue.read { db in
        func check<Column: TableColumn>(_ column: Column.Type) throws {
          let columns = try db.columns(in: Column.table).map(\.name)
          #expect(columns == Column.allCases.map(\.name))
          let digested = try DigestedTable.all(in: db).first { $0.name == Column.table }
          #expect(digested != nil, "\(Column.table)")
        }
        try check(AssetColumn.self)
        try check(ResourceColumn.self)
        try check(ThumbnailColumn.self)
        try check(TrackColumn.self)
        try check(ItemColumn.self)
        try check(FailureColumn.self)
        try check(ChangeColumn.self)
        try check(RunColumn.self)
        try check(BatchColumn.self)
        try check(StagedBatchColumn.self)
        try check(AuditBlockColumn.self)
        try check(StackColumn.self)
        try check(DistinctionColumn.self)
      }
    }
  }

  @Test(
    "Each column of a fact is one of the catalogue, and the private facts have theirs in its order"
  )
  func facts() {
    #expect(AssetColumn.inOrderOfFacts.map(\.name) == FactColumn.all.map(\.column.name))
    #expect(
      PrivateFacts.columns == [
        .creationDate, .creationDateOffsetMinutes, .creationDateTag, .camera, .mediaSubtypes,
        .rating, .isFavorite, .isHidden, .caption, .keywords, .burst, .isBurstPick, .latitude,
        .longitude, .people, .placeTag, .city, .region, .country, .lensModel, .creationDatePrecision,
        .creationDateFraction,
      ]
    )
  }

  private enum SampleColumn: Int, TableColumn {
    case id, digest, note

    static let table = "sample"

    var definition: String {
      switch self {
      case .id: "INTEGER PRIMARY KEY"
      case .digest: "INTEGER"
      case .note: "TEXT"
      }
    }
  }

  @Test("A column is made by its list, and written and read by its name")
  func columns() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: SampleColumn.creation)
      #expect(try db.columns(in: "sample").map(\.name) == ["id", "digest", "note"])
      let insertion = RowStatement<SampleColumn>(inserting: SampleColumn.all(but: .digest))
      try insertion.execute(in: db) { column in
        switch column {
        case .id: 7
        case .note: "text"
        case .digest: nil
        }
      }
      let sql = "SELECT \(SampleColumn.list) FROM sample"
      let row = try #require(try QueryRow<SampleColumn>.fetchOne(db, sql))
      let (id, note): (Int, String) = (try row[.id], try row[.note])
      #expect(id == 7 && note == "text")
      // A value of another type is damage, and ends nothing.
      #expect(throws: DatabaseError.self) {
        let number: Int = try row[.note]
        return number
      }
    }
  }

  @Test("CONTRIBUTING names the files of Sources that a fact is in, at most four")
  func recipe() throws {
    let contributing = String(decoding: try readBytes(Self.root.path + "/CONTRIBUTING.md"), as: UTF8.self)
    let start = try #require(contributing.range(of: "## A new fact"))
    let remaining = contributing[start.upperBound...]
    let section = remaining[..<(try #require(remaining.range(of: "\n## "))).lowerBound]
    let named = Set(section.matches(of: /\n\d\. `([^`]+\.swift)`/).map { String($0.1) })
    let sources = Self.root.path + "/Sources/"
    // Programs name the facts that their texts are about.
    let floors = ["Foundations", "Formats", "Gate", "Library", "Import", "Sharing"]
    // The tag tells a picture of oneself too.
    let users: Set = [
      "Formats/MediaMetadata/Exif/ExifTag.swift",
      "Formats/MediaMetadata/Exif/ExifHandle+Description.swift",
    ]
    let paths = try floors.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: sources + folder).map {
        "\(folder)/\($0)"
      }
    }
    let naming = try paths.filter { path in
      guard path.hasSuffix(".swift") else { return false }
      let text = String(decoding: try readBytes(sources + path), as: UTF8.self)
      return text.contains("lensModel") || text.contains("case lens\n")
    }
    #expect(named.count <= 4)
    #expect(Set(naming).subtracting(users) == named)
  }
}
