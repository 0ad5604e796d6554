import Foundation
import MediaModel
import MediaSyntax
import Testing

@testable import MediaAudit

@Suite("The types of records")
struct RecordBodyTests {
  /// Values of which no field is nil, empty or false where their event has it.
  private static let bodies: [any RecordBody] = {
    let path = ItemPath(bytes: Array("a/\u{e9}.mov".utf8) + [0xFF])
    let output = OutputFile(
      published: "Thumbnails/grid/2026-11-21/014439.123456 harbour.jpg",
      sha256: String(repeating: "ab", count: 32),
      bytes: 812,
      pixelSize: PixelSize(width: 32, height: 24)
    )
    var opening = SampleLog.opening
    (opening.manifestBytes, opening.labelsSHA256, opening.infoPlistSHA256) = (7, "cd", "ef")
    opening.localizationsSHA256 = "10"
    (opening.policySHA256s, opening.answersHead) = (["01"], "02")
    opening.thumbnailSpecs = [AuditThumbnailSpec(name: "grid", fingerprint: "f")]
    (opening.albumsFromFolders, opening.keepsPrivateFacts) = (true, true)
    (opening.dateRules, opening.digestKeyCheck) = (DateRules([.fromName]), "03")
    opening.timeZones = ["camera": "Europe/Berlin"]
    opening.signature = ManifestSignature(
      signedBy: "zoe@example.org",
      allowedSignersLine: 3,
      fingerprint: "SHA256:4",
      sha256: "0d",
      verifiedAt: "2026-11-21T01:44:38Z",
      serial: 5,
      signedAt: "2026-11-20T01:44:38Z"
    )
    let zoe = SourceID(.library, name: "Zoe")
    var decision = SourceDecision()
    (decision.source, decision.authorizationStatus, decision.verdict) = (zoe, .denied, .allow)
    (decision.accessLevel, decision.reason, decision.availability) = (.addOnly, .denied, .unknown)
    (decision.row, decision.decidedBy, decision.basis) = (5, "picking", "picker")
    (decision.usageKey, decision.usageTextSHA256, decision.usageText) = ("key", "04", "Why.")
    decision.usageTextLanguage = "en"
    (decision.required, decision.signature) = (true, opening.signature)
    var listing = AuditListing()
    (listing.source, listing.path, listing.resolvedPath) = (zoe, path, path)
    (listing.device, listing.inode, listing.basis) = (.max, 1, .limited)
    (listing.conditions, listing.metadataPolicy, listing.timeZone) = ("05", .strip, "Europe/Berlin")
    var candidates = AuditCount(.candidates, of: zoe, 3)
    candidates.conditions = "06"
    var shown = AuditCount(.shown, of: zoe, 4)
    shown.answeredAt = "2026-11-21T01:44:38Z"
    var unchanged = AuditCount(.unchanged, of: zoe, 5)
    (unchanged.listSHA256, unchanged.outcome, unchanged.reason) = ("07", .skipped, .trashed)
    var transition = AuditTransition()
    (transition.source, transition.accessLevel, transition.from) = (zoe, .addOnly, .denied)
    (transition.to, transition.reason, transition.basis) = (.limited, .limited, "picker")
    transition.refusedItems = 6
    var access = AuditAccess()
    (access.source, access.path, access.size, access.basis) = (zoe, path, 8, .limited)
    (access.modified, access.changed, access.device, access.inode) = (.min, 9, .max, 10)
    access.sha256 = "08"
    var restored = AuditFileChange(.restored, output, of: "A-1")
    restored.fingerprint = "f"
    var relabelled = AuditFileChange(.relabelled, output, of: "A-1")
    relabelled.previousPath = path
    var merge = AuditMerge()
    (merge.shard, merge.attempt, merge.run, merge.file) = (1, 2, "r", "f")
    (merge.head, merge.tree, merge.plan) = ("09", AuditTreeHead(size: 3, root: "0a"), "0b")
    var addition = AuditAddition()
    (addition.source, addition.path, addition.addedPath) = (zoe, path, path)
    (addition.asset, addition.bytes) = ("A-1", 11)
    addition.sourceDigest = SourceDigest([7], isKeyed: true)
    var unkeyed = addition
    unkeyed.sourceDigest = SourceDigest([7], isKeyed: false)
    var rebuild = AuditRebuild()
    (rebuild.assets, rebuild.resources, rebuild.thumbnails, rebuild.items) = (1, 2, 3, 4)
    (rebuild.kept, rebuild.lost) = ("old.sqlite", 5)
    var copying = AuditCopying()
    (copying.command, copying.assets) = ("export", 6)
    copying.metadataPolicy = MetadataPolicy(except: [.copyright])
    var end = AuditEnd(counts: [.imported: 3], exitCode: .itemsFailed)
    (end.degraded, end.thumbnails) = (1, 2)
    end.catalogue = CatalogueContent(schema: "s", sha256: "0c")
    var turned = LibraryEdit(.rotate, ["A-1"])
    turned.rotation = 90
    var dating = AuditDating(source: zoe, assets: ["A-1"], shift: -3600, isRead: true)
    dating.about = "1978~"
    var migration = AuditMigration()
    (migration.from, migration.to) = ("s", "t")
    return [
      opening, AuditKey(AuditSigner().rotated(at: .now), library: "l"), migration, decision,
      listing, candidates, shown, unchanged, transition, access, restored,
      relabelled, turned, AuditFileChange(.superseded, output, of: "A-1"),
      AuditFileChange(.adopted, output), AuditFileChange(.quarantined, output, to: "Quarantine/a"),
      AuditFileChange(.withdrawn, output, of: "A-1", to: "Withdrawn/a"), merge,
      AuditPlacement(asset: "A-1", place: .folder(previous: "a/b", now: "c/d")),
      AuditPlacement(asset: "A-1", place: .duplicate(of: "A-2")),
      AuditPlacement(asset: "A-1", place: .importedAgain), unkeyed, addition,
      dating,
      LibraryEdit(.stack, ["A-1", "A-2"]), LibraryEdit(.unstack, ["A-1"]),
      LibraryEdit(.distinguish, ["A-1", "A-2"]),
      copying, rebuild, end,
    ]
  }()

