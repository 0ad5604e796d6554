import MediaLibrary
import MediaModel
import MediaPredicate
import Testing

@testable import MediaManifest
@testable import MediaPipeline

/// Dates and places are found anew when any rule for them is another.
@Suite("The rules that dates and places follow")
struct AppliedRulesTests {
  private typealias Change = @Sendable (inout Manifest, inout SourceDeclaration) throws -> Void

  private func rules(_ change: Change = { _, _ in }) throws -> AppliedRules {
    let json =
      "{\"version\":1,\"client\":{\"identifier\":\"a.b\"},\"output\":{\"path\":\"L\"},"
      + "\"usageDescriptions\":{\"NSPhotoLibraryUsageDescription\":\"why\"},"
      + "\"sources\":{\"library\":{\"path\":\"p\",\"authorizationStatus\":\"authorized\"}}}"
    var manifest = try #require(ManifestReader.read(bytes(json)).manifest)
    manifest.metadata = .keep
    var declaration = try #require(manifest.sources[.library])
    try change(&manifest, &declaration)
    manifest.sources[.library] = declaration
    return AppliedRules(manifest, of: .library)
  }

  private static let tracks: Change = { $1.tracks = [try SelectionPattern("a.gpx")] }
  private static let zone: Change = { $1.dates.timeZone = "Europe/Berlin" }

  private static func shift(
    _ seconds: Int = 60,
    camera: String? = nil,
    from: String? = nil,
    to: String? = nil
  ) throws -> DateShift {
    var shift = DateShift()
    (shift.seconds, shift.from, shift.to) = (seconds, from, to)
    shift.predicate = try camera.map { try FetchPredicate("camera == \"\($0)\"") }
    return shift
  }

  @Test("A manifest that says nothing has no rules, nor has one under strip without private facts")
  func nothing() throws {
    #expect(try rules() == AppliedRules())
    let everything: Change = { manifest, declaration in
      manifest.dates.fromModification = true
      manifest.placeData = "places.txt"
      declaration.dates.shifts = [try Self.shift()]
      try Self.tracks(&manifest, &declaration)
    }
    func all(_ policy: MetadataPolicy, isPrivate: Bool) throws -> AppliedRules {
      try rules { manifest, declaration in
        try everything(&manifest, &declaration)
        (declaration.metadata, manifest.storesPrivateFacts) = (policy, isPrivate)
      }
    }
    #expect(try all(.strip, isPrivate: false) == AppliedRules())
    let kept = try all(.keep, isPrivate: false)
    #expect(kept.dates == "fromName fromModification" && kept.corrections != nil && kept.places != nil)
    #expect(try all(.strip, isPrivate: true) == kept)
  }

  @Test("Each part of a correction makes another digest of corrections, and of no other rules")
  func corrections() throws {
    var digests: Set<String?> = [nil]
    let shifts: [[DateShift]] = [
      [try Self.shift()], [try Self.shift(61)], [try Self.shift(-60)], [try Self.shift(camera: "A")],
      [try Self.shift(camera: "B")], [try Self.shift(from: "2019-07-01")], [try Self.shift(to: "2019-07-01")],
      [try Self.shift(), try Self.shift(61)], [try Self.shift(61), try Self.shift()],
    ]
    for shifts in shifts {
      let rules = try rules { $1.dates.shifts = shifts }
      #expect(digests.insert(rules.corrections).inserted, "\(shifts.map(\.text))")
      #expect(rules.dates == nil && rules.places == nil)
    }
    #expect(digests.insert(try rules(Self.zone).corrections).inserted)
    let both = try rules {
      try Self.zone(&$0, &$1)
      $1.dates.shifts = [try Self.shift()]
    }
    #expect(digests.insert(both.corrections).inserted)
  }

  @Test("Places follow names of places and tracks, and with tracks each rule for dates")
  func places() throws {
    let places: Change = { manifest, _ in manifest.placeData = "places.txt" }
    let gap: Change = {
      try Self.tracks(&$0, &$1)
      $1.maximumGap = 61
    }
    let other: Change = { $1.tracks = [try SelectionPattern("b.gpx")] }
    let clocks: Change = {
      try Self.tracks(&$0, &$1)
      try Self.zone(&$0, &$1)
    }
    let dates: Change = {
      try Self.tracks(&$0, &$1)
      $0.dates.fromModification = true
    }
    let both: Change = {
      try Self.tracks(&$0, &$1)
      try places(&$0, &$1)
    }
    var digests: Set<String?> = [nil]
    for (index, change) in [places, Self.tracks, gap, other, clocks, dates, both].enumerated() {
      #expect(digests.insert(try rules(change).places).inserted, "\(index)")
    }
    // Without a track no date is a moment of one.
    #expect(try rules(Self.zone).places == nil)
    #expect(try rules { manifest, _ in manifest.dates.fromModification = true }.places == nil)
  }

  @Test("Dates that a person states are rules beside those that are on")
  func stated() throws {
    func about(_ date: String, _ pattern: String = "Scans/**") throws -> String? {
      try rules {
        var stated = StatedDate()
        (stated.pattern, stated.date) = (try SelectionPattern(pattern), AboutDate(date))
        $1.dates.about = [stated]
      }.dates
    }
    let dates = try #require(try about("1978"))
    #expect(dates.hasPrefix("fromName about:"))
    #expect(try about("1978") == dates)
    #expect(Set([dates, try about("1978~"), try about("1979"), try about("1978", "a/**")]).count == 4)
  }
}
