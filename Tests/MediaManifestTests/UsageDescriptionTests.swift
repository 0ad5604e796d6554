import MediaModel
import Testing

@testable import MediaManifest

@Suite("Usage descriptions by language")
struct UsageDescriptionTests {
  private static func reading(_ descriptions: String) -> ManifestReading {
    let json =
      "{\"version\":1,\"client\":{\"identifier\":\"a.b\"},\"output\":{\"path\":\"L\"},"
      + "\"usageDescriptions\":{\(descriptions)},\"sources\":{\"library\":{\"path\":\"p\"}}}"
    return ManifestReader.read(Array(json.utf8))
  }

  private static func manifest(_ descriptions: String) throws -> Manifest {
    let reading = reading(descriptions)
    return try #require(reading.manifest, "\(reading.issues.map(\.message))")
  }

  @Test("The texts are read in their order, of which the first is for who reads none of the languages")
  func order() throws {
    let manifest = try Self.manifest(
      #""NSCameraUsageDescription": {"ja": "理由", "en": "Why.", "zh-TW": "原因"}"#
    )
    let texts = try #require(manifest.usageDescriptions[.camera]?.texts)
    #expect(texts.map(\.language) == ["ja", "en", "zh-TW"])
    #expect(texts.text(for: ["de", "en-GB"])?.words == "Why.")
    #expect(texts.text(for: ["zh-Hant-HK"])?.words == "原因")
    #expect(texts.text(for: ["zh-CN"])?.words == "理由")
    #expect(texts.text(for: [])?.words == "理由")
  }

  @Test("A language that another description has and this one does not lead to is named")
  func missing() throws {
    let manifest = try Self.manifest(
      """
      "NSCameraUsageDescription": {"en": "a", "de": "b", "fr-CA": "c"},
      "NSMicrophoneUsageDescription": {"de-CH": "d", "fr": "e"},
      "NSPhotoLibraryUsageDescription": "f", "NSPhotoLibraryAddUsageDescription": 7
      """
    )
    let missing = manifest.missingLanguages.map {
      "\($0.key.rawValue): \($0.languages.joined(separator: " "))"
    }
    #expect(
      missing == [
        "NSCameraUsageDescription: fr", "NSPhotoLibraryUsageDescription: de en fr fr-CA",
        "NSMicrophoneUsageDescription: de en",
      ]
    )
    #expect(try Self.manifest(#""NSCameraUsageDescription": "a""#).missingLanguages.isEmpty)
  }

  @Test("More languages than a page takes are a mistake")
  func tooMany() {
    let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    let tags = letters.flatMap { first in letters.prefix(4).map { "\"\(first)\($0)\": \"x\"" } }
    for (count, isGood) in [(100, true), (101, false)] {
      let texts = tags.prefix(count).joined(separator: ", ")
      let manifest = Self.reading("\"NSCameraUsageDescription\": {\(texts)}").manifest
      #expect((manifest != nil) == isGood)
    }
  }

  @Test("Each language that has other words is named by its path in a comparison")
  func comparison() throws {
    let old = try Self.manifest(#""NSCameraUsageDescription": {"en": "a", "de": "b", "fr": "c"}"#)
    let new = try Self.manifest(#""NSCameraUsageDescription": {"en": "a", "pt-BR": "d", "de": "B"}"#)
    func side(_ manifest: Manifest) -> ManifestComparison.Side { .init(manifest: manifest, folder: []) }
    func changes(_ old: Manifest, _ new: Manifest) -> [String] {
      ManifestKeys.comparison(old: side(old), new: side(new)).widenings.map {
        "\($0.path.dropFirst("$.usageDescriptions.NSCameraUsageDescription".count)) \($0.old ?? "-") \($0.new ?? "-")"
      }
    }
    #expect(changes(old, new) == [".pt-BR - \"d\"", ".de \"b\" \"B\"", ".fr \"c\" -"])
    // A text that gets the language that it was in is told as before.
    let plain = try Self.manifest(#""NSCameraUsageDescription": "a""#)
    #expect(changes(plain, old) == [".de - \"b\"", ".fr - \"c\""])
  }

  @Test("What an Info.plist has in a language is the same as here, or is added")
  func merging() throws {
    let own = UsageDescription([LocalizedText("a", in: "en"), LocalizedText("b", in: "de")])
    func merged(_ texts: [LocalizedText]) -> String {
      let (merged, differing) = own.merging(UsageDescription(texts))
      return merged.json + " " + differing.map { $0.language ?? "-" }.joined(separator: ",")
    }
    #expect(
      merged([LocalizedText("a"), LocalizedText("c", in: "fr")]) == #"{"en": "a", "de": "b", "fr": "c"} "#
    )
    #expect(merged([LocalizedText("b", in: "DE")]) == #"{"en": "a", "de": "b"} "#)
    #expect(merged([LocalizedText("x"), LocalizedText("y", in: "de")]) == #"{"en": "a", "de": "b"} -,de"#)
    let plain = UsageDescription.text("a").merging(own)
    #expect(plain.merged == own && plain.differing == [])
    #expect(own.merging(.notAString).differing.count == 1)
  }
}
