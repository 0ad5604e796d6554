import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("Base64")
struct Base64Tests {
  @Test("Base64 is what RFC 4648 says, in both directions")
  func vectors() {
    for (text, coded) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ] {
      #expect(Base64.encoded(Array(text.utf8)) == Array(coded.utf8))
      #expect(Base64.bytes(coded) == Array(text.utf8))
    }
    #expect(Base64.text([0xFB, 0xFF]) == "+/8=")
  }

  @Test("Foundation writes and reads the same")
  func foundation() {
    var generator = SeededGenerator(seed: 4648)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let text = Data(bytes).base64EncodedString()
      #expect(Base64.text(bytes) == text && Base64.bytes(text) == bytes)
    }
  }

  @Test(
    "A text that is no Base64 has no bytes",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zm9v=", "Zm=v", "Zm9-", "Zm9_", "Zm9v\n",
      " Zm9", "Zm9\u{e9}", "Zm8=Zm8=",
    ]
  )
  func malformed(_ text: String) {
    #expect(Base64.bytes(text) == nil)
  }
}
