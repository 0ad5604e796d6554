import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("Reports: one set of counts", .serialized, .enabled(if: Has.python, "no python3"))
struct ReportCountsTests {
  private static let formats = ReportReader.countedFormats + ["github", "in-toto"]

  /// That each of these formats says what the summaries of the runs said, added up.
  private func expectCounts(
    _ scene: Scene,
    _ summaries: [Outcome],
    in formats: [String]
  ) throws {
    var expected: [String: Int] = [:]
    for outcome in ItemOutcome.allCases {
      expected[outcome.rawValue] = try summaries.reduce(0) { try $0 + $1.count(outcome.rawValue) }
    }
    for format in formats {
      switch format {
      case "github":
        let summary = scene.at("step-summary.md")
        try? FileManager.default.removeItem(atPath: summary)
        try scene.report("github", "--step-summary", summary)
        #expect(try ReportReader.counts("github", summary) == expected)
      case "in-toto":
        let statement = try JSON(
          text: try ReportReader.read("counts", "in-toto", try scene.report("in-toto"))
        )
        #expect(statement["failed"].int == expected["failed"])
        let warned = (expected["unsupported"] ?? 0) + (expected["refused"] ?? 0)
        #expect(statement["warned"].int == warned)
      default:
        let file = try scene.report(format)
        #expect(try ReportReader.counts(format, file) == expected, "\(format)")
      }
    }
  }

  @Test("Every format has the counts of the summaries, of one run and of two")
  func mixed() throws {
    let scene = try Scene.mixed()
    let first = try scene.run()
    try first.expect(3)
    #expect(try first.count("failed") > 0 && first.count("duplicate") > 0)
    #expect(try first.count("skipped") > 0 && first.count("unsupported") > 0)
    // Without all, one format is enough here: all of them have the same counts, as follows.
    try expectCounts(scene, [first], in: Amount.isAll ? Self.formats : ["json"])
    let second = try scene.run()
    #expect(try second.count("unchanged") > 0 && second.count("failedBefore") > 0)
    try expectCounts(scene, [first, second], in: Self.formats)

    let last = try JSON(text: try scene.reportText("json", "--run", "last"))
    for outcome in ItemOutcome.allCases {
      #expect(last["counts"][outcome.rawValue].int == (try second.count(outcome.rawValue)))
    }
  }

  @Test("What a recovered run adds is counted once, and said")
  func recovered() throws {
    let scene = Scene()
    try scene.declare("camera")
    for number in 1...3 {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    // As if the run had been killed before its outcomes: they are in the next run's file, recovered.
    let log = try #require(try scene.logFiles().first)
    try scene.forge(
      log.name,
      """
      for record in records:
          if record["event"] == "outcome": record["recovered"] = True
      records[:] = [record for record in records if record["event"] != "end"]
      """
    )
    let report = try JSON(text: try scene.text(try scene.report("json", code: 65)))
    #expect(report["counts"]["imported"].int == 3)
    #expect(report["recovered"].int == 3)
    #expect(report["runs"].array.first?["exitCode"].isNull == true)
    #expect(report["runs"].array.first?["result"].string == "warned")
  }
}
