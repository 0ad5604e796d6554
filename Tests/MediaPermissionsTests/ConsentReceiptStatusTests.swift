import MediaModel
import MediaSyntax
import Testing

@testable import MediaPermissions

@Suite("What a change of an answer means")
struct ConsentReceiptStatusTests {
  /// A record as the store writes it: canonical JSON, with an answer if there is one.
  private func transition(
    _ from: String,
    _ to: String,
    cause: String = "answered",
    answer: String? = nil
  ) throws -> StoredTransition {
    let given = answer.map { "\"answer\":\($0)," } ?? ""
    let record =
      "{\(given)\"cause\":\"\(cause)\",\"client\":\"a.b\",\"from\":\"\(from)\",\"level\":\"readWrite\",\"seq\":3,"
      + "\"source\":\"library\",\"time\":\"2026-11-30T10:00:00Z\",\"to\":\"\(to)\"}"
    return try #require(StoredTransition(record: record, hash: "ab"), "\(record)")
  }

  private static let meanings: [(String, String, String, [ConsentReceipt.Status])] = [
    ("notDetermined", "authorized", "answered", [.given]),
    ("denied", "limited", "answered", [.given]),
    ("authorized", "limited", "answered", [.renewed]),
    ("limited", "authorized", "answered", [.renewed]),
    ("notDetermined", "denied", "answered", [.refused]),
    ("limited", "denied", "answered", [.refused, .withdrawn]),
    ("authorized", "notDetermined", "takenUp", [.expired]),
    ("authorized", "notDetermined", "reset", [.withdrawn]),
    ("denied", "notDetermined", "reset", [.unknown]),
  ]

  @Test("A grant, a refusal and their ends have DPV's words; a refusal of what was granted withdraws it too")
  func statuses() throws {
    for (from, to, cause, statuses) in Self.meanings {
      let receipt = try #require(ConsentReceipt(try transition(from, to, cause: cause), after: nil))
      #expect(receipt.statuses == statuses, "\(from) to \(to), \(cause)")
      let isConsent = statuses.contains(.given) || statuses.contains(.renewed)
      #expect(receipt.isConsent == isConsent)
      #expect(receipt.isAnswer == (isConsent || statuses.contains(.refused)))
    }
    // Nobody has answered, and nobody's answer has ended.
    let other = try transition("denied", "notDetermined", cause: "other")
    #expect(ConsentReceipt(other, after: nil) == nil)
  }

  @Test("How long an answer holds is said, and how it is taken back, without the name of a source")
  func duration() throws {
    let oneRun = "{\"forOneRun\":true,\"usageTextSHA256\":\"cd\"}"
    let ending = "{\"expiresAt\":1795000000,\"usageTextSHA256\":\"cd\"}"
    let cases = [
      (oneRun, "for the next run only"),
      (ending, "until \(StoredAnswer.timestamp(1_795_000_000)), unless it is taken back before"),
      ("{\"usageTextSHA256\":\"cd\"}", "until it is taken back, or the question or the folder changes"),
    ]
    for (answer, duration) in cases {
      let given = try transition("notDetermined", "authorized", answer: answer)
      let receipt = try #require(ConsentReceipt(given, after: nil))
      #expect(receipt.duration == duration)
      #expect(receipt.lines.contains { $0.hasSuffix(duration) })
      #expect(receipt.lines.contains { $0.contains("mediabatch access reset --client a.b --source library") })
      #expect(receipt.lines.last == "  record    3, ab")
    }
    let refused = try #require(ConsentReceipt(try transition("notDetermined", "denied"), after: nil))
    #expect(refused.duration == "until it is taken back")
    #expect(refused.notStated.contains("privacyNotice") && refused.notStated.contains("words"))
  }

  @Test("A stored answer tells its selection only where it is limited to one, and each number whole")
  func object() {
    let limited = answer(.limited, selection: ["a.jpg", "b.jpg"], isForOneRun: true, shownCount: 7)
    #expect(limited.statusText == "limited to 2 files, for one run")
    #expect(limited.object["selection"] == .array([.string("a.jpg"), .string("b.jpg")]))
    #expect(limited.object["forOneRun"] == .bool(true))
    #expect(limited.object["shownCount"] == JSONValue(7))
    let authorized = answer(.authorized, selection: ["a.jpg"], expiresAt: 1_795_000_060)
    #expect(authorized.object["selection"] == .null)
    #expect(authorized.object["expiresAt"] == .string(StoredAnswer.timestamp(1_795_000_060)))
    #expect(authorized.statusText.hasPrefix("authorized, until 2026-11-18 "))
    let folder: JSONValue = ["path": "/media/Photos", "device": "7", "inode": "18446744073709551615"]
    #expect(authorized.object["folder"] == folder)
  }
}
