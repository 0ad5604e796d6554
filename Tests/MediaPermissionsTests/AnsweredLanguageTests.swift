import MediaManifest
import MediaModel
import Testing

@testable import MediaPermissions

@Suite("Answers to a text in a language")
struct AnsweredLanguageTests {
  private static func manifest(_ description: String) throws -> Manifest {
    let json =
      "{\"version\":1,\"client\":{\"identifier\":\"a.b\"},\"output\":{\"path\":\"L\"},"
      + "\"usageDescriptions\":{\"NSPhotoLibraryUsageDescription\":\(description)},"
      + "\"sources\":{\"library\":{\"path\":\"p\"}}}"
    return try #require(ManifestReader.read(Array(json.utf8)).manifest)
  }

  private static let first = #"{"en": "Why.", "de": "Warum."}"#

  /// What has changed for a person who was asked in some languages, once a description is another one.
  private static func changes(
    _ languages: [String],
    from before: String = first,
    to now: String
  ) throws -> [AnswerBinding.Change] {
    var context = PermissionContext(now: 10)
    context.languages = languages
    let binding = context.binding(of: .library, level: .readWrite, in: try manifest(before))
    context.stored = [StoredAnswer(binding: binding, status: .authorized, reason: .userSet, decidedAt: 0)]
    // Who runs it next reads another language, which is nothing to the answer.
    context.languages = ["fr", "en"]
    let present = try manifest(now)
    let decided = PermissionPlan.decide(manifest: present, context: context) { _ in .available }.sources[0]
    let changes = try #require(context.answer(of: .library, level: .readWrite, in: present)).changes
    #expect((decided.decision.outcome == .proceed) == changes.isEmpty)
    let validity = AnswerValidity(of: context.stored[0], now: 10) { (present, context) }
    #expect(validity == (changes.isEmpty ? .counts : .changed(changes)))
    return changes
  }

  @Test("It is bound to the text in the language that was shown")
  func binding() throws {
    var context = PermissionContext(now: 0)
    context.languages = ["de-AT"]
    let german = context.binding(of: .library, level: .readWrite, in: try Self.manifest(Self.first))
    #expect(german.shownText == LocalizedText("Warum.", in: "de"))
    context.languages = ["ja"]
    let other = context.binding(of: .library, level: .readWrite, in: try Self.manifest(Self.first))
    #expect(other.shownText == LocalizedText("Why.", in: "en"))
  }

  @Test("A text in another language comes, goes or changes without an effect")
  func kept() throws {
    for now in [
      Self.first, #"{"de": "Warum.", "en": "Why."}"#, #"{"en": "Why not.", "de": "Warum."}"#,
      #"{"fr": "Pourquoi.", "en": "Why.", "de": "Warum."}"#, #"{"DE": "Warum."}"#,
      // The same words are the same, even where nobody says their language any more.
      #""Warum.""#, #"{"de-CH": "Warum."}"#,
    ] {
      #expect(try Self.changes(["de"], to: now) == [], "\(now)")
    }
    #expect(try Self.changes([], from: #""Why.""#, to: Self.first) == [])
    #expect(try Self.changes(["de"], from: #""Why.""#, to: #"{"de": "Warum.", "en": "Why."}"#) == [])
  }

  @Test("The text in this language asks anew when it changes, and when it goes")
  func changed() throws {
    for now in [
      #"{"en": "Why.", "de": "Darum."}"#, #"{"en": "Warum.", "de": "Why."}"#, #"{"en": "Why."}"#, #""Why.""#,
    ] {
      #expect(try Self.changes(["de"], to: now) == [.usageDescription], "\(now)")
    }
    #expect(try Self.changes(["fr"], to: #"{"en": "Why not.", "de": "Warum."}"#) == [.usageDescription])
  }

  @Test("A text that is blank in one language says nothing, as a missing one")
  func blank() throws {
    let texts = [LocalizedText("Why.", in: "en"), LocalizedText(" ", in: "de")]
    #expect(UsageDescription(texts).isBlank && !UsageDescription([texts[0]]).isBlank)
  }

  @Test("access explain tells the text in the language that was shown, and the others")
  func explained() throws {
    let manifest = try Self.manifest(#"{"en": "Why.", "de": "Warum.", "fr": "Pourquoi."}"#)
    var context = PermissionContext(now: 0)
    context.languages = ["de"]
    let text = DecisionExplanation(manifest, context, .library, .readWrite, planned: nil).text
    #expect(text.contains("NSPhotoLibraryUsageDescription: \"Warum.\" (de); also in en and fr"), "\(text)")
  }
}
