import MediaModel
import MediaSyntax
import Testing

@testable import MediaReports

@Suite("The pieces of reports")
struct ReportPiecesTests {
  @Test("A cell that a spreadsheet would calculate begins with an apostrophe")
  func cells() {
    #expect(CSVReport.cell("a") == "\"a\"")
    #expect(CSVReport.cell("a\"b,\n") == "\"a\"\"b,\n\"")
    for start in ["=", "+", "-", "@", " =", "\t@", "\u{FF1D}", "\u{FF20}"] {
      #expect(CSVReport.cell(start + "1+1") == "\"'" + start + "1+1\"", "\(start)")
    }
    // A number is its own value: a rating, a longitude, an offset.
    for number in ["-1", "-84.8639525", "-240"] { #expect(CSVReport.cell(number) == "\"\(number)\"") }
    for text in ["-", "-.", "-1.", "-1.2.3", "-1e5", "+1", "--1", "-1-1", " -1"] {
      #expect(CSVReport.cell(text) == "\"'\(text)\"", "\(text)")
    }
    #expect(CSVReport.cell("1=2") == "\"1=2\"")
    // A quotation mark that a combining mark follows is still one.
    #expect(Array(CSVReport.cell("a\"\u{301}").utf8) == Array("\"a\"\"\u{301}\"".utf8))
  }

  @Test("XML text has no markup, and nothing that XML has no place for")
  func xml() {
    #expect(XMLText.escaped("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;")
    #expect(XMLText.escaped("]]>") == "]]&gt;")
    #expect(XMLText.escaped("\u{0}\u{B}\u{FFFE}\u{1F}") == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(XMLText.escaped("é\u{1F680}\n\t") == "é\u{1F680}\n\t")
    // An ampersand that a combining mark follows is still one.
    #expect(Array(XMLText.escaped("&\u{301}").utf8) == Array("&amp;\u{301}".utf8))
  }

  @Test("A URI has only characters that a URI may have")
  func uris() {
    #expect(URIText.path(Array("a b/é:%.json".utf8)) == "a%20b/%C3%A9%3A%25.json")
    #expect(URIText.path(Array("/tmp/m.json".utf8)) == "file:///tmp/m.json")
    #expect(URIText.path([0xFF]) == "%FF")
  }

  @Test("A workflow command ends where it ends, whatever is in it")
  func commands() {
    let command = GitHubReport.command(.error, title: "a:b,c\n::x", message: "1%\r\n::warning::x")
    #expect(command == "::error title=a%3Ab%2Cc%0A%3A%3Ax::1%25%0D%0A::warning::x\n")
    let marked = GitHubReport.command(.note, title: ":\u{301}", message: "%\u{301}")
    #expect(Array(marked.utf8) == Array("::notice title=%3A\u{301}::%25\u{301}\n".utf8))
  }

  @Test("Markdown takes a name for nothing but text")
  func markdown() {
    let text = StepSummary.plain("**a** [b](c) <d> | `e` https://f_g_ é")
    #expect(!text.contains { "*[]()<>|`_:/".contains($0) })
    #expect(text.hasSuffix(" é"))
  }

  @Test("A date is a day or a second in UTC, and nothing else")
  func dates() {
    #expect(ReportScope.timestamp("2026-11-21") == "2026-11-21")
    #expect(ReportScope.timestamp("2026-11-21T08:05:59Z") == "2026-11-21T08:05:59")
    for text in [
      "", "2026", "2026-13-01", "2026-00-01", "2026-11-32", "2026-11-21T24:00:00Z",
      "2026-11-21T08:00:00", "2026-11-21T08:00:00+01:00", "2026/11/21", "２026-11-21",
      "2026-11-2\u{301}1",
    ] {
      #expect(ReportScope.timestamp(text) == nil, "\(text)")
    }
  }

  @Test("A span of time has both of its ends, a whole day or second")
  func spans() {
    let time = "2026-11-21T08:05:59.123456Z"
    for (since, until, isIn) in [
      ("2026-11-21", "2026-11-21", true), (nil, "2026-11-20", false), (nil, "2026-11-21", true),
      (nil, "2026-11-21T08:05:59", true), (nil, "2026-11-21T08:05:58", false),
      ("2026-11-21T08:05:59", nil, true), ("2026-11-21T08:06:00", nil, false),
      ("2026-11-22", "2026-11-30", false), (nil, nil, true),
    ] as [(String?, String?, Bool)] {
      let span = "\(since ?? "") \(until ?? "")"
      #expect(ReportScope.holds(time, since: since, until: until) == isIn, "\(span)")
    }
    #expect(
      ReportScope.began(since: "2026-11-21", until: "2026-11-22").title
        == "runs since 2026-11-21 until 2026-11-22"
    )
  }

