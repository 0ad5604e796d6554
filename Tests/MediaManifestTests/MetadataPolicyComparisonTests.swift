import MediaManifest
import MediaModel
import Testing

@Suite("Comparing metadata policies")
struct MetadataPolicyComparisonTests {
  /// A policy as a manifest has it, and what a file that is written under it can tell.
  struct Written: Sendable {
    var json: String
    var kept: Set<String>

    init(_ json: String, _ kept: Set<String>) {
      self.json = json
      self.kept = kept
    }
  }

  /// Both words, and everything that a location and one more entry can be.
  static let policies = [
    Written(#"{"policy": "keep"}"#, ["camera", "region", "spot", "serial number"]),
    Written("{}", []),
    Written(#"{"except": ["camera"]}"#, ["camera"]),
    Written(#"{"except": ["location"]}"#, ["region", "spot"]),
    Written(#"{"except": [{"location": "coarse"}]}"#, ["region"]),
    Written(
      #"{"policy": "strip", "except": ["location", "camera"]}"#,
      ["camera", "region", "spot"]
    ),
    Written(#"{"except": ["camera", {"location": "coarse"}]}"#, ["camera", "region"]),
  ]

  private func compare(_ old: [String: String?], _ new: [String: String?]) throws
    -> ManifestComparison
  {
    func side(_ values: [String: String?]) throws -> ManifestComparison.Side {
      let manifest = try ManifestBuilder.manifest(ManifestBuilder.base.merging(values) { $1 })
      return ManifestComparison.Side(manifest: manifest, folder: Array("/srv".utf8))
    }
    return try ManifestKeys.comparison(old: side(old), new: side(new))
  }

  @Test("One policy narrows another exactly when files can tell less under it")
  func everyPair() throws {
    for old in Self.policies {
      for new in Self.policies {
        let comparison = try compare(["metadata": old.json], ["metadata": new.json])
        let isSame = old.kept == new.kept
        let isNarrower = !isSame && new.kept.isSubset(of: old.kept)
        let pair = "\(old.json) → \(new.json)"
        // Three sources inherit it.
        #expect(comparison.narrowings.count == (isNarrower ? 4 : 0), "\(pair)")
        #expect(comparison.widenings.count == (isSame || isNarrower ? 0 : 4), "\(pair)")
        #expect(comparison.narrowings.allSatisfy { $0.narrowing == .metadataStripped })
      }
    }
  }

  @Test("A source's own policy is compared with the one that it had from the manifest")
  func ownPolicy() throws {
    let keeping = ["metadata": #"{"policy": "keep"}"#]
    var own = keeping
    own["sources.camera.metadata"] = #"{"except": ["rating", {"location": "coarse"}]}"#
    let narrowed = try compare(keeping, own)
    #expect(narrowed.widenings.isEmpty)
    #expect(narrowed.narrowings.map(\.path) == ["$.sources.camera.metadata.policy"])
    #expect(narrowed.narrowings.map(\.new) == [#""strip""#])
    let sentence = try #require(narrowed.narrowings.first?.sentence)
    #expect(sentence.contains(#"but for [{"location": "coarse"}, "rating"]"#))
    #expect(try compare(own, keeping).widenings.map(\.new) == [#""keep""#])
  }

  @Test("What is left is shown as a manifest has it, null for nothing")
  func shown() throws {
    let old = ["metadata": #"{"except": [{"location": "coarse"}, "camera"]}"#]
    let comparison = try compare(old, ["metadata": "{}"])
    #expect(comparison.narrowings.last?.path == "$.metadata.except")
    #expect(comparison.narrowings.last?.old == #"["camera", {"location": "coarse"}]"#)
    #expect(comparison.narrowings.last?.new == nil)
  }
}
