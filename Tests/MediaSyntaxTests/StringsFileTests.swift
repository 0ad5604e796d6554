import MediaTestSupport
import Testing

@testable import MediaSyntax

@Suite("Files of localized strings")
struct StringsFileTests {
  /// What a file says, `key=words` between bars, then the places of what is wrong with it.
  private static func read(_ bytes: [UInt8]) -> String {
    let (reading, text) = StringsFile.read(bytes)
    let members = reading.members.map { member in
      if case .string(let words) = member.value { return "\(member.key)=\(words)" }
      return "\(member.key): \(member.value.kind)"
    }
    let issues = PropertyListIssue.positioned(reading.issues, in: text).map {
      " \($0.position.line):\($0.position.column) \($0.code.rawValue)"
    }
    return members.joined(separator: "|") + issues.joined()
  }

  private static func read(_ text: String) -> String { read(Array(text.utf8)) }

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    let bytes = ("\u{FEFF}" + text).utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    if isBigEndian { return bytes }
    return stride(from: 0, to: bytes.count, by: 2).flatMap { [bytes[$0 + 1], bytes[$0]] }
  }

  @Test("Keys and texts are read with comments, words without quotation marks, and escapes")
  func notation() {
    let text = """
      /* For the "camera"; */
      "NSCameraUsageDescription" = "Line 1\\nLine 2 \\"x\\" \\U00e9\\Ud83d\\Ude00\\101\\\\ /* kept */";
      // Nothing
      NSKey.a-b/c = 'It\\'s "so"' ; word;
      """
    #expect(
      Self.read(text)
        == "NSCameraUsageDescription=Line 1\nLine 2 \"x\" é😀A\\ /* kept */|NSKey.a-b/c=It's \"so\"|word=word"
    )
    #expect(Self.read("{ a = b; }") == "a=b")
    #expect(Self.read("") == "" && Self.read(" // only a comment") == "")
  }

  @Test("UTF-8, UTF-16 of both orders, and property lists say the same")
  func encodings() throws {
    let text = "\"a\" = \"日本語 😀\";"
    let plist = "<plist version=\"1.0\"><dict><key>a</key><string>日本語 😀</string></dict></plist>"
    for bytes in [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), Self.utf16(text, isBigEndian: true),
      Self.utf16(text, isBigEndian: false), Array(plist.utf8),
    ] {
      #expect(Self.read(bytes) == "a=日本語 😀")
    }
    // What plutil would write of it, with one text.
    var binary = Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0x51, 0x62, 8, 11, 13]
    binary += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 8)
    binary += [0, 0, 0, 0, 0, 0, 0, 15]
    #expect(Self.read(binary) == "a=b")
  }

  @Test(
    "What is no such file is refused with its place",
    arguments: [
      ("\"a\" = \"b\"", " 1:10 syntax"), ("\"a\" = \"b", " 1:7 syntax"), ("\"a\"", " 1:4 syntax"),
      ("a = b;\n/* no end", "a=b 2:1 comment"), ("a = <00>;", " 1:5 syntax"), ("a = (b);", " 1:5 syntax"),
      ("= b;", " 1:1 syntax"), ("{ a = b; } c", "a=b 1:12 syntax"), ("{ a = b;", "a=b 1:9 syntax"),
      ("a = b;\n \"a\" = c;", "a=b|a=c 2:2 duplicateKey"), ("a = \"\\q\";", " 1:6 badEscape"),
      ("a = \"\\777\";", " 1:6 badEscape"), ("a = \"\\U\";", " 1:6 badEscape"),
      ("a = \"\\Ud83d\";", " 1:6 loneSurrogate"), ("a = \"\\0\";", " 1:6 nul"), ("a = \"\\", " 1:7 syntax"),
      ("<plist><array/></plist>", " 1:8 wrongType"),
    ]
  )
  func mistakes(text: String, expected: String) {
    #expect(Self.read(text) == expected)
  }

  @Test("Bytes of no encoding that is known are refused")
  func bytes() {
    #expect(Self.read([0x61, 0xFF]) == " 1:1 invalidUTF8")
    #expect(Self.read([0xFF, 0xFE, 0x00, 0xD8]) == " 1:1 loneSurrogate")
    #expect(Self.read([0xFF, 0xFE, 0x61]) == " 1:1 invalidUTF8")
    let withoutMark = Array(Self.utf16("a = b;", isBigEndian: false).dropFirst(2))
    #expect(Self.read(withoutMark) == " 1:1 nul")
  }

  @Test("Damage anywhere ends in a result, in time that grows with the file")
  func damage() {
    var random = SeededGenerator()
    let seed = Array("/* c */ \"a\" = \"b\\n\\U00e9\\Ud83d\\Ude00\\101\"; // x\n{ NSKey.x = 'é'; k; }".utf8)
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...5, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(Array("\"\\;/*U{}".utf8).randomElement(using: &random) ?? 0, at: index)
        }
      }
      for bytes in [bytes, [0xFF, 0xFE] + bytes, Array("bplist00".utf8) + bytes] { _ = Self.read(bytes) }
    }
    for count in 0...seed.count { _ = Self.read(Array(seed[..<count])) }
    for part in ["/*", "\\\"", "a=b;", "\"", "{", "//\n"] {
      _ = Self.read("\"" + String(repeating: part, count: 200_000))
      _ = Self.read(String(repeating: part, count: 200_000))
    }
  }
}