  /// Their records; the first one of a run with its place in the log.
  static var records: [AuditRecord] {
    bodies.map { body in
      guard let opening = body as? AuditOpening,
        let file = AuditFileName(text: "000001-5f1c.ndjson")
      else { return AuditRecord(body) }
      return AuditRecord.run(file: file, previous: nil, opening: opening)
    }
  }

  private static func entry(_ record: AuditRecord) -> AuditEntry? {
    var members: [String: JSONValue] = [
      "event": .string(record.event.rawValue), "prev": .string(RecordHash.zero.text), "run": "5f1c",
      "seq": 2, "schema": .string(AuditRecord.schema), "previous": .null,
    ]
    if record.event == .run { members["file"] = "000001-5f1c.ndjson" }
    for member in record.members { members[member.key] = member.value }
    return AuditEntry(line: JSONValue.object(members).serialized)
  }

  private static func read<Body: RecordBody>(_ body: Body, from entry: AuditEntry) -> AuditRecord? {
    entry.body(of: Body.self).map { AuditRecord($0) }
  }

  @Test("Each record is read as it was written, and as no record of another type")
  func readBack() throws {
    for body in Self.bodies {
      let record = AuditRecord(body)
      let entry = try #require(Self.entry(record))
      #expect(Self.read(body, from: entry) == record)
      let readers = Self.bodies.filter { Self.read($0, from: entry) != nil }
      #expect(Set(readers.map { "\(type(of: $0))" }) == ["\(type(of: body))"])
    }
  }

  @Test("Every event but an outcome is in the examples")
  func events() {
    let known = Set(Self.bodies.map { AuditRecord($0).event })
    #expect(Set(AuditEvent.allCases).subtracting(known) == [.outcome])
    #expect(Set(Self.bodies.flatMap { type(of: $0).events }) == known)
  }

  @Test("The examples of a type leave no field out, so that a new one cannot be forgotten")
  func examples() {
    var gaps: [String: Set<String>] = [:]
    for body in Self.bodies {
      let empty = Mirror(reflecting: body).children.filter { Self.isEmpty($0.value) }
      // What a decision moves, and the label that it gives, stand in the records of its files.
      let told: Set = body is LibraryEdit ? ["label", "folder", "moves"] : []
      let names = Set(empty.compactMap(\.label)).subtracting(told)
      gaps["\(type(of: body))"] = gaps["\(type(of: body))"]?.intersection(names) ?? names
    }
    #expect(gaps.filter { !$0.value.isEmpty }.isEmpty)
  }

  private static func isEmpty(_ value: Any) -> Bool {
    if let isTrue = value as? Bool { return !isTrue }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional, .collection, .dictionary: return mirror.children.isEmpty
    default: return false
    }
  }
}
