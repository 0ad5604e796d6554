import Foundation
import MediaModel
import Testing

@testable import MediaLibrary

/// The table of names in `docs/dates-and-sidecars.md`. `RECORD_SNAPSHOTS=1` writes it and still fails.
@Suite("The table of names")
struct FileNameTableTests {
  @Test("Each shape is read as its example says")
  func shapes() {
    for row in FileNameTable.rows {
      for shape in row.shapes {
        let example = FileNameTable.example(of: shape)
        #expect(!example.utf8.contains(UInt8(ascii: "{")), "\(shape)")
        let date = FileNameDate.date(of: Array((example + ".jpg").utf8))
        let isSince1970 = shape.contains("{s}") || shape.contains("{ms}")
        let expected = "2019-07-04" + (isSince1970 || shape.contains("{T") ? "T10:15:30" : "")
        #expect(date?.local == expected, "\(example)")
        #expect(date?.offsetMinutes == (isSince1970 ? 0 : nil), "\(example)")
      }
    }
  }

  @Test("Each word begins the names of its kind, in either case, composed and decomposed")
  func words() {
    #expect(FileNameTable.words.count >= 20)
    for words in FileNameTable.words {
      for word in words.screenshots + words.recordings {
        let isScreenshot = words.screenshots.contains(word)
        for form in [word, word.capitalized, word.decomposedStringWithCanonicalMapping] {
          let name = Array("\(form) 2023-07-04 10.15.30.png".utf8)
          #expect(FileNameDate.date(of: name)?.local == "2023-07-04T10:15:30", "\(form)")
          #expect(FileNameFacts(name).isScreenshot == isScreenshot, "\(form)")
        }
      }
    }
  }

  @Test("docs/dates-and-sidecars.md has the table of the code")
  func document() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/dates-and-sidecars.md")
    let committed = try String(contentsOf: url, encoding: .utf8)
    var text = committed
    func code(_ texts: [String]) -> String { texts.map { "`\($0)`" }.joined(separator: ", ") }
    let shapes = FileNameTable.rows.map { row in
      "| \(code(row.shapes.map(FileNameTable.example(of:)))) | \(row.programs) |"
    }
    let words = FileNameTable.words.map {
      "| \($0.language) | \(code($0.screenshots)) | \(code($0.recordings)) |"
    }
    let tables = [
      ("name-shapes", ["| shape | of |", "|---|---|"] + shapes),
      ("screenshot-words", ["| language | screenshots | recordings |", "|---|---|---|"] + words),
    ]
    for (name, lines) in tables {
      let start = try #require(text.range(of: "<!-- \(name) -->\n")).upperBound
      let end = try #require(text.range(of: "<!-- end -->", range: start..<text.endIndex))
      text.replaceSubrange(start..<end.lowerBound, with: lines.joined(separator: "\n") + "\n")
    }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try text.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("docs/dates-and-sidecars.md was written")
    } else {
      #expect(committed == text, "RECORD_SNAPSHOTS=1 writes docs/dates-and-sidecars.md anew")
    }
  }
}
