import Foundation
import MediaModel
import MediaTestSupport
import Testing

/// Reads reports with programs that did not write them.
enum ReportReader {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("ReportReaders").path

  /// The formats whose counts a reader finds.
  static let countedFormats = ["html", "json", "csv", "junit"]

  /// What one of the readers printed; fails the test when it found something that is not as it has to
  /// be.
  static func read(
    _ reader: String,
    _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try Tool.run("python3", [folder + "/" + reader + ".py"] + arguments)
    try #require(
      result.status == 0,
      "\(reader) \(arguments): \(result.error)",
      sourceLocation: sourceLocation
    )
    return result.output
  }

  /// The counts that a report has, outcome to number.
  static func counts(_ format: String, _ file: String) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for (name, value) in try JSON(text: try read("counts", format, file)).object {
      counts[name] = value.int
    }
    return counts
  }

  /// That a JSON file is as its schema says.
  static func expectSchema(
    _ file: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let schema = URL(fileURLWithPath: folder).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("docs/report.schema.json").path
    let result = try Tool.run(
      "python3",
      [
        "-c",
        """
        import json, sys, jsonschema
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        found = jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(sys.argv[2])))
        print("\\n".join(f"{list(e.absolute_path)}: {e.message[:300]}" for e in found))
        """, schema, file,
      ]
    )
    #expect(
      result.status == 0 && result.output == "\n",
      "\(result.output)\(result.error)",
      sourceLocation: sourceLocation
    )
  }

  /// That a page is good HTML, can be read by everyone, and fetches and runs nothing.
  static func expectPage(
    _ file: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try read("page", file) == "\n", sourceLocation: sourceLocation)
    let result = try Tool.run("tidy", ["-q", "-e", "--show-info", "no", file])
    #expect(result.error == "", sourceLocation: sourceLocation)
  }

  /// That an XML file is what Jenkins takes.
  static func expectJUnit(
    _ file: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try Tool.run("xmllint", ["--noout", "--nonet", "--schema", folder + "/junit.xsd", file])
    #expect(result.status == 0, "\(result.error)", sourceLocation: sourceLocation)
  }
}

extension Scene {
  /// Makes a report into a file of the scene; its path.
  @discardableResult
  func report(
    _ format: String,
    _ arguments: String...,
    library name: String = "Library",
    code: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let file = at("report." + format)
    try? FileManager.default.removeItem(atPath: file)
    let outcome = try Scene.program(
      ["report", name, "--format", format, "--output", file] + arguments,
      in: path
    )
    #expect(outcome.code == code, "\(outcome.streams)", sourceLocation: sourceLocation)
    return file
  }

  /// The text of a report.
  func reportText(_ format: String, _ arguments: String...) throws -> String {
    let outcome = try Scene.program(["report", "Library", "--format", format] + arguments, in: path)
    try outcome.expect(0)
    return outcome.output
  }

  /// The identifiers of the runs that a report in JSON is about.
  func reportedRuns(_ arguments: String...) throws -> [String] {
    let outcome = try Scene.program(["report", "Library", "--format", "json"] + arguments, in: path)
    try outcome.expect(0)
    return try outcome.json()["runs"].array.compactMap { $0["run"].string }
  }

  /// Writes an audit file anew, its chain too; the Python code changes the list `records`.
  func forge(_ file: String, _ code: String) throws {
    _ = try ReportReader.read("forge", library + "/Audit/" + file, code)
  }

  func text(_ file: String) throws -> String {
    String(decoding: try readBytes(file), as: UTF8.self)
  }
}
