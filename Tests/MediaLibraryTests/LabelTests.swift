import Foundation
import MediaLibrary
import MediaModel
import Testing

@Suite("Label")
struct LabelTests {
  @Test(
    "What a label becomes",
    arguments: [
      ("Harbour at dawn", "Harbour at dawn"), ("a/b", "a-b"), ("../../etc", "-..-etc"),
      ("/", "-"), (".hidden", "hidden"), ("...", "untitled"), ("", "untitled"),
      ("  . .x", "x"), ("x  ", "x"), ("a\nb\u{0}c\u{1B}d", "abcd"), ("\u{202E}gpj", "gpj"),
      ("\u{FEFF}", "untitled"), ("\u{2028}", "untitled"), ("\u{E000}a", "a"), ("-rf", "-rf"),
      ("msl:x", "msl:x"), ("x[0]", "x[0]"), ("\u{1B}.x", "x"), ("a.", "a."), ("\u{A0}a", "a"),
    ]
  )
  func table(_ raw: String, _ label: String) {
    #expect(Array(Label(raw).text.utf8) == Array(label.utf8))
  }

  @Test("Twins under Unicode give one label, in NFC")
  func normalized() {
    #expect(Array(Label("cafe\u{301}").text.utf8) == Array("caf\u{E9}".utf8))
    #expect(Array(Label("caf\u{E9}").text.utf8) == Array("caf\u{E9}".utf8))
    // What is dropped stood between a letter and its accent.
    #expect(Array(Label("e\u{7}\u{301}").text.utf8) == Array("\u{E9}".utf8))
    #expect(Array(Label("\u{212B}").text.utf8) == Array("\u{C5}".utf8))
  }

  @Test(
    "At most 200 bytes, cut at a character and nowhere else",
    arguments: ["a", "é", "日", "🏔️", "👨‍👩‍👧‍👦", "e\u{323}\u{302}"],
    Array(190...210)
  )
  func cut(_ character: String, _ count: Int) {
    let normal = character.precomposedStringWithCanonicalMapping
    let label = Label(String(repeating: character, count: count)).text
    let fitting = min(count, 200 / normal.utf8.count)
    #expect(label == String(repeating: normal, count: fitting))
    #expect(label.utf8.count <= 200)
  }

  @Test("A space where the text is cut does not stay")
  func cutAtSpace() {
    let text = String(repeating: "a", count: 199) + "  bbb"
    #expect(Label(text).text == String(repeating: "a", count: 199))
  }

  @Test("Of any character, whatever stays obeys every rule, alone and between others")
  func everyCharacter() {
    for value in UInt32(0)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in [String(scalar), "a\(scalar)b"] {
        let label = Label(text).text
        let isSafe =
          !label.isEmpty && !label.hasPrefix(".") && !label.utf8.contains(UInt8(ascii: "/"))
          && label.utf8.count <= 200
          && label.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control && $0.value != 0
          }
        if !isSafe { Issue.record("U+\(String(value, radix: 16)) gives \(Array(label.utf8))") }
      }
    }
  }

  @Test("A label made safe is safe: making it again changes nothing")
  func again() {
    for raw in ["a/b ", ". x", "e\u{7}\u{301}", String(repeating: "日本", count: 99), "👨‍👩‍👧 "] {
      let once = Label(raw).text
      #expect(Array(Label(once).text.utf8) == Array(once.utf8))
    }
  }

  @Test("Each role has its file name", arguments: ResourceRole.allCases)
  func fileNames(_ role: ResourceRole) {
    let name = Label("x").fileName(role: role, fileExtension: "jpg")
    let isPlain = [.photo, .video, .audio, .pairedVideo].contains(role)
    #expect(name == (isPlain ? "x.jpg" : "x (\(role.rawValue)).jpg"))
    let long = Label(String(repeating: "日", count: 99)).fileName(role: role, fileExtension: "jpeg")
    #expect(long.utf8.count <= 255)
  }
}
