import Foundation
import MediaManifest
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPermissions

/// A spoilt manifest never opens more than its text says to a reader that is not ours.
@Suite("Spoilt manifests", .enabled(if: IndependentJSON.isAvailable, "no python3"))
struct MutatedManifestTests {
  @Test("Spoilt manifests, ten thousand under MEDIABATCH_TEST_ALL, give no more than they say")
  func spoilt() throws {
    var random = SeededGenerator(seed: 3)
    var metadata = SeededGenerator(seed: 333)
    var mutation = ManifestMutation(seed: 33)
    let texts = (0..<Amount.of(1_000, all: 10_000)).map { _ in
      var drawn = GeneratedManifest(using: &random)
      drawn.drawMetadata(using: &metadata)
      return mutation.spoil(drawn.json)
    }
    let readings = try IndependentJSON.read(texts)
    try #require(readings.count == texts.count)
    var accepted = 0
    var given = 0
    var saved = 0
    for (text, reading) in zip(texts, readings) {
      // What a reader would give that takes the last of two equal keys: the reason for this test.
      if reading.strict == nil, reading.lenient.map({ !allowed(in: $0).isEmpty }) ?? false {
        saved += 1
      }
      guard let manifest = ManifestReader.read(text).manifest else { continue }
      accepted += 1
      let shown = String(decoding: text, as: UTF8.self)
      guard let strict = reading.strict else {
        Issue.record("read, and no other reader does: \(shown)")
        continue
      }
      let plan = PermissionPlan.decide(manifest: manifest, context: PermissionContext()) { _ in
        .available
      }
      let ours = Set(plan.sources.filter(\.isRead).map { opened($0, manifest) })
      given += ours.count
      #expect(ours.isSubset(of: allowed(in: strict)), "\(shown)")
      let isNeutral = (strict["labels"] as? [String: Any])?["neutral"] as? Bool ?? false
      #expect(manifest.labels.neutral == isNeutral, "\(shown)")
      let isProcess = strict["enforcement"] as? String == "process"
      #expect((manifest.enforcement == .process) == isProcess, "\(shown)")
      #expect(manifest.output == (strict["output"] as? [String: Any])?["path"] as? String, "\(shown)")
    }
    // Enough of them are still manifests, and enough open something, for this to say something.
    let shares = "\(accepted) read, \(given) sources opened, \(saved) caught, of \(texts.count)"
    #expect(accepted > texts.count / 25, "\(shares)")
    #expect(given > texts.count / 40, "\(shares)")
    #expect(saved > texts.count / 100, "\(shares)")
  }

  /// A source that is read, with all that widens it, as one line.
  private func opened(_ source: DecidedSource, _ manifest: Manifest) -> String {
    let declaration = manifest.sources[source.source]
    return line(
      source.source.name,
      path: declaration?.path ?? "",
      selection: source.decision.reason == .limited
        ? source.selection.map { $0.map(\.text) } ?? ["everything"] : nil,
      metadata: manifest.metadataPolicy(of: source.source).rawValue,
      crossMounts: declaration?.crossMounts ?? false,
      hardLinks: declaration?.hardLinks == .allow,
      mode: declaration?.captureMode.rawValue ?? "photo"
    )
  }

  private func line(
    _ kind: String,
    path: String,
    selection: [String]?,
    metadata: String,
    crossMounts: Bool,
    hardLinks: Bool,
    mode: String
  ) -> String {
    let selected = selection.map { $0.joined(separator: " ; ") } ?? "all"
    return
      "\(kind) \(path) [\(selected)] \(metadata) mounts \(crossMounts) links \(hardLinks) \(mode)"
  }

  /// The lines that the reference decider allows on what an independent reader has read.
  private func allowed(in root: [String: Any]) -> Set<String> {
    var lines: Set<String> = []
    let sources = root["sources"] as? [String: Any] ?? [:]
    let descriptions = root["usageDescriptions"] as? [String: Any] ?? [:]
    for kind in SourceKind.allCases {
      guard let source = sources[kind.rawValue] as? [String: Any],
        let path = source["path"] as? String
      else { continue }
      let text = descriptions[UsageDescriptionKey(source: kind, level: .readWrite).rawValue]
      let row = ReferenceDecider.decide(
        AccessDecisionInput(
          source: kind,
          usageDescription: (text as? String).map { .text($0) },
          manifest: statements(source["authorizationStatus"]),
          availability: .available
        )
      )
      guard row.hasSuffix("proceed") else { continue }
      let own = source["metadata"] as? [String: Any]
      lines.insert(
        line(
          kind.rawValue,
          path: path,
          selection: row.hasPrefix("11 ") ? source["selection"] as? [String] ?? [] : nil,
          metadata: policy(own ?? root["metadata"] as? [String: Any]),
          crossMounts: source["crossMounts"] as? Bool ?? false,
          hardLinks: source["hardLinks"] as? String == "allow",
          mode: (source["capture"] as? [String: Any])?["mode"] as? String ?? "photo"
        )
      )
    }
    return lines
  }

  /// `keep`, or `strip` with what it leaves, as one text.
  private func policy(_ metadata: [String: Any]?) -> String {
    let left = (metadata?["except"] as? [Any] ?? []).map { entry in
      (entry as? [String: Any])?["location"].map { "location:\($0)" } ?? "\(entry)"
    }
    return ([metadata?["policy"] as? String ?? "strip"] + left.sorted()).joined(separator: "+")
  }

  private func statements(_ value: Any?) -> [AccessLevel: StatusStatement] {
    var statements: [AccessLevel: StatusStatement] = [:]
    if let word = value as? String, let status = AuthorizationStatus(name: word) {
      statements[.readWrite] = StatusStatement(status)
    }
    for level in AccessLevel.allCases {
      if let word = (value as? [String: Any])?[level.name] as? String,
        let status = AuthorizationStatus(name: word)
      {
        statements[level] = StatusStatement(status)
      }
    }
    return statements
  }
}
