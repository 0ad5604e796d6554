import MediaModel
import Testing

@Suite("Escaped text")
struct EscapedTextTests {
  @Test("Every pair of bytes is found again behind its escaped form, which differs from all others")
  func everyPairOfBytes() {
    var texts: Set<[UInt8]> = []
    var lost: [[UInt8]] = []
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let text = EscapedText.percentEscaped([first, second])
        if EscapedText.bytes(percentEscaped: text) != [first, second] {
          lost.append([first, second])
        }
        texts.insert([UInt8](text.utf8))
      }
    }
    #expect(lost.isEmpty)
    #expect(texts.count == 65_536)
  }

  @Test("A percent sign before any two bytes is found again")
  func everyPercentSequence() {
    let interesting = Array("0189aAfFgG%/ ~".utf8) + [0x00, 0x7F, 0x80, 0xC3, 0xFF]
    var lost: [[UInt8]] = []
    for first in interesting {
      for second in interesting {
        for third in interesting {
          let bytes = [UInt8(ascii: "%"), first, second, third]
          let decoded = EscapedText.bytes(percentEscaped: EscapedText.percentEscaped(bytes))
          if decoded != bytes { lost.append(bytes) }
        }
      }
    }
    #expect(lost.isEmpty)
  }

  @Test(
    "Hostile names are found again and show nothing but printable characters",
    arguments: [
      "\u{1B}[31mred\u{1B}[0m", "new\nline", "carriage\rreturn", "\u{202E}gpj.exe", "\u{FEFF}bom",
      "%41", "%", "%%41", "100%", "e\u{301}", "\u{E9}", "\u{200D}", "\u{2028}", "\u{E000}",
      "\u{10FFFF}", "👨‍👩‍👧", "", "-rf", "msl:x.jpg", "x.jpg[0]", "\u{0}",
    ]
  )
  func hostileNames(_ name: String) {
    let bytes = Array(name.utf8)
    let text = EscapedText.percentEscaped(bytes)
    #expect(EscapedText.bytes(percentEscaped: text) == bytes)
    #expect(text.unicodeScalars.allSatisfy(EscapedText.isPrintable))
    #expect(EscapedText.printable(name).unicodeScalars.allSatisfy(EscapedText.isPrintable))
  }

  @Test(
    "A joiner stays where it joins, and is escaped where it only hides",
    arguments: [
      ("👨\u{200D}👩\u{200D}👧\u{200D}👦 family", true), ("🏳\u{FE0F}\u{200D}🌈", true),
      ("👩🏽\u{200D}⚕\u{FE0F}", true), ("عکس\u{200C}ها", true), ("iPhone\u{200C}ها", true),
      ("क\u{94D}\u{200D}ष", true), ("र\u{94D}\u{200D}", true), ("ශ\u{DCA}\u{200D}රී", true),
      ("photo\u{200D}.jpg", false), ("\u{200C}عکس", false), ("a\u{200C}b", false),
      ("é\u{200D}", false), ("א\u{200B}ב", false), ("א\u{2066}ב", false),
    ]
  )
  func joiners(_ name: String, _ stays: Bool) {
    let text = EscapedText.percentEscaped(Array(name.utf8), keepsJoiners: true)
    #expect(Array(text.utf8).elementsEqual(name.utf8) == stays)
    #expect(EscapedText.bytes(percentEscaped: text) == Array(name.utf8))
    let printed = EscapedText.printable(name, keepsJoiners: true)
    #expect(Array(printed.utf8).elementsEqual(name.utf8) == stays)
    // Terminals and the log get none.
    for text in [EscapedText.percentEscaped(Array(name.utf8)), EscapedText.printable(name)] {
      #expect(text.unicodeScalars.allSatisfy(EscapedText.isPrintable))
    }
  }

  @Test(
    "A name keeps each % that it has, and shows bytes that are no text as %XX",
    arguments: [
      ("100%25", "100%25"), ("Caesarea%20bay", "Caesarea%20bay"), ("50%", "50%"), ("a\nb%0A", "a%0Ab%0A"),
      ("عکس\u{200C}ها %41", "عکس\u{200C}ها %41"),
    ]
  )
  func percentInNames(_ name: String, _ shown: String) {
    #expect(Array(EscapedText.name(Array(name.utf8)).utf8) == Array(shown.utf8))
    #expect(EscapedText.name(Array("é%41".utf8) + [0xFF]) == "é%41%FF")
  }

  @Test("Of many joiners in a row those stay that stand beside a letter")
  func severalJoiners() {
    let name = "ن" + String(repeating: "\u{200C}", count: 9) + "ه"
    let text = EscapedText.percentEscaped(Array(name.utf8), keepsJoiners: true)
    #expect(text.unicodeScalars.count { $0.properties.isJoinControl } == 2)
    #expect(EscapedText.bytes(percentEscaped: text) == Array(name.utf8))
  }

  @Test(
    "Bytes that are no UTF-8 are written one by one",
    arguments: [
      ([0xC0, 0x80], "%C0%80"), ([0xED, 0xA0, 0x80], "%ED%A0%80"),
      (
        [0xF4, 0x90, 0x80, 0x80],
        "%F4%90%80%80"
      ), ([0xE2, 0x82], "%E2%82"), ([0x61, 0xFF], "a%FF"), ([0x80], "%80"),
      ([0xE0, 0x80, 0x80], "%E0%80%80"), ([0xF0, 0x80, 0x80, 0x80], "%F0%80%80%80"),
    ] as [([UInt8], String)]
  )
  func noUTF8(_ bytes: [UInt8], _ text: String) {
    #expect(EscapedText.percentEscaped(bytes) == text)
  }

  @Test("Two names that Unicode calls equal are two texts of different bytes")
  func twins() {
    let composed = EscapedText.percentEscaped(Array("caf\u{E9}".utf8))
    let decomposed = EscapedText.percentEscaped(Array("cafe\u{301}".utf8))
    #expect(Array(composed.utf8) != Array(decomposed.utf8))
  }

  @Test("Printable text is cut at the limit, with an ellipsis only when something is missing")
  func limit() {
    #expect(EscapedText.printable("abc", limit: 3) == "abc")
    #expect(EscapedText.printable("abcd", limit: 3) == "abc…")
    #expect(EscapedText.printable("", limit: 0) == "")
    #expect(EscapedText.printable("a", limit: 0) == "…")
    #expect(EscapedText.printable("a\nb\u{1B}c") == "a\\nb\\u{1B}c")
  }
}
