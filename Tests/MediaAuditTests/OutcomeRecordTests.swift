import MediaModel
import MediaSyntax
import Testing

@testable import MediaAudit

@Suite("The record of an outcome")
struct OutcomeRecordTests {
  /// An outcome of which no optional is nil, no list is empty and no truth is false.
  static let full: Outcome = {
    let path = ItemPath(bytes: Array("a/\u{e9}.mov".utf8) + [0xFF])
    var outcome = Outcome(source: SourceID(.library, name: "Zoe"), path: path, outcome: .imported)
    outcome.reason = .thumbnailMissing
    outcome.step = .thumbnail
    outcome.failedFormat = .mov
    outcome.damage = Damage(rawValue: "IDAT that ends early, 8192 bytes at byte 33")
    outcome.message = "no decoder"
    outcome.localIdentifier = "5f1c"
    outcome.role = .video
    outcome.output = OutputFile(
      published: "Originals/2026-11-21/014439.123456/harbour.mov",
      sha256: String(repeating: "ef", count: 32),
      bytes: 4100
    )
    outcome.sourceDigest = SourceDigest([UInt8](repeating: 7, count: 32), isKeyed: true)
    outcome.policy = .strip
    outcome.removed = [
      RemovedMetadata(name: "location", count: 2),
      RemovedMetadata(name: RemovedMetadata.audioTrack, count: 1),
    ]
    outcome.thumbnails = [
      Outcome.Thumbnail(
        name: "grid",
        file: OutputFile(
          published: "Thumbnails/grid/2026-11-21/014439.123456 harbour.jpg",
          sha256: String(repeating: "ab", count: 32),
          bytes: 812,
          pixelSize: PixelSize(width: 32, height: 24)
        )
      )
    ]
    outcome.degraded = true
    outcome.restored = outcome.output
    outcome.olderVersion = "5f1b"
    outcome.replaces = .version
    outcome.contentDigest = [7, 8]
    outcome.burstDigest = [9]
    outcome.isAgain = true
    outcome.dateShift = "-26280:00:00"
    outcome.dateAbout = "1978~"
    outcome.recovered = true
    return outcome
  }()

  private static func entry(_ outcome: Outcome) throws -> AuditEntry {
    var members: [String: JSONValue] = [
      "event": "outcome", "prev": .string(String(repeating: "0", count: 64)), "run": "5f1c",
      "seq": 2, "time": "2026-11-21T01:44:39.123456Z",
    ]
    for member in AuditRecord.outcome(outcome).members { members[member.key] = member.value }
    return try #require(AuditEntry(line: JSONValue.object(members).serialized))
  }

  @Test("The log has each field of the list by its name, and no other")
  func names() {
    let listed = Set(Outcome.fields(in: .log).map(\.name))
    var unkeyed = Self.full
    unkeyed.sourceDigest?.isKeyed = false
    var cut = unkeyed
    (cut.role, cut.policy) = (.photo, .keep)
    let written = [Self.full, unkeyed, cut].flatMap { AuditRecord.outcome($0).members.map(\.key) }
    #expect(Set(written) == listed)
  }

  @Test("A movie was cut off where a kept picture is another file than its source")
  func trailer() {
    var outcome = Self.full
    (outcome.role, outcome.policy) = (.photo, .keep)
    outcome.sourceDigest?.isKeyed = false
    #expect(outcome.isTrailerRemoved)
    for change: (inout Outcome) -> Void in [
      { $0.output?.sha256 = String(repeating: "07", count: 32) }, { $0.output = nil },
      { $0.role = .video }, { $0.policy = .strip }, { $0.sourceDigest?.isKeyed = true },
      { $0.sourceDigest = nil },
    ] {
      var other = outcome
      change(&other)
      #expect(!other.isTrailerRemoved)
    }
  }

  @Test("An outcome is read back as it was written, but for what the log leaves out")
  func readBack() throws {
    var expected = Self.full
    (expected.message, expected.restored) = (nil, nil)
    #expect(try Self.entry(Self.full).item == expected)
    let least = Outcome(source: .camera, path: Self.full.path, outcome: .unchanged)
    #expect(try Self.entry(least).item == least)
  }

  @Test("Every property of an outcome is a field of the list")
  func properties() {
    let least = Outcome(source: .camera, path: ItemPath(bytes: []), outcome: .failed)
    let values = [Self.full, least].map { outcome in
      Mirror(reflecting: outcome).children.map { "\($0.value)" }
    }
    let changed = zip(values[0], values[1]).count { $0 != $1 }
    #expect(changed == values[1].count, "the example leaves one out")
    // The digest of the source has two names, and the source a kind and two names; the number of sound tracks and
    // whether a movie was cut off are of other properties.
    #expect(Outcome.fields.count == changed + 5)
  }

  @Test("A member that is not understood is left out, and a thumbnail's name counts once")
  func forged() throws {
    var entry = try Self.entry(Self.full)
    entry.fields["reason"] = "none"
    entry.fields["sourceHMAC"] = "no digits"
    entry.fields["replaces"] = 1
    let thumbnail: JSONValue = ["name": "grid", "path": "b", "sha256": "cd", "bytes": 1]
    entry.fields["thumbnails"] = [["name": "grid", "path": "a"], thumbnail, thumbnail]
    let item = try #require(entry.item)
    #expect(item.reason == nil && item.sourceDigest == nil && item.replaces == nil)
    #expect(item.thumbnails.map(\.file.published) == ["b"])
    entry.fields["outcome"] = "lost"
    #expect(entry.item == nil)
  }
}
