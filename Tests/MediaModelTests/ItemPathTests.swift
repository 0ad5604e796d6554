import MediaModel
import Testing

@Suite("Item path")
struct ItemPathTests {
  private func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

  @Test(
    "Folder, name and stem",
    arguments: [
      ("a.jpg", "", "a.jpg", "a"), ("d/a.jpg", "d", "a.jpg", "a"), ("d/e/a", "d/e", "a", "a"),
      (".hidden", "", ".hidden", ".hidden"), ("d/.hidden.jpg", "d", ".hidden.jpg", ".hidden"),
      ("a.b.c", "", "a.b.c", "a.b"), ("d.x/a", "d.x", "a", "a"), ("a.", "", "a.", "a"),
      ("..a", "", "..a", "."),
    ]
  )
  func parts(_ whole: String, _ folder: String, _ name: String, _ stem: String) {
    let path = path(whole)
    #expect(Array(path.folder) == Array(folder.utf8))
    #expect(Array(path.name) == Array(name.utf8))
    #expect(Array(path.stem) == Array(stem.utf8))
  }

  @Test("Paths compare by bytes: twins under Unicode are two, and order is the bytes' own")
  func bytes() {
    let composed = path("caf\u{E9}")
    let decomposed = path("cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    let sorted = [path("b"), path("a/b"), path("a"), path("a-b"), path("B")].sorted()
    #expect(sorted == [path("B"), path("a"), path("a-b"), path("a/b"), path("b")])
  }

  @Test("A name is put behind its folder; the source itself has no name")
  func appending() {
    #expect(path("").appending(Array("a".utf8)) == path("a"))
    #expect(path("d").appending([0xFF]).bytes == Array("d/".utf8) + [0xFF])
  }

  @Test("Its text gives its bytes again")
  func text() {
    let path = ItemPath(bytes: Array(UInt8(1)...UInt8(255)))
    #expect(EscapedText.bytes(percentEscaped: path.text) == path.bytes)
  }

  @Test("A name is cut between characters, and where its bytes are no text anywhere")
  func prefix() {
    for (name, length, expected) in [
      ("aé", 3, "aé"), ("aé", 2, "a"), ("aé", 1, "a"), ("a\u{1F600}b", 4, "a"),
      ("a\u{1F600}b", 5, "a\u{1F600}"), ("é", 1, ""), ("", 0, ""), ("ab", 9, "ab"),
    ] {
      #expect(Array(ItemPath.prefix(of: Array(name.utf8), length: length)) == Array(expected.utf8))
    }
    let bytes = [UInt8](repeating: 0xBF, count: 9)
    #expect(ItemPath.prefix(of: bytes, length: 6).count == 6)
    #expect(ItemPath.prefix(of: [0xC3] + bytes, length: 6).count == 6)
  }
}
