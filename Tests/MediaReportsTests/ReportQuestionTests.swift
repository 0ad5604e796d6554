import Foundation
import MediaModel
import MediaSyntax
import Testing

@testable import MediaAudit
@testable import MediaReports

@Suite("What a person saw and chose, in a report")
struct ReportQuestionTests {
  private static func entry(_ record: AuditRecord, second: Int = 39) throws -> AuditEntry {
    var members: [String: JSONValue] = [
      "event": .string(record.event.rawValue), "prev": .string(String(repeating: "0", count: 64)),
      "run": "5f1c", "seq": 2, "time": .string("2026-11-21T01:44:\(second).123456Z"),
    ]
    for member in record.members { members[member.key] = member.value }
    return try #require(AuditEntry(line: JSONValue.object(members).serialized))
  }

  private static func run(_ records: [AuditRecord], second: Int = 39, of user: String? = nil) throws
    -> ReportRun
  {
    let file = "000001-5f1c.ndjson"
    var opening: [String: JSONValue] = [
      "event": "run", "prev": .string(String(repeating: "0", count: 64)), "run": "5f1c", "seq": 1,
      "file": .string(file), "previous": .null, "schema": .string(AuditRecord.schema),
    ]
    opening["user"] = user.map { .string($0) }
    let line = JSONValue.object(opening).serialized
    let first = try #require(AuditEntry(line: line))
    var run = try #require(ReportRun(first, file: file))
    for record in records { run.note(try entry(record, second: second), isSubject: false) }
    return run
  }

  private static func decision(
    _ status: AuthorizationStatus,
    _ reason: DecisionReason,
    by decider: String,
    basis: String? = nil
  ) -> AuditRecord {
    var decision = SourceDecision()
    (decision.source, decision.authorizationStatus) = (.library, status)
    (decision.verdict, decision.reason, decision.required) = (.allow, reason, true)
    (decision.decidedBy, decision.basis) = (decider, basis)
    return AuditRecord(decision)
  }

  private static func answer(
    _ status: AuthorizationStatus,
    _ level: AccessLevel = .readWrite,
    basis: String = "picker"
  ) -> AuditRecord {
    var transition = AuditTransition()
    (transition.source, transition.accessLevel) = (.library, level)
    (transition.from, transition.to, transition.basis) = (.notDetermined, status, basis)
    return AuditRecord(transition)
  }

  private static func shown(_ count: Int, answeredAt: String? = nil) -> AuditRecord {
    var shown = AuditCount(.shown, of: .library, count)
    shown.answeredAt = answeredAt
    return AuditRecord(shown)
  }

  private static func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

  private static let selected: [AuditRecord] = [
    shown(4), answer(.limited),
    decision(.limited, .limited, by: "storedAnswer", basis: "picker"),
  ]

