import Foundation
import MediaModel
import MediaReports
import MediaSyntax
import MediaTestSupport
import Testing

struct SummaryJSONTests {
  static let hasValidator: Bool =
    (try? Tool.run("python3", ["-c", "import jsonschema"]))?.status == 0

  private static var schema: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Manifests/summary.schema.json").path
  }

  private static func text(_ report: RunReport) -> String {
    String(decoding: SummaryJSON.object(report).serialized, as: UTF8.self)
  }

  @Test("The summary of a full run")
  func golden() throws {
    try expectSnapshot(Self.text(SampleReport.full()) + "\n", "summary.json")
  }

  @Test("The keys are those of the documented shape, no more and no fewer")
  func shape() throws {
    guard case .object(let summary) = SummaryJSON.object(SampleReport.full()) else {
      Issue.record("no object")
      return
    }
    #expect(
      Set(summary.keys) == [
        "schema", "run", "manifest", "library", "enforcement", "exitCode", "problems",
        "rulesWithoutMatch", "sources",
        "counts", "failures", "thumbnailMissing", "unsupported", "leftOut", "restored",
        "newerVersions", "replaced", "unstripped", "superseded", "audit", "elapsedSeconds",
      ]
    )
    #expect(summary["elapsedSeconds"] == .decimal(thousandths: 32_042))
  }

  @Test("A refused source adds nothing to any count")
  func refusedSource() {
    var report = SampleReport.full()
    let before = SummaryJSON.object(report)
    report.sources[2].authorizationStatus = .restricted
    report.sources[2].reason = .restricted
    guard case .object(let earlier) = before, case .object(let later) = SummaryJSON.object(report)
    else {
      Issue.record("no object")
      return
    }
    #expect(earlier["counts"] == later["counts"])
  }

  @Test("Hostile text stays text, and a path gives its bytes back")
  func hostile() throws {
    var report = SampleReport.hostile()
    report.thumbnailMissing = SampleReport.thumbnailMissing(
      1,
      path: { _ in SampleReport.nastyPath },
      detail: SampleReport.nasty
    )
    let text = Self.text(report)
    expectHarmless(text)
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let failures = try #require(parsed?["failures"] as? [[String: Any]])
    #expect(failures.count == SampleReport.failureReasons.count)
    let lacking = try #require(parsed?["thumbnailMissing"] as? [[String: Any]])
    #expect(lacking.count == 1)
    for failure in failures + lacking {
      let path = try #require(failure["path"] as? String)
      #expect(EscapedText.bytes(percentEscaped: path) == SampleReport.nastyPath.bytes)
    }
    let library = try #require(parsed?["library"] as? String)
    #expect(EscapedText.bytes(percentEscaped: library) == Array(SampleReport.nasty.utf8))
  }

  @Test(
    "The schema accepts what is written and refuses each single change",
    .enabled(if: hasValidator, "python3 has no jsonschema: the schema is not checked here")
  )
  func schema() throws {
    let folder = TemporaryFolder()
    var full = SampleReport.full()
    full.thumbnailMissing = SampleReport.thumbnailMissing(2)
    var refused = SampleReport.full()
    refused.auditFile = nil
    refused.problems = []
    refused.failures = []
    refused.exitCode = .sourceRefused
    var nasty = SampleReport.hostile()
    nasty.manifestSHA256 = SampleReport.head
    nasty.auditHead = SampleReport.head
    nasty.auditRoot = SampleReport.head
    for (name, report) in [("full", full), ("refused", refused), ("nasty", nasty)] {
      try Data(Self.text(report).utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name).json"))
    }
    let script = folder.path + "/check.py"
    try Data(Self.script.utf8).write(to: URL(fileURLWithPath: script))
    let result = try Tool.run("python3", [script, Self.schema, folder.path])
    #expect(result.status == 0, "\(result.output)\(result.error)")
    let refusals = Int(result.output.split(separator: " ").first ?? "") ?? 0
    #expect(refusals > 100, "\(result.output)")
  }

  /// Every member taken away, renamed, and set to a value of another type.
  private static let script = #"""
    import copy, json, sys, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    for name in ["full", "refused", "nasty"]:
        check.validate(json.load(open(f"{sys.argv[2]}/{name}.json")))
    good = json.load(open(f"{sys.argv[2]}/full.json"))
    count, missed = 0, []
    def at(root, path):
        for step in path:
            root = root[step]
        return root
    def visit(node, path):
        global count
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            changes = [("type", lambda parent, k: parent.__setitem__(k, {"x": 1}))]
            if isinstance(node, dict):
                changes.append(("gone", lambda parent, k: parent.pop(k)))
                changes.append(("extra", lambda parent, k: parent.__setitem__(k + "x", 1)))
            if isinstance(value, str):
                changes.append(("control", lambda parent, k: parent.__setitem__(k, "a\x1b[0m")))
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                changes.append(("negative", lambda parent, k: parent.__setitem__(k, -1)))
            for kind, change in changes:
                bad = copy.deepcopy(good)
                change(at(bad, path), key)
                count += 1
                if check.is_valid(bad):
                    missed.append((path, key, kind))
            if isinstance(value, (dict, list)):
                visit(value, path + [key])
    visit(good, [])
    print(count, "refused", "missed:", missed)
    sys.exit(bool(missed))
    """#
}
