import MediaModel
import MediaPipeline
import Testing

@Suite("Places in the photo library")
struct PlaceTests {
  @Test(
    "A number stands behind the name and before its extension",
    arguments: [
      ("IMG_1.HEIC", 1, "2026/2026-11-21/IMG_1.HEIC"),
      ("IMG_1.HEIC", 2, "2026/2026-11-21/IMG_1 (2).HEIC"),
      ("IMG.1.HEIC", 3, "2026/2026-11-21/IMG.1 (3).HEIC"),
      ("photo", 2, "2026/2026-11-21/photo (2)"),
      (".heic", 2, "2026/2026-11-21/.heic (2)"),
    ]
  )
  func numbers(name: String, number: Int, path: String) {
    let result = PhotoLibraryFolder.path(of: Array(name.utf8), on: "2026-11-21", number: number)
    #expect(result.text == path)
  }

  @Test("A name stays within 255 bytes, and keeps bytes that are no text")
  func longNames() {
    let long = [UInt8](repeating: 0xE9, count: 250) + Array(".jpg".utf8)
    let path = PhotoLibraryFolder.path(of: long, on: "2026-11-21", number: 12)
    let name = Array(path.name)
    #expect(name.count == 255)
    #expect(name.starts(with: [0xE9, 0xE9]))
    #expect(name.suffix(9) == Array(" (12).jpg".utf8)[...])
  }

  @Test("A long name is cut between two characters", arguments: ["é", "写", "📷"])
  func longNamesOfCharacters(character: String) throws {
    for lead in ["", "a", "ab", "abc"] {
      let count = (250 - lead.utf8.count) / character.utf8.count
      let long = lead + String(repeating: character, count: count)
      let path = PhotoLibraryFolder.path(of: Array((long + ".jpg").utf8), on: "2026-11-21", number: 12)
      let name = try #require(String(validating: path.name, as: UTF8.self))
      let kept = (246 - lead.utf8.count) / character.utf8.count
      #expect(name == lead + String(repeating: character, count: kept) + " (12).jpg")
    }
  }
}
