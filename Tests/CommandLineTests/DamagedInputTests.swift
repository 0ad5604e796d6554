import Foundation
import MediaModel
import MediaTestSupport
import Testing

/// Files that no decoder should be trusted with.
@Suite("Damaged files", .ownProcesses, .serialized, .enabled(if: Has.sqlite, "no sqlite3"))
struct DamagedInputTests {
  @Test(
    "Every damaged file of the corpus ends in one outcome, and what is published is whole",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: [MetadataPolicy.strip, .keep]
  )
  func corpus(policy: MetadataPolicy) throws {
    let damaged = Corpus.files(beneath: "damaged")
    try #require(damaged.count > 1000)
    let step = Amount.of(24, all: 1)
    // Each policy has files of its own, unless it has all.
    let first = policy == .keep ? step / 2 : 0
    let sample = damaged.enumerated().filter { $0.offset % step == first }.map(\.element)
    let scene = Scene(policy: policy.rawValue)
    try scene.declare("camera", "authorized")
    for (index, file) in (sample + Corpus.files(beneath: "visible/edge")).enumerated() {
      let name = (file as NSString).lastPathComponent
      try scene.put("sources/camera/\(index)/\(name)", copyOf: file)
    }
    try expectEnds(scene, count: sample.count + Corpus.files(beneath: "visible/edge").count)
  }

  @Test(
    "Every cut and every changed byte of the project's own media ends in one outcome",
    arguments: [MetadataPolicy.strip, .keep]
  )
  func ownMedia(policy: MetadataPolicy) throws {
    let scene = Scene(policy: policy.rawValue)
    try scene.declare("camera", "authorized")
    var random = SeededGenerator(seed: 20_261_121)
    var count = 0
    for file in [Samples.photo(1), Samples.png, Samples.movie, Samples.video, Samples.sound] {
      let whole = try readBytes(file)
      let ending = (file as NSString).pathExtension
      for number in 0..<Amount.of(4, all: 100) {
        // Most of what parsers go by stands at the start.
        let start = number % 2 == 0 ? min(600, whole.count) : whole.count
        var changed = whole
        for _ in 0...(number % 4) {
          changed[Int.random(in: 0..<start, using: &random)] = .random(in: 0...255, using: &random)
        }
        try scene.put("sources/camera/changed/\(count).\(ending)", changed)
        let length = Int.random(in: 0..<start, using: &random)
        try scene.put("sources/camera/cut/\(count).\(ending)", Array(whole.prefix(length)))
        count += 1
      }
    }
    try expectEnds(scene, count: 2 * count)
  }

  /// Runs the import and checks that each file has its outcome, a failed one its reason.
  private func expectEnds(_ scene: Scene, count: Int) throws {
    scene.setThumbnails([("grid", 64, 64, "aspectFill"), ("preview", 300, 300, "aspectFit")])
    let library = try scene.choose(library: "Library")
    let outcome = try scene.start("--workers", "2").wait(seconds: 400)
    try outcome.expect(3)
    let counts = try outcome.json()["counts"].object.compactMapValues { $0.int }
    #expect(counts["discovered"] == count)
    #expect(ItemOutcome.allCases.reduce(0) { $0 + (counts[$1.rawValue] ?? 0) } == count)
    let failures = try outcome.json()["failures"].array
    #expect(failures.count == counts["failed"])
    let reasons = Set(ItemReason.allCases.filter { $0.outcome == .failed }.map(\.rawValue))
    for failure in failures {
      let reason = failure["reason"].string ?? ""
      #expect(reasons.contains(reason), "\(failure["path"].string ?? "?"): \(reason)")
      // An honest worker never breaks the protocol, whatever it reads.
      #expect(
        reason != ItemReason.workerProtocol.rawValue,
        "\(failure["path"].string ?? "?"): \(failure["message"].string ?? "?")"
      )
      #expect(failure["message"].string?.isEmpty == false)
    }
    #expect(try scene.catalogue("SELECT count(*) FROM items") == ["\(count)"])
    #expect(
      try scene.catalogue(
        "SELECT count(*) FROM items WHERE outcome IN ('failed', 'skipped') AND reason IS NULL"
      ) == ["0"]
    )
    try LibraryState.expectWhole(library)
  }
}
