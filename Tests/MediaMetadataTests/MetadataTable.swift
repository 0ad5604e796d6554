import Foundation
import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A program that takes metadata out, and how it is called on copies.
struct Stripping: Sendable {
  var name: String
  /// What stands in the table's head; nil when the program is not on this machine.
  var title: String?
  /// Strips each of `paths`, and says where its output is.
  var run: @Sendable ([String]) throws -> @Sendable (String) -> String

  static let all = [ours, exiftool, mat2, exiv2]

  private static let ours = Stripping(name: "strip", title: "strip") { paths in
    for path in paths {
      let bytes = try readBytes(path)
      guard let format = format(of: bytes), let output = try? strip(bytes, format).output else {
        continue
      }
      try Data(output).write(to: URL(fileURLWithPath: path + ".out"))
    }
    return { $0 + ".out" }
  }

  private static let exiftool = Stripping(
    name: "exiftool",
    title: title("exiftool", ["-ver"]) { "exiftool \($0) `-all=`" }
  ) { paths in
    guard let first = paths.first else { return { $0 } }
    let folder = URL(fileURLWithPath: first).deletingLastPathComponent().path + "/out"
    _ = try Tool.run("exiftool", ["-q", "-q", "-all=", "-o", folder + "/"] + paths)
    return { folder + "/" + URL(fileURLWithPath: $0).lastPathComponent }
  }

  private static let mat2 = Stripping(
    name: "mat2",
    title: title("mat2", ["--version"]) { "\($0)" }
  ) { paths in
    for path in paths { _ = try Tool.run("mat2", [path]) }
    return { path in
      let url = URL(fileURLWithPath: path)
      return url.deletingPathExtension().path + ".cleaned." + url.pathExtension
    }
  }

  private static let exiv2 = Stripping(
    name: "exiv2",
    title: title("exiv2", ["--version"]) { "\($0) `rm`" }
  ) { paths in
    // In place; what it refuses is taken away, since it has no output.
    for path in paths where try Tool.run("exiv2", ["rm", path]).status != 0 {
      try FileManager.default.removeItem(atPath: path)
    }
    return { $0 }
  }

  private static func title(
    _ program: String,
    _ arguments: [String],
    _ title: (String) -> String
  ) -> String? {
    guard let result = try? Tool.run(program, arguments), result.status == 0 else { return nil }
    return result.output.split(separator: "\n").first.map { title(String($0)) }
  }
}

/// What stands between two marker lines of `docs/metadata.md`.
struct MetadataTable {
  enum Result { case removed, left, refused }

  struct Row {
    var format: String
    /// Where texts were planted, in the order of the files.
    var places: [String]
  }

  struct Column {
    var name: String
    var title: String?
    /// One for each planted file; empty when the program is not here.
    var results: [Result] = []
    /// By format.
    var cells: [String: String] = [:]

    /// Gives every file to the program, as a copy in a folder of its own.
    init(_ stripping: Stripping, over plants: [CanaryPlant], in folder: String) throws {
      (name, title) = (stripping.name, stripping.title)
      guard title != nil else { return }
      let own = folder + "/" + name
      try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
      let paths = plants.enumerated().map { "\(own)/\($0).\($1.fileExtension)" }
      for (plant, path) in zip(plants, paths) {
        try Data(plant.bytes).write(to: URL(fileURLWithPath: path))
      }
      let output = try stripping.run(paths)
      results = zip(plants, paths).map { plant, path in
        guard let bytes = try? readBytes(output(path)), !bytes.isEmpty else { return .refused }
        return plant.isIn(bytes) ? .left : .removed
      }
      let byFormat = Dictionary(grouping: zip(plants, results)) { $0.0.format }
      cells = byFormat.mapValues { Self.cell($0.map(\.1)) }
    }

    private static func cell(_ results: [Result]) -> String {
      let counts = [Result.removed, .left, .refused].map { result in
        results.count { $0 == result }
      }
      if counts[0] == results.count { return "all \(results.count)" }
      if counts[2] == results.count { return "refuses" }
      let words = zip(["removed", "left", "refused"], counts).filter { $1 > 0 }
      return words.map { "\($1) \($0)" }.joined(separator: ", ")
    }
  }

  private static let environment = ProcessInfo.processInfo.environment
  static let isWriting = environment["MEDIABATCH_WRITE_TABLES"] == "1"
  static let isWanted = isWriting || environment["MEDIABATCH_TEST_ALL"] == "1"

  private static let begin = "<!-- table: what is removed; written by a test run -->"
  private static let end = "<!-- end of table -->"
  private static let missing = "not here"

  var rows: [Row]
  var columns: [Column]

  static func rows(_ plants: [CanaryPlant]) -> [Row] {
    var rows: [Row] = []
    for plant in plants {
      guard let index = rows.firstIndex(where: { $0.format == plant.format }) else {
        rows.append(Row(format: plant.format, places: [plant.carrier]))
        continue
      }
      if !rows[index].places.contains(plant.carrier) { rows[index].places.append(plant.carrier) }
    }
    return rows
  }

  private var lines: [[String]] {
    let head = ["format", "places"] + columns.map { $0.title ?? $0.name }
    let rule = head.map { _ in "---" }
    return [head, rule]
      + rows.map { row in
        [row.format, row.places.joined(separator: "; ")]
          + columns.map { $0.cells[row.format] ?? Self.missing }
      }
  }

  private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs/metadata.md")

  private static func parts() throws -> (before: Substring, table: Substring, after: Substring) {
    let text = try String(contentsOf: document, encoding: .utf8)
    guard let first = text.range(of: begin), let last = text.range(of: end),
      first.upperBound <= last.lowerBound
    else { throw CocoaError(.fileReadCorruptFile) }
    return (
      text[..<first.upperBound], text[first.upperBound..<last.lowerBound], text[last.lowerBound...]
    )
  }

  func write() throws {
    let parts = try Self.parts()
    let table = lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    let text = parts.before + "\n" + table + "\n" + parts.after
    try text.write(to: Self.document, atomically: true, encoding: .utf8)
  }

  /// What the document says otherwise. A column whose program was not there, then or now, says
  /// nothing, and another version of a program may find more or less.
  func differences() throws -> [String] {
    let written = try Self.parts().table.split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    guard written.count == lines.count else { return ["it has \(written.count) lines"] }
    let head = lines[0]
    var differences: [String] = []
    for (old, new) in zip(written.dropFirst(2), lines.dropFirst(2)) {
      guard old.count == new.count else { return ["another number of columns"] }
      for column in head.indices where old[column] != new[column] {
        let isComparable =
          written[0][column] == head[column] && old[column] != Self.missing
          && new[column] != Self.missing
        guard column < 3 || isComparable else { continue }
        differences.append("\(new[0]), \(head[column]): \(old[column]) is now \(new[column])")
      }
    }
    return differences
  }
}
