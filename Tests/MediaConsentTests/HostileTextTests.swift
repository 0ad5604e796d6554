import Foundation
import MediaFileSystem
import MediaModel
import MediaPermissions
import MediaTestSupport
import Testing

@testable import MediaConsent
@testable import MediaPicking

/// Texts that try to be more than text.
enum Hostile {
  static let texts: [String] = [
    "\u{1B}[2J\u{1B}[H",  // clears the screen
    "\u{1B}]0;title\u{7}\u{1B}]52;c;aGk=\u{7}",  // title, clipboard
    "\u{9B}2J\u{90}q\u{9C}",  // C1
    "a\nmediabatch: org.example.good asks to read the camera.\r\n  a  Allow",
    "\rmediabatch: x\u{8}\u{8}\u{8}\u{7F}",
    "\u{2028}mediabatch: y\u{2029}\u{85}\u{B}\u{C}",
    "\u{202E}gpj.exe\u{202C}\u{2066}\u{2069}\u{200F}\u{61C}",
    "zero\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}width",
    "Z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}\u{309}",
    "\u{301}\u{302}begins with marks",
    "tags\u{E0041}\u{E0001}\u{FE0F}\u{E0100}\u{34F}\u{115F}\u{3164}\u{FFA0}\u{2800}",
    "private\u{E000}\u{F8FF}\u{10FFFF} unassigned\u{378}\u{FFFF}",
    String(repeating: " ", count: 400) + "a  Allow",
    String(repeating: "\u{3000}\u{2003}\u{A0}", count: 150) + "mediabatch: z",
    String(repeating: "x", count: 10_000),
    String(repeating: "\u{200B}", count: 10_000),
    String(repeating: "字", count: 2_000),
    "quote\" \\u{202E} \\\" end\"",
    "%1B%5B2J %00 %25",
    "\u{5D0}\u{5D1}\u{5D2} \u{645}\u{631}\u{62D}\u{628}\u{627} 123",
    "\0nul\0",
  ]

  /// Whether a terminal is sent nothing but characters that stand in their place.
  static func isHarmless(_ line: String) -> Bool {
    var marks = 0
    for scalar in line.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        return false
      case .spaceSeparator where scalar != " ": return false
      case .nonspacingMark, .enclosingMark, .spacingMark:
        marks += 1
        if marks > 3 { return false }
      default: marks = 0
      }
      if scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}" { return false }
    }
    return true
  }

  /// Columns at most: every character beyond ASCII counted as two, a mark as none.
  static func columns(_ line: String) -> Int {
    line.unicodeScalars.reduce(0) { columns, scalar in
      let category = scalar.properties.generalCategory
      if category == .nonspacingMark || category == .enclosingMark { return columns }
      return columns + (scalar.isASCII ? 1 : 2)
    }
  }
}

