import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Somebody who may write in a source, while it is imported, points its names at what was refused.
@Suite("Swaps with the refused tree", .enabled(if: Has.magick, "no ImageMagick"))
struct RefusedTreeSwapTests {
  /// In every refused file, and in the name of one; it may be nowhere in a library.
  private static let canary = "CANARY-OF-THE-REFUSED-TREE"

  enum Status: String, CaseIterable { case authorized, limited }

  /// When names are swapped: behind which look at each of them, and whether back behind the next.
  ///
  /// The looks at a file are its folder's listing (0), its own status (1) and its opening (2); in a
  /// folder's case those at what it holds follow. Without all, each look occurs once where all is
  /// allowed, and two of them the other way round in a limited source.
  private static func moments(_ status: Status) -> [(look: Int, isBack: Bool)] {
    if Amount.isAll { return (0...8).flatMap { [($0, false), ($0, true)] } }
    return switch status {
    case .authorized: [(0, false), (1, true), (2, false), (5, true)]
    case .limited: [(1, false), (2, true)]
    }
  }

  @Test(
    "Names swapped for links to the refused tree, behind any look at them, bring nothing of it",
    .enabled(if: Has.strace, "no strace"),
    arguments: Status.allCases
  )
  func swaps(status: Status) throws {
    let scene = try scene(status)
    let allowed = try allowedContent(scene)
    let pairs = try plant(scene)
    for moment in Self.moments(status) {
      let (outcome, swaps) = try run(scene, pairs, swappedAt: moment)
      // Items that were gone or changed fail; nothing worse may come of it.
      #expect([0, 3].contains(outcome.code), "\(moment): \(outcome.streams)")
      #expect(!outcome.streams.contains(Self.canary))
      #expect(swaps >= (moment.look <= 2 ? pairs.count : 2), "\(moment): \(swaps)")
      #expect(try leaks(scene, allowed: allowed) == [], "\(moment)")
      try scene.expectVerified()
      try FileManager.default.removeItem(atPath: scene.library)
    }
  }

  @Test(
    "Names swapped at random moments bring nothing of the refused tree into the library",
    .enabled(if: Amount.isAll, "swaps 5000 names: set MEDIABATCH_TEST_ALL"),
    arguments: Status.allCases
  )
  func race(status: Status) throws {
    let scene = try scene(status)
    let allowed = try allowedContent(scene)
    let pairs = try plant(scene)
    var swaps = 0
    var runs = 0
    while swaps < 5_000 || runs < 20 {
      let swapper = Swapper(pairs)
      let outcome = try scene.run()
      swapper.stop()
      swaps += swapper.count
      runs += 1
      #expect([0, 3].contains(outcome.code), "\(outcome.streams)")
      #expect(!outcome.streams.contains(Self.canary))
      #expect(swapper.count > 0 && swapper.failed == 0)
      guard runs.isMultiple(of: 4) || swaps >= 5_000 && runs >= 20 else { continue }
      #expect(try leaks(scene, allowed: allowed) == [])
      try scene.expectVerified()
      try FileManager.default.removeItem(atPath: scene.library)
    }
  }

  @Test(
    "A source that is exempted from the rule on hard links lets them in: the attack is real",
    .enabled(if: Has.strace, "no strace")
  )
  func exempted() throws {
    let scene = try scene(.authorized)
    let allowed = try allowedContent(scene)
    let pairs = try plant(scene).filter { $0.0.hasSuffix("camera/hard.jpg") }
    for isExempted in [false, true] {
      if isExempted { try scene.declare("camera", "authorized", ["hardLinks": "allow"]) }
      let (outcome, swaps) = try run(scene, pairs, swappedAt: (look: 0, isBack: false))
      #expect(swaps == 1, "\(outcome.streams)")
      let traces = try leaks(scene, allowed: allowed)
      #expect(traces.contains { $0.hasPrefix("bytes") } == isExempted, "\(traces)")
      try FileManager.default.removeItem(atPath: scene.library)
    }
  }

  @Test("The search for canaries finds them when the refused tree is allowed")
  func negativeControl() throws {
    let scene = try scene(.authorized)
    let allowed = try allowedContent(scene)
    scene.manifest["sources"] = [
      "camera": ["path": "refused", "authorizationStatus": "authorized"]
    ]
    try scene.run().expect(0)
    let traces = try leaks(scene, allowed: allowed)
    for kind in ["bytes", "name", "pixels", "content"] {
      #expect(traces.contains { $0.hasPrefix(kind) }, "\(kind): \(traces)")
    }
  }

  private static let names = [
    "roll/a.jpg", "roll/b.jpg", "roll/c.jpg", "link.jpg", "hard.jpg", "other.jpg",
  ]

  /// A picture for each name in each folder, no two the same.
  private static let pictures = Result {
    let scratch = TemporaryFolder()
    var files: [String: String] = [:]
    var arguments = ["-attenuate", "0.1"]
    for folder in ["sources/camera", "sources/library", "good", "refused"] {
      let isRefused = folder == "refused"
      for name in names {
        let file = scratch.path + "/\(files.count).jpg"
        arguments += [
          "(", "-size", "240x160", "-seed", "\(files.count)",
          isRefused ? "xc:rgb(255,0,0)" : "xc:rgb(0,160,40)", "+noise", "Gaussian",
          "-set", "comment", isRefused ? canary : "allowed", "-write", file, "+delete", ")",
        ]
        files[folder + "/" + name] = file
      }
    }
    // At its end ImageMagick wants a picture.
    try Independent.make("convert", arguments + ["xc:red", "null:"])
    return try files.mapValues { try readBytes($0) }
  }