  @Test(
    "A time is the microseconds that its calendar time gives",
    arguments: [
      0, 951_782_400_000_000, 1_763_689_479_123_456, 4_107_542_399_999_999,
    ] as [Int64]
  )
  func times(_ microseconds: Int64) {
    let text = CalendarTime(microsecondsSince1970: microseconds).timestamp
    #expect(ReportTime.microseconds(of: text) == microseconds)
  }

  @Test("A timeline keeps every item in at most sixty columns, however long it is")
  func timeline() {
    var timeline = ReportTimeline<ItemOutcome>()
    let start: Int64 = 1_763_689_479_000_000
    var instant = start
    var step: Int64 = 1000
    for _ in 0..<400 {
      timeline.add(.imported, at: CalendarTime(microsecondsSince1970: instant).timestamp)
      instant += step
      step += step / 16
    }
    timeline.add(.failed, at: CalendarTime(microsecondsSince1970: start - 5).timestamp)
    timeline.add(.failed, at: "yesterday")
    #expect(timeline.slots.count <= 60)
    #expect(timeline.slots.reduce(0) { $0 + ($1[.imported] ?? 0) } == 400)
    #expect(timeline.slots.first?[.failed] == 1)
  }

  @Test("Accesses are counted by day, and by several days where there are many")
  func days() {
    var timeline = ReportTimeline<ItemOutcome>(ofDays: 60)
    let day: Int64 = 86_400_000_000
    // 2025-11-21T01:44:39Z, a minute later, and the next midnight.
    let instants: [Int64] = [1_763_689_479_000_000, 1_763_689_539_000_000, 1_763_769_600_000_000]
    for instant in instants {
      timeline.add(.imported, at: CalendarTime(microsecondsSince1970: instant).timestamp)
    }
    #expect(timeline.start == 1_763_683_200_000_000 && timeline.width == day)
    #expect(timeline.slots.map { $0[.imported] } == [2, 1])
    timeline.add(.failed, at: "2026-11-21T01:44:39.000000Z")
    #expect(timeline.width == 8 * day && timeline.slots.count == 46)
    #expect(timeline.slots.first?[.imported] == 3 && timeline.slots.last?[.failed] == 1)
    // Midnight is the start of a day also before 1970.
    var early = ReportTimeline<ItemOutcome>(ofDays: 60)
    early.add(.imported, at: "1969-12-31T12:00:00.000000Z")
    #expect(early.start == -day)
  }

  @Test("A SARIF log has no more results than are shown, and says how many there are")
  func sarif() throws {
    let results = (0..<6000).map {
      SARIFLog.Result(rule: "r\($0 % 3)", level: .note, message: "m", path: [97], identity: "\($0)")
    }
    guard case .object(let log) = SARIFLog(tool: "1", results: results).value,
      case .array(let runs)? = log["runs"], case .object(let run)? = runs.first,
      case .array(let shown)? = run["results"], case .object(let last)? = shown.last
    else {
      Issue.record("no log")
      return
    }
    #expect(shown.count == 5000)
    #expect(last["message"] == ["text": "1,001 more results are not listed."])
  }

  @Test("Sizes are read as a person reads them")
  func sizes() {
    #expect(ByteCount.text(999) == "999 bytes")
    #expect(ByteCount.text(1000) == "1.0 kB")
    #expect(ByteCount.text(999_960) == "1.0 MB")
    #expect(ByteCount.text(.max) == "9.2 EB")
    #expect(ByteCount.text(-1) == "0 bytes")
  }

  @Test("A sink that fails is not written to again, and says why at the end")
  func sink() {
    struct Full: Error {}
    var calls = 0
    let sink = ReportSink { _ in
      calls += 1
      throw Full()
    }
    for _ in 0..<100 { sink.text(String(repeating: "x", count: 100_000)) }
    #expect(throws: Full.self) { try sink.finish() }
    #expect(calls == 1)
  }
}