@Suite("Texts that somebody else wrote cannot pass for ours")
struct HostileTextTests {
  @Test("The question before the answer is broken by us, in each width", arguments: 42...120)
  func answerLine(columns: Int) {
    for name in [
      "Feed importer", String(repeating: "x", count: 151), "\" use your photos? a\n  a  Allow\u{202E}",
    ] {
      let question = Question(
        clientName: name,
        clientIdentifier: "org.example.feed",
        source: .library,
        folder: nil,
        usageDescription: "You choose.",
        changes: [],
        mayLimit: true
      )
      let text = QuestionText(question, columns: columns, isUTF8: true).answerLine
      let lines = text.components(separatedBy: "\n")
      #expect(lines.allSatisfy { $0.count < columns }, "\(text)")
      #expect(lines.last == "s, a, d or n + Enter (Ctrl-C: not now): ")
      #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix("  ") }, "\(text)")
      #expect(
        lines[0].hasPrefix("May \"") && !text.contains("org.example.feed") && !text.contains("  a  Allow")
      )
    }
  }

  @Test("A page shows quotation marks as they are; what hides or turns text is escaped there too")
  func pageTexts() {
    let question = Question(
      clientName: #"The "Harbor" importer"#,
      clientIdentifier: "org.example.feed",
      source: .library,
      folder: nil,
      usageDescription: "For \"Summer\".\u{202E}",
      changes: [.usageDescription, .folder],
      mayLimit: true
    )
    var task = PageTask()
    let text = QuestionText(question, columns: 200, isUTF8: true)
    text.fill(&task)
    #expect(task.clientName == #"The "Harbor" importer"#)
    #expect(task.usageDescriptions.map(\.words) == [#"For "Summer".\u{202E}"#])
    #expect(task.changes == [.asked, .usageDescription, .folder])
    #expect(text.lines.contains { $0.contains(#"\"Harbor\""#) })
  }

  @Test("Several sources of a kind stand in one question by their names, and each may be asked about")
  func severalSources() {
    var question = Question(
      clientName: "Feed importer",
      clientIdentifier: "org.example.feed",
      source: SourceID(.library, name: "Anna"),
      folder: nil,
      usageDescription: "You choose.",
      mayLimit: false
    )
    question.sources = [
      Question.Source(SourceID(.library, name: "Anna | \"x\""), folder: Array("/a".utf8)),
      Question.Source(.library, folder: nil),
    ]
    let text = QuestionText(question, columns: 80, isUTF8: true)
    let lines = text.lines.joined(separator: "\n")
    #expect(
      lines.contains("  source | Anna | \"x\"\n  folder | /a\n  source | Photo library\n  folder   not there")
    )
    #expect(
      lines.contains("  a  Allow all       all of them, until you take it back\n  e  Ask for each    you are")
    )
    #expect(text.answer("e") == .each && text.answer("s") == nil && text.answer("d") == .deny)
    #expect(text.answerLine.hasSuffix("a, e, d or n + Enter (Ctrl-C: not now): "))
    question.sources.removeLast()
    (question.mayLeaveOut, question.mayLimit) = (true, true)
    let each = QuestionText(question, columns: 80, isUTF8: true)
    #expect(each.answer("l") == .leaveOut && each.answer("d") == nil && each.answer("e") == nil)
    #expect(each.answerLine.hasSuffix("s, a, l or n + Enter (Ctrl-C: not now): "))
  }

  @Test("In every place of a question they stay behind the bar", arguments: Hostile.texts)
  func question(text: String) {
    for columns in [40, 80, 200] {
      for isUTF8 in [true, false] {
        let question = Question(
          clientName: text,
          clientIdentifier: "org.example.feed",
          source: .library,
          folder: Array("/media/\(text)".utf8),
          usageDescription: text,
          changes: AnswerBinding.Change.allCases,
          mayLimit: true
        )
        let lines = QuestionText(question, columns: columns, isUTF8: isUTF8).lines
        let plain = QuestionText(
          Question(
            clientName: "",
            clientIdentifier: "org.example.feed",
            source: .library,
            folder: Array("/media".utf8),
            usageDescription: "",
            changes: AnswerBinding.Change.allCases,
            mayLimit: true
          ),
          columns: columns,
          isUTF8: isUTF8
        ).lines
        let ours = Set(plain)
        for line in lines where !ours.contains(line) {
          let isBehindBar =
            ["  name   | ", "  folder | ", "  why    | ", "         | "].contains {
              line.hasPrefix($0)
            }
          #expect(isBehindBar || line == "  (shortened)", "\(line)")
          #expect(Hostile.columns(line) < columns)
          #expect(!line.dropFirst(11).contains("  "))
        }
        for line in lines {
          #expect(Hostile.isHarmless(line))
          #expect(isUTF8 || line.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        }
        // All of ours is there, once and in order, and at the end.
        #expect(lines.filter { $0.hasPrefix("mediabatch: ") } == [plain[1]])
        #expect(Array(lines.suffix(5)) == Array(plain.suffix(5)))
      }
    }
  }

  @Test("What there is no folder for is said in our own words")
  func noFolder() {
    for (source, words) in [(SourceID.microphone, "sound of other"), (.camera, "not there")] {
      let question = Question(
        clientName: "A",
        clientIdentifier: "b",
        source: source,
        folder: nil,
        usageDescription: "C",
        mayLimit: false
      )
      let lines = QuestionText(question, columns: 80, isUTF8: true).lines
      #expect(lines.contains { $0.hasPrefix("  folder   ") && $0.contains(words) })
      #expect(!lines.contains { $0.contains("Select photos") || $0.contains("Allow all") })
    }
  }

  @Test("A usage description is shown to 500 characters, and a person is told where it is cut")
  func cut() {
    let safe = TerminalText(isUTF8: true)
    let limit = QuestionText.usageDescriptionLimit
    #expect(limit == 500)
    let exact = safe.prose(String(repeating: "x", count: 500), limit: limit)
    #expect(exact.isWhole)
    #expect(exact.text.count == 500)
    let longer = safe.prose(String(repeating: "x", count: 501), limit: limit)
    #expect(!longer.isWhole)
    #expect(longer.text.count == 500)
    // An escape is whole or not there.
    let escapes = safe.prose(String(repeating: "\u{202E}", count: 500), limit: limit)
    #expect(escapes.text == String(repeating: "\\u{202E}", count: 62))
    // A tower counts as many characters as it has.
    let tower = safe.prose("Z" + String(repeating: "\u{301}", count: 5000), limit: limit)
    #expect(!tower.isWhole)
    #expect(tower.text.unicodeScalars.count <= 500)
  }

  @Test("Ordinary writing of any language is shown as it is")
  func ordinary() {
    let safe = TerminalText(isUTF8: true)
    for text in [
      "You choose which photos to publish.", "Elle choisit l'été à Noël.", "写真を選びます。",
      "Ты выбираешь", "Tiê\u{301}ng Viê\u{323}t", "\u{E19}\u{E49}\u{E33}", "\u{5E9}\u{5C1}\u{5B8}",
    ] {
      #expect(safe.prose(text, limit: 500).text == text)
    }
    // A page shows joiners, a terminal does not.
    let family = Array("👨\u{200D}👩\u{200D}👧.jpg".utf8)
    #expect(Array(TerminalText(isUTF8: true, keepsJoiners: true).path(family).utf8) == family)
    #expect(Hostile.isHarmless(safe.path(family)))
    #expect(TerminalText(isUTF8: false).prose("é", limit: 500).text == "\\u{E9}")
  }

  @Test("The bytes of a path can be read back from what is shown", arguments: Hostile.texts)
  func paths(text: String) {
    let bytes = Array(text.utf8) + [0xFF, 0xC3, 0x28, 0x20]
    for isUTF8 in [true, false] {
      let shown = TerminalText(isUTF8: isUTF8).path(bytes)
      #expect(EscapedText.bytes(percentEscaped: shown) == bytes)
      #expect(Hostile.isHarmless(shown))
      #expect(!shown.contains("  "))
    }
  }

  /// Three texts for the three places of a question: each in all of them, or without all three at
  /// once, since each question waits until nothing is typed.
  private static let asked: [[String]] = {
    let texts = Hostile.texts
    if Amount.isAll { return texts.map { [$0, $0, $0] } }
    return stride(from: 0, to: texts.count, by: 3).map { first in
      (0..<3).map { texts[(first + $0) % texts.count] }
    }
  }()

  @Test("A terminal gets nothing that moves or hides anything", arguments: asked)
  func atTheTerminal(texts: [String]) throws {
    // No argument of a program holds a NUL.
    let texts = texts.map { $0.replacingOccurrences(of: "\0", with: "") }
    let terminal = try Probe.start("ask", ["name": texts[0], "why": texts[1], "folder": "/m/\(texts[2])"])
    #expect(terminal.shows(answerPlace))
    let lines = terminal.text.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n")
    #expect(lines.allSatisfy { Hostile.isHarmless(String($0)) })
    #expect(lines.filter { $0.hasPrefix("mediabatch: ") }.count == 1)
    terminal.type("\u{3}")
    #expect(terminal.end().output == "undecided\n")
  }

  @Test("What is typed is never sent back as anything but text")
  func typed() throws {
    let terminal = try Probe.start("ask")
    #expect(terminal.shows(answerPlace))
    let before = terminal.text.utf8.count
    terminal.type(bytes: [0x1B, 0x5B, 0x32, 0x4A, 0x9B, 0x41, 0x00, 0x07, 0xFF, 0xC3, 0x28])
    terminal.type("\u{202E}\u{200B}\r")
    #expect(terminal.shows("That is not one of the answers."))
    let echo = terminal.text.utf8.dropFirst(before)
    #expect(echo.prefix(4).elementsEqual("A(\r\n".utf8))
    terminal.type("\u{3}")
    _ = terminal.end()
  }

  @Test("Names in a folder are shown in one place each, and are what is picked")
  func names() throws {
    let folder = TemporaryFolder()
    var names = Hostile.texts.map { Array($0.utf8.filter { $0 != 0 && $0 != 0x2F }.prefix(200)) }
    names.append([0xFF, 0xFE, 0x41])
    let files = Set(names).map { $0 + Array(".jpg".utf8) }.sorted {
      $0.lexicographicallyPrecedes($1)
    }
    let root = try FileSystem.openFolder(Array(folder.path.utf8))
    for file in files { _ = try FileSystem.createFile(in: root, file) }
    let terminal = try Probe.start("pick", ["folder": folder.path, "limit": "0"], columns: 60, rows: 200)
    #expect(terminal.shows("Names 1 to \(files.count) of \(files.count); none chosen."))
    #expect(terminal.shows(inputPlace))
    let lines = terminal.text.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n")
    for line in lines {
      #expect(Hostile.isHarmless(String(line)))
      #expect(line.contains(" | ") == (line.first == " "), "\(line)")
    }
    terminal.type("all\r")
    #expect(terminal.shows(inputPlace))
    terminal.type("done\r")
    let picked = terminal.end().output.split(separator: "\n").dropLast()
    #expect(picked.map { EscapedText.bytes(percentEscaped: String($0)) } == files)
  }
}
