import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@testable import MediaAudit

/// What a proof's file may hold besides its records, as `docs/spec/audit-log.md` says.
@Suite("The lines of a proof")
struct ProofLineTests {
  private let signer = AuditSigner()
  private static let newline = UInt8(ascii: "\n")

  /// The lines of a proof of the only record of a log, each with its newline.
  private func lines(of record: String) -> [[UInt8]] {
    var tree = TreeFrontier()
    tree.append(leaf: Array(record.utf8).withUnsafeBytes { TreeHash.leaf($0) })
    let head = SignedHead(
      library: "0b7e6f5d-3c1a-4f57-9a55-6e5b3d7b8d11",
      tree: tree.head,
      head: RecordHash.zero.text,
      file: "000001-run.ndjson",
      time: "2026-11-21T01:44:39.123456Z"
    )
    let header: JSONValue = [
      "head": .string(head.signed(by: signer).note.serialized),
      "schema": .string(AuditProof.schema),
    ]
    let line = "{\"index\":0,\"openings\":{},\"path\":[],\"record\":\(record)}"
    return [header.serialized, Array(line.utf8)].map { $0 + [Self.newline] }
  }

  private func holds(_ bytes: [UInt8]) -> Bool {
    (try? AuditProof(bytes).check()) != nil
  }

  @Test("Each line has its newline, and none is empty")
  func newlines() {
    let lines = lines(of: "{\"a\":1}")
    #expect(holds(lines.flatMap(\.self)))
    #expect(!holds(lines.flatMap(\.self).dropLast()))
    #expect(!holds(lines.flatMap(\.self) + [Self.newline]))
    #expect(!holds([Self.newline] + lines.flatMap(\.self)))
    #expect(!holds(lines[0] + [Self.newline] + lines[1]))
    #expect(!holds([]))
    #expect(!holds([Self.newline]))
  }

  @Test(
    "A record that is no canonical JSON is none in a proof",
    arguments: [
      ("9223372036854775807", true), ("9223372036854775808", false),
      ("-9223372036854775808", true), ("-9223372036854775809", false),
      ("{\"a\\n\":1}", false), (nested(13), true), (nested(14), false),
    ]
  )
  func values(_ value: String, isGood: Bool) {
    #expect(holds(lines(of: "{\"a\":\(value)}").flatMap(\.self)) == isGood)
  }

  /// A number in arrays within arrays.
  private static func nested(_ count: Int) -> String {
    String(repeating: "[", count: count) + "0" + String(repeating: "]", count: count)
  }

  @Test("A head without a signature has no control character either, and no more than 64 KiB")
  func unsignedHeads() {
    #expect(SignedHead(note: Self.head("a")) != nil)
    for character in ["\u{1}", "\t", "\u{7F}"] {
      #expect(SignedHead(note: Self.head("a" + character)) == nil)
    }
    #expect(SignedHead(note: Self.head(String(repeating: "a", count: 1 << 16))) == nil)
  }

  private static func head(
    _ file: String,
    time: String = "2026-11-21T01:44:39.123456Z"
  ) -> String {
    let root = Base64.text(Array(repeating: 0, count: 32))
    return "mediabatch.audit/x\n0\n\(root)\nhead \(RecordHash.zero.text)\nfile \(file)\n"
      + "time \(time)\n\n"
  }

  @Test(
    "A head has a time, in the one form that a time has",
    arguments: [
      ("2026-11-21T01:44:39.123456Z", true), ("0001-01-01T00:00:00.000000Z", true),
      ("9999-12-31T23:59:59.999999Z", true), ("2024-02-29T00:00:00.000000Z", true), ("", false),
      ("t", false), ("0000-01-01T00:00:00.000000Z", false), ("2026-02-29T00:00:00.000000Z", false),
      ("2026-13-01T00:00:00.000000Z", false), ("2026-11-21T24:00:00.000000Z", false),
      ("2026-11-21T01:44:60.000000Z", false), ("2026-11-21T01:44:39.12345Z", false),
      ("2026-11-21T01:44:39.1234567Z", false), ("2026-11-21T01:44:39.123456", false),
      ("2026-11-21T01:44:39.123456z", false), ("2026-11-21 01:44:39.123456Z", false),
      ("2026-11-21T01:44:39,123456Z", false), ("2026-11-21T01:44:39.123456+00:00", false),
      (" 2026-11-21T01:44:39.123456Z", false), ("12026-11-21T01:44:39.12345Z", false),
      ("-026-11-21T01:44:39.123456Z", false), ("２026-11-21T01:44:39.123456Z", false),
    ]
  )
  func times(_ time: String, isGood: Bool) {
    #expect((SignedHead(note: Self.head("a", time: time)) != nil) == isGood)
  }
}
