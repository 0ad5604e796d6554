import Foundation
import MediaManifest
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPermissions

/// The way from a manifest's text to a decision, against the reference decider on what was drawn.
@Suite("Generated manifests")
struct GeneratedManifestTests {
  /// What the table says of a drawn manifest: a line a source, and how the run ends.
  private func expectation(_ drawn: GeneratedManifest) -> (lines: [String], stop: Int32?) {
    // A mistake of the text: nothing is decided.
    let isMistaken = drawn.sources.contains { source in
      source.status == "limited" && source.kind != "library"
    }
    if isMistaken { return ([], 78) }
    let camera = drawn.sources.first { $0.kind == "camera" }
    let needsSound = camera?.captureMode.map { $0 != "photo" } ?? false
    var needs = drawn.sources.filter { $0.kind != "microphone" || $0.path != nil || needsSound }
    if needsSound, !needs.contains(where: { $0.kind == "microphone" }) {
      needs.append(GeneratedManifest.Source(kind: "microphone"))
    }
    // One description that is missing stops everything before a folder is looked at.
    let isAnyMissing = needs.contains { line(of: $0, in: drawn, looks: false).hasPrefix("1 ") }
    let lines = needs.map { line(of: $0, in: drawn, looks: !isAnyMissing) }
    let ends = zip(needs, lines).compactMap { need, line -> Int32? in
      let isRequired = isRequired(need, drawn)
      if line.hasSuffix("stop 78") { return 78 }
      if line.hasSuffix("stop 75") { return 75 }
      if line.hasSuffix("refuse"), isRequired { return 77 }
      return line.hasSuffix("notDone") && isRequired ? 66 : nil
    }
    let stop = [78, 75, 77, 66].first { ends.contains($0) }
    return (zip(needs, lines).map { "\($0.kind) \($1)" }, stop)
  }

  private func line(
    of need: GeneratedManifest.Source,
    in drawn: GeneratedManifest,
    looks: Bool
  ) -> String {
    let key = [
      "camera": "NSCameraUsageDescription", "library": "NSPhotoLibraryUsageDescription",
      "microphone": "NSMicrophoneUsageDescription",
    ][need.kind]
    let text = key.flatMap { drawn.usageDescriptions[$0] }
    var statements: [AccessLevel: StatusStatement] = [:]
    if let status = need.status.flatMap(AuthorizationStatus.init(name:)) {
      statements[.readWrite] = StatusStatement(status)
    }
    if let status = need.addOnlyStatus.flatMap(AuthorizationStatus.init(name:)) {
      statements[.addOnly] = StatusStatement(status)
    }
    return ReferenceDecider.decide(
      AccessDecisionInput(
        source: SourceKind(rawValue: need.kind) ?? .camera,
        usageDescription: text?.hasPrefix("\"Why") == true ? .text("Why.") : nil,
        manifest: statements,
        onNotDetermined: drawn.onNotDetermined.flatMap(NotDeterminedPolicy.init(rawValue:)) ?? .ask,
        availability: !looks || need.path == nil
          ? .unknown : need.isThere ? .available : .unavailable
      )
    )
  }

  private func isRequired(_ need: GeneratedManifest.Source, _ drawn: GeneratedManifest) -> Bool {
    if let required = need.required { return required }
    if need.kind == "microphone", need.path == nil { return false }
    switch need.status {
    case "authorized", "limited": return true
    case "denied", "restricted": return false
    default: return drawn.onNotDetermined != "deny"
    }
  }

  @Test("A thousand drawn manifests are decided as the table says, and end as it says")
  func thousand() throws {
    var random = SeededGenerator(seed: 20_261_121)
    var ends: [Int32: Int] = [:]
    var rows: Set<Substring> = []
    for number in 0..<1_000 {
      let drawn = GeneratedManifest(using: &random)
      let wanted = expectation(drawn)
      let reading = ManifestReader.read(Array(drawn.json.utf8))
      guard let manifest = reading.manifest else {
        let texts = reading.issues.map { $0.description(in: "manifest") }
        #expect(wanted.stop == 78 && wanted.lines == [], "\(number): \(texts)\n\(drawn.json)")
        ends[78, default: 0] += 1
        continue
      }
      let there = Set(drawn.sources.filter(\.isThere).map(\.kind))
      let plan = PermissionPlan.decide(manifest: manifest, context: PermissionContext()) {
        there.contains($0.name) ? .available : .unavailable
      }
      let lines = plan.sources.filter(\.isNeeded).map { source -> String in
        let end =
          switch source.decision.outcome {
          case .proceed: "proceed"
          case .refuse: "refuse"
          case .notDone: "notDone"
          case .ask: "ask"
          case .stop(let code): "stop \(code.rawValue)"
          }
        return "\(source.source) \(source.decision.row) \(source.decision.reason.rawValue) \(end)"
      }
      #expect(lines == wanted.lines, "\(number):\n\(drawn.json)")
      #expect(plan.stop?.rawValue == wanted.stop, "\(number): \(lines)\n\(drawn.json)")
      ends[plan.stop?.rawValue ?? 0, default: 0] += 1
      rows.formUnion(lines.map { $0.split(separator: " ")[1] })
    }
    // All ends are met often enough to count, and all rows that a manifest alone can reach.
    for end: Int32 in [0, 66, 75, 77, 78] { #expect(ends[end, default: 0] > 20, "\(ends)") }
    #expect(rows == ["1", "3", "5", "7", "8", "9", "11", "12"])
  }
}