  /// The digests of all files that may be imported.
  private func allowedContent(_ scene: Scene) throws -> Set<String> {
    try ["sources/camera", "sources/library", "good"].reduce(into: []) { allowed, folder in
      allowed.formUnion(try scene.digests(folder).values)
    }
  }

  /// Runs, and swaps each pair of names behind one look of the program at the first of them.
  ///
  /// - Returns: How often names were swapped; they are as before.
  private func run(
    _ scene: Scene,
    _ pairs: [(String, String)],
    swappedAt moment: (look: Int, isBack: Bool)
  ) throws -> (outcome: Outcome, swaps: Int) {
    try scene.writeManifest()
    let held = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "statx,openat2,getdents64",
      paths: ["camera", "library"].flatMap { source in
        [scene.at("sources/" + source), scene.at("sources/\(source)/roll")]
      }
    )
    var looks = pairs.map { _ in -1 }
    var isSwapped = pairs.map { _ in false }
    var swaps = 0
    func swap(_ index: Int) throws {
      try #require(exchange(pairs[index].0, pairs[index].1) == 0)
      isSwapped[index].toggle()
    }
    while let call = try held.next() {
      for (index, pair) in pairs.enumerated() {
        let isListed = call.name == "getdents64" && pair.0.hasPrefix(call.path + "/")
        let isLookedUp = call.isLookup && (call.path + "/").hasPrefix(pair.0 + "/")
        // The end of a listing is a second one.
        guard isListed ? looks[index] < 0 : isLookedUp else { continue }
        looks[index] += 1
        if looks[index] == moment.look || moment.isBack && looks[index] == moment.look + 1 {
          try swap(index)
          swaps += 1
        }
      }
    }
    let outcome = try held.wait()
    for index in pairs.indices where isSwapped[index] { try swap(index) }
    return (outcome, swaps)
  }

  /// Green pictures in two sources, red ones with canaries in a tree that is denied.
  private func scene(_ status: Status) throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera").declare("microphone", "denied", ["path": "refused"])
    try scene.declare(
      "library",
      status.rawValue,
      status == .limited
        ? ["selection": ["roll/*.jpg", "link.jpg", "hard.jpg", "other.jpg"]] : [:]
    )
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    let pictures = try Self.pictures.get()
    for folder in ["sources/camera", "sources/library", "good", "refused"] {
      for name in Self.names {
        try scene.put(folder + "/" + name, try #require(pictures[folder + "/" + name]))
      }
    }
    try FileManager.default.copyItem(
      atPath: scene.at("refused/roll/a.jpg"),
      toPath: scene.at("refused/roll/\(Self.canary).jpg")
    )
    return scene
  }

  /// What the attacker puts in the place of each name, prepared beside the sources.
  private func plant(_ scene: Scene) throws -> [(String, String)] {
    var pairs: [(String, String)] = []
    for source in ["camera", "library"] {
      let aside = "aside-" + source
      try scene.makeFolder(aside)
      let refused = scene.at("refused")
      let files = FileManager.default
      for name in ["roll", "link.jpg"] {
        try files.createSymbolicLink(
          atPath: scene.at("\(aside)/\(name)"),
          withDestinationPath: "\(refused)/\(name)"
        )
      }
      try files.linkItem(atPath: refused + "/hard.jpg", toPath: scene.at(aside + "/hard.jpg"))
      try files.copyItem(atPath: scene.at("good/other.jpg"), toPath: scene.at(aside + "/other.jpg"))
      for name in ["roll", "link.jpg", "hard.jpg", "other.jpg"] {
        pairs.append((scene.at("sources/\(source)/\(name)"), scene.at("\(aside)/\(name)")))
      }
    }
    return pairs
  }

  /// Every trace of the refused tree in the library; empty when there is none.
  private func leaks(_ scene: Scene, allowed: Set<String>) throws -> [String] {
    var traces: [String] = []
    let grep = try Tool.run("grep", ["-rlaF", Self.canary, scene.library])
    try #require(grep.status <= 1, "\(grep.error)")
    traces += grep.output.split(separator: "\n").map { "bytes \($0)" }
    for (path, digest) in try scene.digests("Library/Originals") where !allowed.contains(digest) {
      // Also a file that is half of one and half of another.
      traces.append("content \(path)")
    }
    for path in try scene.digests("Library").keys where path.contains(Self.canary) {
      traces.append("name \(path)")
    }
    let paths = try scene.thumbnails("grid")
    for (path, red) in zip(paths, try Self.reds(paths)) where red > 128 {
      traces.append("pixels \(path)")
    }
    return traces
  }

  /// How red each picture is in its middle, 0 to 255, as ImageMagick sees it.
  private static func reds(_ paths: [String]) throws -> [Double] {
    if paths.isEmpty { return [] }
    let operators = ["-scale", "10x10!", "-depth", "8", "-crop", "1x1+5+5", "+repage", "txt:-"]
    let result = try Tool.run("convert", paths + operators)
    try #require(result.status == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let reds = lines.compactMap { line in
      line.split(separator: "(").dropFirst().first.flatMap { Double($0.prefix { $0 != "," }) }
    }
    try #require(reds.count == paths.count, "\(result.output)")
    return reds
  }
}
