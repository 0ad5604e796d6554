import MediaManifest
import Testing

@Suite("The SHA-256 of files in a manifest's text")
struct ManifestPinsTests {
  private static let zero = String(repeating: "0", count: 64)
  private static let one = String(repeating: "1", count: 64)

  private static let text = """
    {\r
      "version": 1, "client": { "identifier": "a", "name": "Ä \\"labels\\": {" },
      "places":{"data":"citi\\u0065s.txt"},
      "sources": { "camera": { "path": "DCIM" } },
      "labels": { "file": { "sha256": "\(zero)", "file": "a}.csv" } , "ask": false },
      "infoPlist" : "Info \\" {.plist", "output": { "path": "Library" }
    }

    """

  @Test("Each is named with its SHA-256, and all else of the text stays")
  func pins() throws {
    let manifest = try #require(ManifestReader.read(Array(Self.text.utf8)).manifest)
    let files = manifest.decidingFiles.map { file in
      var file = file
      file.sha256 = Self.one
      return file
    }
    #expect(files.map(\.key) == ["$.infoPlist", "$.labels.file", "$.places.data"])
    let pinned = ManifestPins.adding(files, to: Array(Self.text.utf8))
    func object(_ file: String) -> String { "{ \"file\": \(file), \"sha256\": \"\(Self.one)\" }" }
    let expected = Self.text
      .replacing("{ \"sha256\": \"\(Self.zero)\", \"file\": \"a}.csv\" }", with: object("\"a}.csv\""))
      .replacing("\"citi\\u0065s.txt\"", with: object("\"cities.txt\""))
      .replacing("\"Info \\\" {.plist\"", with: object("\"Info \\\" {.plist\""))
    #expect(String(decoding: pinned, as: UTF8.self) == expected)
    let again = try #require(ManifestReader.read(pinned).manifest)
    #expect(again.decidingFiles == files)
    #expect(ManifestPins.adding(files, to: pinned) == pinned)
    #expect(ManifestPins.adding([], to: pinned) == pinned)
  }
}
