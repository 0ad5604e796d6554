import Foundation
import MediaTestSupport
import Testing

/// `scripts/count-tests.py`, by which a test run passes or fails, over event streams as the testing
/// library writes them.
@Suite("Counts of a test run", .enabled(if: Has.python, "no python3"))
struct TestCountsTests {
  /// What the processes of a run left behind, and what has to be said of it.
  struct Run: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The event stream of each process; nil where there is no file.
    var streams: [String?]
    /// The exit status of the test program.
    var status = 0
    /// Parts of what is printed.
    var messages: [String] = []
    /// The last line, the only one of its form.
    var closes: String
    var isGood = false
  }

  static let runs = [
    Run(
      testDescription: "A whole run",
      streams: [stream(whole)],
      messages: [
        "skipped 1: no strace", "the run took 23 s", "    18.0 s  RoomTests.Suite/slow()",
      ],
      closes: "2 passed, 0 failed, 1 skipped",
      isGood: true
    ),
    Run(
      testDescription: "A failed test",
      streams: [stream(with(issue("quick", isKnown: false)))],
      status: 1,
      messages: ["failed: RoomTests.Suite/quick(): Expectation failed: 1 == 2"],
      closes: "1 passed, 1 failed, 1 skipped"
    ),
    Run(
      testDescription: "A known issue",
      streams: [stream(with(issue("quick", isKnown: true)))],
      closes: "2 passed, 0 failed, 1 skipped",
      isGood: true
    ),
    Run(
      testDescription: "An issue outside of a test",
      streams: [stream(with(issue(nil, isKnown: false)))],
      status: 1,
      messages: ["failed outside of a test: Expectation failed"],
      closes: "2 passed, 1 failed, 1 skipped"
    ),
    Run(
      testDescription: "A failure despite an exit status of 0",
      streams: [stream(with(issue("quick", isKnown: false)))],
      messages: ["although"],
      closes: "1 passed, 1 failed, 1 skipped"
    ),
    Run(
      testDescription: "A crash in the middle of a line",
      streams: [stream(whole.dropLast(2)) + #"{"kind":"event","payload":{"kind":"testCa"#],
      status: 139,
      messages: [
        "ended early (status 139): 1 of 3 tests did not finish; "
          + "running then: RoomTests.Suite/slow()"
      ],
      closes: "1 passed, 1 failed, 1 skipped"
    ),
    Run(
      testDescription: "A crash of one process of two",
      streams: [
        stream(whole.dropLast(2)),
        stream([
          test("other"), event("runStarted", 5), event("testStarted", 6, "other"),
          event("testEnded", 7, "other"), event("runEnded", 8),
        ]),
      ],
      status: 139,
      messages: [
        "1 of 4 tests did not finish; running then: RoomTests.Suite/slow()", "took 9 s",
      ],
      closes: "2 passed, 1 failed, 1 skipped"
    ),
    Run(
      testDescription: "A process that leaves with status 0 before the end",
      streams: [stream(whole.dropLast())],
      messages: ["ended early (status 0)"],
      closes: "2 passed, 1 failed, 1 skipped"
    ),
    Run(
      testDescription: "A status without a failed test",
      streams: [stream(whole)],
      status: 1,
      messages: ["without naming"],
      closes: "2 passed, 1 failed, 1 skipped"
    ),
    Run(
      testDescription: "An empty stream",
      streams: [""],
      status: 1,
      messages: ["ended early"],
      closes: "0 passed, 1 failed, 0 skipped"
    ),
    Run(
      testDescription: "No stream",
      streams: [nil],
      status: 1,
      messages: ["ended early"],
      closes: "0 passed, 1 failed, 0 skipped"
    ),
    Run(
      testDescription: "No test that ran",
      streams: [
        stream([test("skips"), event("runStarted", 1), skip(at: 1), event("runEnded", 2)])
      ],
      messages: ["no test ran"],
      closes: "0 passed, 1 failed, 1 skipped"
    ),
  ]

  @Test(
    "What a run did is counted, and only a whole run without a failure is good",
    arguments: runs
  )
  func counts(of run: Run) throws {
    let folder = TemporaryFolder()
    var paths: [String] = []
    for (number, stream) in run.streams.enumerated() {
      paths.append("\(folder.path)/\(number).jsonl")
      if let stream { try Data(stream.utf8).write(to: URL(fileURLWithPath: paths[number])) }
    }
    let script = DocumentBlock.project + "/scripts/count-tests.py"
    let result = try Tool.run("python3", [script, String(run.status)] + paths)
    #expect(result.status == (run.isGood ? 0 : 1))
    #expect(result.error == "")
    for line in run.messages { #expect(result.output.contains(line), "\(result.output)") }
    let lines = result.output.split(separator: "\n").map(String.init)
    let closing = lines.filter { $0.wholeMatch(of: /\d+ passed, \d+ failed, \d+ skipped/) != nil }
    #expect(closing == [run.closes] && lines.last == run.closes, "\(result.output)")
  }

  // MARK: Records

  /// Two tests that pass, within 4 and 18 of 23 seconds, and one that is skipped.
  private static let whole =
    ["slow", "quick", "skips"].map(test) + [
      event("runStarted", 10), skip(at: 10),
      event("testStarted", 10, "quick"), event("testEnded", 14, "quick"),
      event("testStarted", 14, "slow"), event("testEnded", 32, "slow"), event("runEnded", 33),
    ]

  /// The whole run with one record more, before the quick test ends.
  private static func with(_ record: String) -> [String] {
    whole.dropLast(4) + [record] + whole.suffix(4)
  }

  private static func stream(_ records: some Sequence<String>) -> String {
    records.map { $0 + "\n" }.joined()
  }

  private static func identifier(_ test: String) -> String {
    "RoomTests.Suite/\(test)()/File.swift:1:2"
  }

  private static func test(_ name: String) -> String {
    #"{"kind":"test","payload":{"kind":"function","id":"\#(identifier(name))","name":"\#(name)"}}"#
  }

  /// What happened at a moment in seconds; `more` are further keys.
  private static func event(
    _ kind: String,
    _ moment: Double,
    _ test: String? = nil,
    _ more: String = #""messages":[]"#
  ) -> String {
    let test = test.map { #","testID":"\#(identifier($0))""# } ?? ""
    return #"{"kind":"event","payload":{"kind":"\#(kind)","instant":{"absolute":\#(moment)}"#
      + test + "," + more + "}}"
  }

  private static func skip(at moment: Double) -> String {
    let text = #"Test skips() skipped: \"no strace\""#
    return event(
      "testSkipped",
      moment,
      "skips",
      #""messages":[{"symbol":"skip","text":"\#(text)"}]"#
    )
  }

  private static func issue(_ test: String?, isKnown: Bool) -> String {
    let text = #"Expectation failed: 1 == 2\nmore"#
    return event(
      "issueRecorded",
      13.5,
      test,
      #""messages":[{"symbol":"fail","text":"\#(text)"}],"issue":{"isKnown":\#(isKnown)}"#
    )
  }
}
