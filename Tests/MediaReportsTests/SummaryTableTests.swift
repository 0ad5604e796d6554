import Foundation
import MediaModel
import Testing

@testable import MediaReports

struct SummaryTableTests {
  static let advice = [
    """
    The photo library is limited: only the 12 items of its selection exist for this run.
      mediabatch check media/manifest.json
    """,
    """
    The microphone is denied: nothing in media/Voice was listed or opened.
      mediabatch check media/manifest.json
    """,
  ]

  @Test("The table of a full run, at 80 columns, narrow, and with color")
  func goldens() throws {
    let report = SampleReport.full()
    try expectSnapshot(SummaryTable.text(report, advice: Self.advice), "summary-80.txt")
    try expectSnapshot(SummaryTable.text(report, advice: Self.advice, width: 40), "summary-40.txt")
    try expectSnapshot(SummaryTable.text(report, advice: Self.advice, color: true), "summary-color.txt")
    try expectSnapshot(SummaryTable.text(report, isVerbose: true), "summary-verbose.txt")
  }

  @Test("What an earlier run left out in the same way is counted, and its advice is not repeated")
  func repeats() throws {
    var report = SampleReport.full(failures: 0)
    (report.problems, report.exitCode) = ([], .success)
    report.sources[0].counts = [.unchanged: 1532, .skipped: 31]
    report.sources[1].counts = [.unsupported: 1]
    let again = SummaryTable.text(report)
    #expect(
      again.contains(
        """
        Left out again, as by an earlier run: 31 files of the camera and 1 file of the
        photo library. The reasons:
          mediabatch report media/Library --run 7d2c91f0 --format csv
        """
      ),
      "\(again)"
    )
    for words in ["photoAndVideo", "MOV_0.MOV", "IMG_3.AAE", "The whole list"] {
      #expect(!again.contains(words), "\(words)")
    }
    // One new item, and everything is said.
    report.hasNewItems = true
    let anew = SummaryTable.text(report)
    for words in ["photoAndVideo", "MOV_0.MOV", "IMG_3.AAE", "The whole list"] {
      #expect(anew.contains(words), "\(words)")
    }
    // Nothing was there before: the first run of an empty source.
    report.hasNewItems = false
    report.sources[0].counts = [.skipped: 31]
    #expect(SummaryTable.text(report).contains("MOV_0.MOV"))
  }

  @Test("A run that wrote nothing, and one that stopped before it could")
  func stopped() throws {
    var report = RunReport(
      run: "7d2c91f0",
      manifestPath: "manifest.json",
      manifestSHA256: "",
      library: "Library",
      enforcement: .process,
      enforcementDetail: "",
      exitCode: .sourceRefused
    )
    report.sources = [
      SampleReport.source(.camera, .notDetermined, .notDetermined, .unknown),
      SampleReport.source(.library, .authorized, .unavailable, .unavailable),
    ]
    try expectSnapshot(SummaryTable.text(report), "summary-stopped.txt")
  }

  @Test(
    "Advice whose command a problem names is not said twice, and a run that read nothing has no row of zeros"
  )
  func once() {
    var report = SampleReport.full(failures: 0)
    for index in report.sources.indices { report.sources[index].counts = [:] }
    (report.discovered, report.exitCode) = (0, .undecided)
    let command = "mediabatch access grant media/manifest.json library"
    report.problems = [.init(code: .listing, message: "Not run. Decide first: \(command)")]
    let advice = ["Nobody has decided about the photo library yet.\n  \(command)"] + Self.advice
    let text = SummaryTable.text(report, advice: advice, width: 400)
    #expect(
      text.components(separatedBy: command).count == 2 && !text.contains("Nobody has decided"),
      "\(text)"
    )
    #expect(text.contains("The microphone is denied"))
    #expect(text.hasPrefix("camera         not read: the run stopped before\n"), "\(text)")
    #expect(!text.contains("total"))
    report.exitCode = .success
    #expect(SummaryTable.text(report).hasPrefix("camera         nothing found\n"))
  }

  @Test("Every line fits the terminal, but for a single word", arguments: [40, 60, 80, 120])
  func width(columns: Int) {
    let text = SummaryTable.text(
      SampleReport.full(failures: 30),
      advice: Self.advice,
      width: columns,
      isVerbose: true
    )
    for line in text.components(separatedBy: "\n") {
      let longestWord = String(line).components(separatedBy: " ").map(\.count).max() ?? 0
      let isCommand =
        line.contains("mediabatch ") || line.contains("--expect-head")
        || line.hasPrefix("Log") || line.hasPrefix("Guard")
      #expect(line.count <= max(columns, longestWord + 6) || isCommand, "\(line)")
    }
  }

  @Test(
    "Failures are grouped by cause and remedy: a number, a sentence, at most twenty names",
    arguments: [0, 1, 20, 41, 2020]
  )
  func manyFailures(count: Int) {
    var report = SampleReport.full(failures: count)
    report.leftOut = []
    let text = SummaryTable.text(report, width: 400)
    let (damaged, unsupported) = ((count + 1) / 2, count / 2)
    let shown = text.components(separatedBy: "\n  - \"").count - 1
    #expect(shown == min(20, damaged) + min(20, unsupported))
    #expect(text.contains("--run 7d2c91f0 --format csv") == (damaged > 20))
    if count == 2020 { #expect(text.contains("and 990 more\n")) }
    for (number, cause) in [
      (damaged, "damaged. Copy it"), (unsupported, "metadata cannot be stripped"),
    ] where number > 0 {
      let files = number == 1 ? "1 file not imported (camera)" : " files not imported (camera)"
      #expect(text.contains("\(files): \(cause)"), "\(text)")
    }
    if count > 0 { #expect(text.contains("- \"100/IMG_0.JPG\" (its EXIF block ends early)\n")) }
  }

  @Test("New failures are named before those that an earlier run has said")
  func newFailures() {
    var report = SampleReport.full(failures: 60)
    report.leftOut = []
    for index in report.failures.indices.dropLast(2) { report.failures[index].isRepeated = true }
    let text = SummaryTable.text(report, width: 400)
    for index in [58, 59] { #expect(text.contains("IMG_\(index).JPG"), "\(text)") }
    #expect(text.contains("and 10 more\n"))
  }

  @Test("Files of one cause with other remedies are groups of their own")
  func remedies() {
    var report = SampleReport.full(failures: 0)
    report.leftOut = []
    report.failures = [MediaFormat.dng, .wma, .wma].enumerated().map { index, format in
      SampleReport.item(
        .camera,
        ItemPath(bytes: Array("\(index)".utf8)),
        .stripUnsupported,
        at: .strip,
        format: format
      )
    }
    let text = SummaryTable.text(report, width: 400)
    #expect(text.contains("1 file not imported (camera): metadata cannot be stripped"))
    #expect(text.contains("Develop it and export that as JPEG or PNG"))
    #expect(text.contains("2 files not imported (camera): metadata cannot be"))
    #expect(text.contains("Export it as FLAC, MP3 or WAV"))
  }

  @Test("Head, root and guard are said on request; that the kernel guarded nothing always is")
  func verbose() {
    var report = SampleReport.full()
    #expect(!SummaryTable.text(report).contains(SampleReport.head))
    #expect(!SummaryTable.text(report).contains("Guard"))
    for width in [40, 60, 80, 100] {
      let text = SummaryTable.text(report, width: width, isVerbose: true)
      #expect(text.components(separatedBy: SampleReport.head).count == 4, "\(width)")
      #expect(text.contains("Guard     kernel"))
    }
    report.enforcement = .process
    #expect(SummaryTable.text(report).contains("Guard     this process only"))
  }

  @Test(
    "What was left out is grouped by reason: at most twenty names, a number and a remedy",
    arguments: [1, 21, 30_000]
  )
  func manyLeftOut(count: Int) {
    var report = SampleReport.full(failures: 0)
    let examples = (0..<min(20, count)).map { ItemPath(bytes: Array("\($0).mov".utf8)) }
    report.leftOut = [
      .init(source: .camera, reason: .mediaTypeExcluded, count: count, examples: examples)
    ]
    let text = SummaryTable.text(report, width: 400)
    #expect(text.components(separatedBy: "\n  - \"").count - 1 == min(20, count))
    let number = count == 30_000 ? "30,000 files" : count == 1 ? "1 file" : "21 files"
    #expect(
      text.contains(
        "\(number) left out (camera): not part of the capture mode. To import a "
          + "video, set \"capture\": {\"mode\": \"photoAndVideo\"} for this source"
      )
    )
    #expect(text.contains("--run 7d2c91f0 --format csv") == (count > 20))
    if count == 30_000 { #expect(text.contains("and 29,980 more\n")) }
  }

  @Test(
    "Items without thumbnails are a group of their own, with what each lacks",
    arguments: [1, 21]
  )
  func thumbnailMissing(count: Int) {
    var report = SampleReport.full(failures: 0)
    report.leftOut = []
    report.thumbnailMissing = SampleReport.thumbnailMissing(count)
    let text = SummaryTable.text(report, width: 400)
    let number = count == 1 ? "1 file" : "21 files"
    #expect(text.contains("\(number) imported without thumbnails (photo library): its decoder is not"))
    #expect(text.contains("  - \"0.xcf\" (none for XCF)\n"), "\(text)")
    #expect(text.components(separatedBy: "\n  - \"").count - 1 == min(20, count))
    #expect(text.contains("--run 7d2c91f0 --format csv") == (count > 20))
    report.thumbnailMissing = SampleReport.thumbnailMissing(
      count,
      path: { _ in SampleReport.nastyPath },
      detail: SampleReport.nasty
    )
    expectHarmless(SummaryTable.text(report))
  }

  @Test("Skipped files that are sidecars are told as such")
  func sidecars() {
    var report = SampleReport.full(failures: 0)
    report.totals.sidecarsRead = 9
    let text = SummaryTable.text(report, width: 400)
    #expect(text.contains("9 sidecars read, such as JSON, and counted as skipped"), "\(text)")
  }

  @Test("Hostile names, messages and paths stay text")
  func hostile() throws {
    let text = SummaryTable.text(SampleReport.hostile(), advice: [SampleReport.nasty])
    expectHarmless(text)
    try expectSnapshot(text, "summary-hostile.txt")
    expectHarmless(SummaryTable.text(SampleReport.hostile(), width: 40))
  }

  @Test("Wherever a line is broken, none begins like a command", arguments: 40...100)
  func hostileWrapping(columns: Int) {
    var report = SampleReport.hostile()
    report.problems = [
      .init(
        code: .listing,
        message: String(repeating: "x ::error::y \u{3000}::add-mask::z ##[error] ", count: 9)
      )
    ]
    let path = ItemPath(bytes: Array("a ::error::b c".utf8))
    report.failures[0] = SampleReport.item(.camera, path, .damaged, detail: "d ::error::e")
    let text = SummaryTable.text(report, advice: [report.problems[0].message], width: columns)
    expectHarmless(text)
    #expect(!text.contains(" ::"))
  }

  @Test("No color unless it is asked for")
  func color() {
    #expect(!SummaryTable.text(SampleReport.full()).contains("\u{1b}"))
    let colored = SummaryTable.text(SampleReport.full(), color: true)
    let plain = ["0", "1", "31", "33"].reduce(colored) {
      $0.replacingOccurrences(of: "\u{1b}[\($1)m", with: "")
    }
    #expect(colored != plain && plain == SummaryTable.text(SampleReport.full()))
  }

  @Test("Columns align under wide characters and marks")
  func layout() {
    #expect(TextLayout.width("e\u{301}") == 1)
    #expect(TextLayout.width("港の夜明け") == 10)
    #expect(TextLayout.padded("港", to: 4) == "港  ")
    #expect(TextLayout.cut("港の夜明け", to: 5) == "港の…")
    #expect(TextLayout.cut("abc", to: 3) == "abc")
    #expect(TextLayout.cut("abcd", to: 3) == "ab…")
    #expect(TextLayout.cut("abcd", to: 0) == "")
    #expect(TextLayout.wrapped("a bb ccc", to: 4, first: "- ", rest: "  ") == ["- a", "  bb", "  ccc"])
  }

  @Test("A command can be pasted into a shell")
  func shell() {
    #expect(ShellWord.quoted("media/Library") == "media/Library")
    #expect(ShellWord.quoted("My Library") == "'My Library'")
    #expect(ShellWord.quoted("it's") == "'it'\\''s'")
    // The quote and the mark behind it are one character.
    #expect(ShellWord.quoted("it'\u{301}s x") == "'it'\\''\u{301}s x'")
    #expect(ShellWord.quoted("-rf") == "./-rf")
    #expect(ShellWord.quoted("$(x)") == "'$(x)'")
    #expect(ShellWord.quoted("") == "''")
  }

  @Test("Files that were added to the photo library are told beside the library's place")
  func added() {
    var report = SampleReport.full()
    #expect(!SummaryTable.text(report).contains("to the photo library"))
    report.addedToPhotoLibrary = 4
    #expect(SummaryTable.text(report).contains("\nAdded     4 files to the photo library\n"))
    // It is added to, and reading it is another decision.
    report.sources[1].verdict = .refuse
    report.sources[1].reason = .levelInsufficient
    report.sources[1].required = false
    var adding = report.sources[1]
    (adding.accessLevel, adding.verdict, adding.reason) = (.addOnly, .allow, .authorized)
    report.sources.append(adding)
    let rows = SummaryTable.text(report).split(separator: "\n")
      .filter { $0.hasPrefix("photo library") }
    let sentence = "may be added to, but not read"
    #expect(rows.map(String.init) == ["photo library  \(sentence)"])
  }

  @Test("Numbers and times as a person reads them")
  func quantities() {
    #expect(
      [0, 999, 1000, 1_234_567, -1000].map(Quantity.grouped) == [
        "0", "999", "1,000", "1,234,567", "-1,000",
      ]
    )
    #expect([0, 99, 100, 12_345].map { Quantity.rate(tenths: $0) } == ["0.0", "9.9", "10", "1,234"])
    #expect(
      [-1, 0, 840, 59_999, 60_000, 7_500_000].map(Duration.text)
        == ["0.0 s", "0.0 s", "0.8 s", "59.9 s", "1 min 0 s", "2 h 5 min"]
    )
    #expect([0, 8, 760, 3723].map(Quantity.clock) == ["0:00", "0:08", "12:40", "1:02:03"])
  }
}