  @Test("A selection is one question, with the files of it that the run met")
  func selection() throws {
    var run = try Self.run(Self.selected)
    run.addSelected(1, of: .library, path: Self.path("a\u{1b}.jpg"))
    run.addSelected(1, of: .camera, path: Self.path("camera.jpg"))
    run.addSelected(2, of: .library)
    let question = try #require(run.questions.first)
    #expect(run.questions.count == 1)
    #expect(question.shownCount == 4 && question.answer == .selected)
    #expect(question.basis == "picker" && !question.isEarlier)
    #expect(question.time == "2026-11-21T01:44:39.123456Z")
    #expect(question.fileCount == 3 && question.files == ["a%1B.jpg"])
    #expect(
      ReportWording.question(question)
        == "A person was shown 4 names of the photo library in a browser, and selected what may be read."
    )
    #expect(ReportWording.selection(question) == "The selection has 3 files in this report: ")
  }

  @Test("A question, a selection and a decision say which user answered, where the log tells it")
  func user() throws {
    let run = try Self.run(Self.selected, of: "zoe")
    let question = try #require(run.questions.first)
    #expect(question.user == "zoe" && ReportWording.asked(question) == " It was the user zoe.")
    #expect(run.selection(of: .library)?.text.hasSuffix("that were shown, as the user zoe") == true)
    let decided = try #require(run.permissions.first)
    #expect(ReportWording.decider(decided) == "a stored answer of the user zoe, given on a page in a browser")
    let unknown = try #require(try Self.run(Self.selected).permissions.first)
    #expect(ReportWording.decider(unknown) == "a stored answer, given on a page in a browser")
  }

  @Test("A decision under a signed manifest says who signed it")
  func signer() throws {
    var decision = SourceDecision()
    (decision.verdict, decision.reason) = (.allow, .authorized)
    decision.signature = ManifestSignature(
      signedBy: "zoe@example.org",
      allowedSignersLine: 3,
      fingerprint: "SHA256:4",
      sha256: "0d",
      verifiedAt: "2026-11-21T01:44:38Z",
      serial: 5,
      signedAt: "2026-11-20T01:44:38Z"
    )
    let signed = try #require(decision.signature)
    #expect(
      ReportWording.signer(signed)
        == "zoe@example.org (key SHA256:4, line 3 of the allowed signers, serial 5, valid at "
        + "2026-11-21T01:44:38Z; signed at 2026-11-20T01:44:38Z, as the signer says)"
    )
    for (decider, words) in [
      ("manifest", "the manifest, signed by zoe@example.org"),
      ("storedAnswer", "a stored answer of the user zoe, under a manifest signed by zoe@example.org"),
    ] {
      decision.decidedBy = decider
      let run = try Self.run([AuditRecord(decision)], of: "zoe")
      #expect(ReportWording.decider(try #require(run.permissions.first)) == words)
    }
  }

  @Test("No more files are named than a list has room for, and all are counted")
  func manyFiles() throws {
    var run = try Self.run(Self.selected)
    for number in 0..<500 { run.addSelected(1, of: .library, path: Self.path("\(number).jpg")) }
    #expect(run.questions.first?.fileCount == 500)
    #expect(run.questions.first?.files.count == ReportQuestion.maximumFileCount)
  }

  @Test(
    "Files of a source that is allowed whole, refused or not answered are nobody's selection",
    arguments: [.authorized, .denied, nil] as [AuthorizationStatus?]
  )
  func noSelection(status: AuthorizationStatus?) throws {
    var records: [AuditRecord] = [Self.shown(4)]
    if let status { records.append(Self.answer(status)) }
    var run = try Self.run(records)
    run.addSelected(1, of: .library, path: Self.path("a.jpg"))
    let question = try #require(run.questions.first)
    #expect(run.questions.count == 1 && question.files.isEmpty && question.fileCount == 0)
    #expect(question.answer == status.flatMap(ReportQuestion.Answer.init))
    #expect(ReportWording.selection(question) == nil)
    let ends: [AuthorizationStatus?: String] = [
      .authorized: ", and allowed all of it.", .denied: ", and refused it.",
      nil: "; no answer came.",
    ]
    #expect(ReportWording.question(question).hasSuffix(ends[status] ?? "none"))
  }

  @Test("An earlier answer has its own time; a page that was not answered is a question, too")
  func earlier() throws {
    let time = "2026-11-20T10:00:00Z"
    let run = try Self.run([
      Self.shown(9),
      Self.decision(.limited, .limited, by: "storedAnswer", basis: "picker"),
      Self.shown(3, answeredAt: time),
    ])
    #expect(run.questions.map(\.shownCount) == [9, 3])
    #expect(run.questions.map(\.answer) == [nil, .selected])
    #expect(run.questions.map(\.isEarlier) == [false, true])
    #expect(run.questions.last?.time == time)
    #expect(ReportWording.question(run.questions[1]).hasSuffix("rests on this earlier answer."))
    #expect(run.selection(of: .library)?.time == time)
  }

  @Test("What is picked at a terminal has no number of names; asking about adding is a question")
  func terminal() throws {
    let run = try Self.run([
      Self.answer(.authorized, .addOnly, basis: "userConsent"),
      Self.decision(.notDetermined, .picked, by: "picking", basis: "userConsent"),
      Self.decision(.notDetermined, .picked, by: "picking", basis: "userConsent"),
    ])
    #expect(
      run.questions.map(ReportWording.question) == [
        "A person was asked at a terminal whether files may be added to the photo library, and "
          + "allowed it.",
        "A person was asked at a terminal about the photo library, and picked what this run may read.",
      ]
    )
  }

  @Test("An answer that is taken back during a run is no question of it")
  func revoked() throws {
    let run = try Self.run(Self.selected + [Self.answer(.denied, basis: "userSet"), Self.answer(.denied)])
    #expect(run.questions.map(\.answer) == [.selected])
    #expect(run.transitions.count == 3)
  }

  @Test("One question is told once, whatever runs rest on its answer")
  func once() throws {
    var first = try Self.run(Self.selected)
    let later: [AuditRecord] = [
      Self.decision(.limited, .limited, by: "storedAnswer", basis: "picker"),
      Self.shown(4, answeredAt: "2026-11-21T01:44:38Z"),
    ]
    var second = try Self.run(later, second: 50)
    second.addSelected(1, of: .library, path: Self.path("b.jpg"))
    #expect(HTMLQuestions.once([first, second, second]).map(\.files) == [["b.jpg"]])
    first.addSelected(1, of: .library, path: Self.path("a.jpg"))
    #expect(HTMLQuestions.once([first, second]).map(\.files) == [["a.jpg"]])
    // An answer of "access ask", which no run has asked for.
    #expect(HTMLQuestions.once([second, second]).count == 1)
    // The run's own question came later than the answer on which the other one rests.
    #expect(HTMLQuestions.once([second, first]).count == 2)
    let other = try Self.run([later[0], Self.shown(5, answeredAt: "2026-11-21T01:44:38Z")])
    #expect(HTMLQuestions.once([first, other]).count == 2)
  }

  @Test("A file says who selected it, and none whose source the manifest limits")
  func selector() throws {
    #expect(
      try Self.run(Self.selected).selection(of: .library)?.text
        == "by a person in a browser, 2026-11-21T01:44:39.123456Z, among 4 names that were shown"
    )
    #expect(try Self.run(Self.selected).selection(of: .camera) == nil)
    for (basis, text) in [
      ("userConsent", "by a person at a terminal"),
      ("userSet", "by a person, by `mediabatch access`"),
    ] {
      let stored = Self.decision(.limited, .limited, by: "storedAnswer", basis: basis)
      #expect(try Self.run([stored]).selection(of: .library)?.text == text)
    }
    let picked = Self.decision(.notDetermined, .picked, by: "picking", basis: "picker")
    let selection = try Self.run([Self.shown(1), picked])
      .selection(of: .library)
    #expect(selection?.text.hasSuffix(", among 1 name that was shown") == true)
    let manifest = Self.decision(.limited, .limited, by: "manifest")
    #expect(try Self.run([manifest]).selection(of: .library) == nil)
    let all = Self.decision(.authorized, .authorized, by: "storedAnswer", basis: "picker")
    #expect(try Self.run([all]).selection(of: .library) == nil)
  }

  @Test("A forged log is no text but text, and no number but a number")
  func hostile() throws {
    let record = try Self.entry(Self.shown(-5, answeredAt: SampleReport.nasty))
    var run = try Self.run([Self.decision(.limited, .limited, by: "storedAnswer", basis: "picker")])
    run.note(record, isSubject: false)
    run.addSelected(.max, of: .library, path: SampleReport.nastyPath)
    run.addSelected(.max, of: .library)
    let question = try #require(run.questions.first)
    #expect(question.shownCount == 0 && question.fileCount == .max)
    expectHarmless(question.time + (question.files.first ?? ""))
    for _ in 0..<300 { run.note(record, isSubject: false) }
    #expect(run.questions.count == 100)
  }

  @Test("A question in JSON has the members of the schema")
  func json() throws {
    let run = try Self.run(Self.selected)
    guard case .object(let members) = JSONReport.question(try #require(run.questions.first)) else {
      Issue.record("no object")
      return
    }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: root.appendingPathComponent("docs/report.schema.json"))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    let runs = try #require(properties["runs"]?["items"] as? [String: Any])
    let ofRun = try #require(runs["properties"] as? [String: [String: Any]])
    let question = try #require(ofRun["questions"]?["items"] as? [String: Any])
    #expect(Set(try #require(question["required"] as? [String])) == Set(members.keys))
    let answers = try #require(
      (question["properties"] as? [String: [String: Any]])?["answer"]?["enum"] as? [Any]
    )
    #expect(
      Set(answers.compactMap { $0 as? String })
        == Set(ReportQuestion.Answer.allCases.map(\.rawValue))
    )
  }
}
