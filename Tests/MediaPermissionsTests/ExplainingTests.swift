import MediaManifest
import MediaModel
import MediaSyntax
import Testing

@testable import MediaPermissions

@Suite("Explaining answers and decisions")
struct ExplainingTests {
  private static let now: Int64 = 1_000

  private func manifest(_ library: String = "", why: String = "Why.") throws -> Manifest {
    let text = """
      { "version": 1, "client": { "identifier": "a" },
        "usageDescriptions": { "NSPhotoLibraryUsageDescription": "\(why)" },
        "sources": { "library": { "path": "p"\(library) } }, "output": { "path": "L" } }
      """
    return try #require(ManifestReader.read(Array(text.utf8)).manifest)
  }

  private func answer(
    _ status: AuthorizationStatus,
    in manifest: Manifest,
    expiresAt: Int64? = nil
  ) -> StoredAnswer {
    StoredAnswer(
      binding: PermissionContext().binding(of: .library, level: .readWrite, in: manifest),
      status: status,
      selection: status == .limited ? ["a.jpg", "b*.jpg"] : [],
      reason: .userSet,
      decidedAt: 1,
      expiresAt: expiresAt
    )
  }

  private func effect(_ manifest: Manifest, _ answer: StoredAnswer?) throws -> NextRunEffect {
    let context = context(answer)
    let result = PermissionPlan.decide(manifest: manifest, context: context) { _ in .available }
    return NextRunEffect(try #require(result.sources.first), in: manifest)
  }

  private func context(_ answer: StoredAnswer?) -> PermissionContext {
    PermissionContext(stored: answer.map { [$0] } ?? [], now: Self.now)
  }

  private func validity(_ answer: StoredAnswer, _ manifest: Manifest?) -> AnswerValidity {
    AnswerValidity(of: answer, now: Self.now) { manifest.map { ($0, PermissionContext()) } }
  }

  @Test("A grant counts while nothing has changed; a denial counts always")
  func validity() throws {
    let manifest = try manifest()
    let changed = try self.manifest(why: "Because.")
    var other = manifest
    other.client.identifier = "b"
    let grant = answer(.authorized, in: manifest)
    #expect(validity(grant, manifest) == .counts)
    #expect(validity(grant, changed) == .changed([.usageDescription]))
    #expect(validity(grant, other) == .noManifest(isDenial: false))
    #expect(validity(grant, nil) == .noManifest(isDenial: false))
    let denial = answer(.denied, in: manifest)
    #expect(validity(denial, manifest) == .denies)
    #expect(validity(denial, changed) == .countsAlthoughChanged([.usageDescription]))
    #expect(validity(denial, nil) == .noManifest(isDenial: true))
    for (seconds, expected) in [(Self.now, AnswerValidity.expired), (Self.now + 1, .counts)] {
      #expect(validity(answer(.authorized, in: manifest, expiresAt: seconds), manifest) == expected)
    }
  }

  @Test("Whether an answer counts is said in the same way to people and to programs")
  func validityTexts() {
    let all: [AnswerValidity] = [
      .counts, .denies, .countsAlthoughChanged([.folder]), .changed([.folder]), .expired,
      .noManifest(isDenial: true), .noManifest(isDenial: false),
    ]
    for validity in all {
      #expect(validity.members["counts"] == .bool(validity.text.hasPrefix("yes")))
      #expect((validity.members["why"] == .null) == validity.text.hasPrefix("yes"))
    }
  }

  @Test("The next run reads, sees a selection, asks, or stays outside")
  func actions() throws {
    let manifest = try manifest()
    #expect(
      try effect(manifest, answer(.authorized, in: manifest)).lines == [
        "The next run reads the photo library."
      ]
    )
    #expect(
      try effect(manifest, answer(.limited, in: manifest)).actionText
        == "sees only what 2 patterns of the selection match in the photo library"
    )
    var files = answer(.limited, in: manifest)
    files.selection = ["a%5B1%5D.jpg", "b.mov"]
    #expect(
      try effect(manifest, files).actionText
        == "sees only 2 files of the selection in the photo library"
    )
    #expect(files.statusText == "limited to 2 files")
    #expect(
      try effect(manifest, answer(.denied, in: manifest)).actionText
        == "does not open the photo library"
    )
    #expect(
      try effect(manifest, nil).actionText
        == "asks about the photo library at a terminal; without one it stops with exit code 75"
    )
    #expect(
      try effect(manifest, answer(.authorized, in: manifest, expiresAt: 2)).actionText
        .hasSuffix(", since the permission has expired")
    )
  }

  @Test("An answer that does not decide has a reason that says what does")
  func reasons() throws {
    let denied = try manifest(#", "authorizationStatus": "denied""#)
    let grant = answer(.authorized, in: denied)
    #expect(
      try effect(denied, grant).reasonText
        == "The stored answer does not count: the manifest says denied at "
        + "sources.library.authorizationStatus, and a denial wins wherever it is said."
    )
    #expect(
      try effect(denied, answer(.denied, in: denied)).reasonText
        == "The manifest says denied itself, at sources.library.authorizationStatus; the stored answer changes "
        + "nothing."
    )
    let changed = answer(.authorized, in: try manifest(why: "Because."))
    #expect(
      try effect(try manifest(), changed).reasonText
        == "The stored answer does not count: the usage description changed."
    )
    #expect(try effect(denied, nil).reasonText == nil)
    let open = try manifest()
    #expect(try effect(open, answer(.authorized, in: open)).reasonText == nil)
  }

  @Test("An explanation has seven steps, and ends with the row that decides")
  func steps() throws {
    let manifest = try manifest()
    let context = context(answer(.limited, in: manifest))
    let result = PermissionPlan.decide(manifest: manifest, context: context) { _ in .available }
    let explanation = DecisionExplanation(
      manifest,
      context,
      .library,
      .readWrite,
      planned: result.sources.first
    )
    let lines = explanation.text.split(separator: "\n")
    #expect(lines.count == 8)
    #expect(lines.first == "photo library, readWrite")
    #expect(lines.contains { $0.hasSuffix("only 2 patterns of the stored answer") })
    #expect(lines.last?.contains("row 11 of docs/permissions.md, it is limited: allow (limited)") == true)
    guard case .object(let members) = explanation.object else {
      Issue.record("no object")
      return
    }
    #expect(members["row"] == 11 && members["decidedBy"] == "storedAnswer")
    let unplanned = DecisionExplanation(manifest, context, .camera, .readWrite, planned: nil)
    #expect(unplanned.text.hasPrefix("camera, not needed by this plan: what would apply"))
  }
}
