import Foundation
import MediaManifest
import MediaModel
import MediaSyntax
import Testing

@Suite("An organization's policy")
struct OrganizationPolicyTests {
  private static let sample = """
    {
      "$schema": "policy.schema.json",
      "version": 1,
      "organization": "Example News",
      "deny": [
        { "source": "camera" },
        { "source": "library", "level": "readWrite", "clients": ["org.example.*", "com.example.app"],
          "reason": "Reader photos are imported by the desk." },
        { "source": "microphone", "clients": ["org.example.voice"] },
        { "picking": true, "reason": "No." },
        { "enforcement": "process" }
      ]
    }
    """

  private static func read(_ text: String) -> OrganizationPolicyReading {
    OrganizationPolicy.read(Array(text.utf8))
  }

  @Test("It denies what it says, to whom it says, at the level it says")
  func denials() throws {
    let policy = try #require(Self.read(Self.sample).policy)
    #expect(policy.organization == "Example News")
    func index(_ source: SourceKind, _ level: AccessLevel, _ client: String) -> Int? {
      policy.denial(source: source, level: level, client: client)?.index
    }
    #expect(index(.camera, .readWrite, "any") == 0)
    #expect(index(.library, .readWrite, "org.example.feed") == 1)
    #expect(index(.library, .readWrite, "ORG.Example.Feed") == 1)
    #expect(index(.library, .readWrite, "com.example.app") == 1)
    #expect(index(.library, .readWrite, "com.example.app2") == nil)
    #expect(index(.library, .readWrite, "org.example") == nil)
    #expect(index(.library, .readWrite, "org.examples.feed") == nil)
    #expect(index(.library, .addOnly, "org.example.feed") == nil)
    #expect(index(.microphone, .readWrite, "org.example.voice") == 2)
    #expect(index(.microphone, .readWrite, "org.example.feed") == nil)
    #expect(policy.deniesPicking)
    #expect(policy.pickingDenial?.reason == "No.")
    #expect(policy.deniesProcessEnforcement)
    let denial = try #require(policy.denials.first { $0.index == 1 })
    #expect(denial.path == "$.deny[1]")
    #expect(denial.position == TextPosition(line: 7, column: 5))
    #expect(denial.reason == "Reader photos are imported by the desk.")
  }

  @Test("A denial without a level covers both, and the first that fits counts")
  func levels() throws {
    let policy = try #require(
      Self.read(
        #"{"version": 1, "deny": [{"source": "library", "level": "addOnly"}, {"source": "library"}]}"#
      ).policy
    )
    #expect(policy.denial(source: .library, level: .addOnly, client: "a")?.index == 0)
    #expect(policy.denial(source: .library, level: .readWrite, client: "a")?.index == 1)
    #expect(policy.denial(source: .camera, level: .readWrite, client: "a") == nil)
    #expect(!policy.deniesPicking && !policy.deniesProcessEnforcement)
    #expect(policy.organization == nil)
  }

  @Test("It asks for signatures of all sources, or of some, from a serial on")
  func signatures() throws {
    let all = try #require(
      Self.read(#"{"version": 1, "signatures": {"allowedSigners": "/etc/a"}}"#).policy
    )
    #expect(all.denials.isEmpty)
    #expect(all.signatures?.sources == Set(SourceKind.allCases))
    #expect(all.signatures?.minimumSerial == 0)
    #expect(all.signatures?.revoked == nil)
    let some = try #require(
      Self.read(
        #"{"version": 1, "deny": [], "signatures": {"allowedSigners": "/etc/a", "revoked": "/etc/r", "sources": ["library"], "minimumSerial": 3}}"#
      ).policy?.signatures
    )
    #expect(some.allowedSigners == "/etc/a")
    #expect(some.revoked == "/etc/r")
    #expect(some.sources == [.library])
    #expect(some.minimumSerial == 3)
  }

  @Test("An empty list denies nothing")
  func empty() throws {
    let policy = try #require(Self.read(#"{"version": 1, "deny": []}"#).policy)
    #expect(policy.denials.isEmpty)
  }

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    var text: String
    /// Code and path; nil for a policy without one.
    var mistake: String?

    var testDescription: String { text }

    /// The policies in `Cases`, which the schema check reads too.
    static func all() throws -> [Case] {
      try JSONDecoder().decode([Case].self, from: Data(ManifestCases.bytes("policies.json")))
    }
  }

  @Test("What would grant, deny nobody, or is not understood is a mistake at its place")
  func cases() throws {
    let cases = try Case.all()
    #expect(cases.count { $0.mistake == nil } >= 4)
    #expect(cases.count { $0.mistake != nil } >= 30)
    for policy in cases {
      let reading = Self.read(policy.text)
      #expect(
        reading.issues.map { "\($0.code.rawValue) \($0.path)" } == policy.mistake.map { [$0] }
          ?? [],
        "\(policy.text)"
      )
      #expect((reading.policy == nil) == (policy.mistake != nil))
    }
  }

  @Test("A key that would grant is told so")
  func isReported() throws {
    let issue = try #require(
      Self.read(#"{"version": 1, "allow": [], "deny": []}"#).issues.first
    )
    #expect(
      issue.description(in: "policy.json")
        == "policy.json:1:16: a policy only denies, and has no \"allow\". "
        + "Allowed here: $schema, version, organization, deny, signatures."
    )
  }

  @Test("All mistakes are reported at once, in the order of their places")
  func allAtOnce() {
    let reading = Self.read(
      #"{"version": 1, "deny": [{"source": "x"}, {"picking": 1}, {"level": "addOnly"}]}"#
    )
    #expect(reading.issues.map(\.code) == [.unknownValue, .wrongType, .missingKey, .notApplicable])
    #expect(reading.issues.map(\.position) == reading.issues.map(\.position).sorted())
  }
}
