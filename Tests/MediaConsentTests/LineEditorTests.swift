import Testing

@testable import MediaConsent
@testable import MediaPicking

@Suite("A line that is typed")
struct LineEditorTests {
  private func events(_ bytes: [UInt8]) -> [LineEditor.Event] {
    var editor = LineEditor()
    return bytes.compactMap { editor.take($0).event }
  }

  @Test("Every byte that is typed alone is text, an end, or nothing")
  func everyByte() {
    for byte in UInt8.min...UInt8.max {
      let expected: [LineEditor.Event] =
        switch byte {
        case 0x03: [.interrupted, .line("")]
        case 0x04: [.ended, .line("")]
        case 0x0A, 0x0D: [.line(""), .line("")]
        case 0x20..<0x7F: [.line(String(Unicode.Scalar(byte)))]
        default: [.line("")]
        }
      // Escape swallows the next byte, so it gets one to swallow.
      #expect(events([byte] + (byte == 0x1B ? [0x78] : []) + [0x0A]) == expected)
    }
  }

  @Test("Ctrl-C counts wherever it comes")
  func interruption() {
    for start: [UInt8] in [
      [], [0x61], [0x1B], [0x1B, 0x5B], [0x1B, 0x5B, 0x31], [0xC3], [0xF0, 0x9F],
    ] {
      #expect(events(start + [0x03]) == [.interrupted])
      #expect(events(start + [0x04]) == [.ended])
    }
  }

  @Test("Text beyond ASCII comes whole, and what is no UTF-8 does not come")
  func unicode() {
    #expect(events(Array("été 写真\n".utf8)) == [.line("été 写真")])
    #expect(events([0xC3, 0x28, 0xFF, 0xE2, 0x82, 0x41, 0x0A]) == [.line("(A")])
    #expect(events(Array("é\u{7F}\u{7F}b\n".utf8)) == [.line("b")])
    #expect(events(Array("abc\u{15}d\n".utf8)) == [.line("d")])
  }

  @Test("A line is at most 1,000 bytes, whatever comes")
  func longLine() {
    let line = events([UInt8](repeating: 0x61, count: 100_000) + [0x0A])
    #expect(line == [.line(String(repeating: "a", count: 1000))])
  }
}

@Suite("What a person types at a picker")
struct PickInputTests {
  @Test("Numbers and ranges choose, with a minus they take back")
  func numbers() {
    #expect(
      PickInput("3 7-9,-2  -4-5")
        == .numbers([
          .init(range: 3...3, takesBack: false), .init(range: 7...9, takesBack: false),
          .init(range: 2...2, takesBack: true), .init(range: 4...5, takesBack: true),
        ])
    )
  }

  @Test(
    "What is neither a number nor a word is unknown",
    arguments: [
      "x", "0", "3-", "-", "--3", "9-7", "1 x", "1-2-3", ",", "٣", "1.5", "1234567", "n n",
    ]
  )
  func unknown(line: String) {
    #expect(PickInput(line) == .unknown)
  }

  @Test("Words and filters")
  func words() {
    let expected: [(String, PickInput)] = [
      ("", .show), ("  ", .show), ("n", .next), ("P", .previous), ("done", .done), ("q", .cancel),
      ("all", .all), ("none", .none), ("/", .filter("")), (" /a b ", .filter("a b ")),
    ]
    for (line, input) in expected { #expect(PickInput(line) == input) }
  }
}
