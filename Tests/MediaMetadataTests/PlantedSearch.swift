import Foundation
import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A file into which texts are planted, with the options for stripping it.
struct PlantedTarget: CustomStringConvertible, Sendable {
  var description: String
  var format: MediaFormat
  var bytes: [UInt8]
  var options = StripOptions()
  /// The places of a grammar within the file; nil for those of the file's own.
  var inner: (@Sendable () -> [PlantedPlaces.Plant])?
  /// Whether a text may stay there; nil for the parts that docs name.
  var mayStay: (@Sendable (PlantedPlaces.Plant) -> Bool)?

  func plants(density: Int) -> [PlantedPlaces.Plant] {
    inner?() ?? PlantedPlaces.plants(of: FileGrammar(bytes, format), density: density)
  }

  /// The places of some of the parts and gaps, of which a large file has more than are tried at a time.
  func somePlants(density: Int, using random: inout SeededGenerator) -> [PlantedPlaces.Plant] {
    if let inner { return inner() }
    var grammar = FileGrammar(bytes, format)
    grammar.parts = Array(grammar.parts.shuffled(using: &random).prefix(24))
    grammar.gaps = Array(grammar.gaps.shuffled(using: &random).prefix(6))
    return PlantedPlaces.plants(of: grammar, density: density)
  }

  func mayStay(_ plant: PlantedPlaces.Plant) -> Bool {
    mayStay?(plant) ?? PlantedFiles.mayStay(plant, in: format)
  }

  /// The output of the file without a text, which the grammar may write in another form.
  var clean: [UInt8]? { try? strip(FileGrammar(bytes, format).bytes, format, options).output }
}

/// Plants texts at random for as long as `MEDIABATCH_PLANTED_MINUTES` says: in the tests' own files, and in those of the
/// folder `MEDIABATCH_PLANTED_MEDIA`; half of them in a file that has another planted text already. Each round ends with
/// a table. What stays where it must not, and a sample of pairs to be decoded, goes into `MEDIABATCH_PLANTED_OUTPUT`.
struct PlantedSearch {
  private static let environment = ProcessInfo.processInfo.environment
  static let minutes = environment["MEDIABATCH_PLANTED_MINUTES"].flatMap { Double($0) }
  private static let output = environment["MEDIABATCH_PLANTED_OUTPUT"]
  /// One output in so many that differ from that of the file without a text is kept as a pair.
  private static let pairShare = 1.0 / 150
  private static let maximumPairs = 3000

  private struct Row {
    var media: Set<String> = []
    var places: Set<String> = []
    var (files, removed, refused, stays, leaks) = (0, 0, 0, 0, 0)
  }

  private var random = SeededGenerator("PlantedSearch")
  private var rows: [String: Row] = [:]
  private var pairCount = 0
  private(set) var leaks: [String: Int] = [:]

  private static var targets: [PlantedTarget] {
    var targets = PlantedFiles.all.map {
      PlantedTarget(description: $0.description, format: $0.format, bytes: $0.bytes)
    }
    targets += PlantedInner.all
    guard let folder = environment["MEDIABATCH_PLANTED_MEDIA"],
      let names = try? FileManager.default.subpathsOfDirectory(atPath: folder)
    else { return targets }
    for name in names.sorted() {
      guard let bytes = try? readBytes("\(folder)/\(name)"), bytes.count < 1 << 20,
        let format = format(of: bytes)
      else { continue }
      let target = PlantedTarget(description: name, format: format, bytes: bytes)
      if target.clean != nil { targets.append(target) } else { print("planted: \(name) is refused") }
    }
    return targets
  }

  mutating func run() {
    let end = ContinuousClock.now + .seconds(60 * (Self.minutes ?? 0))
    let targets = Self.targets
    for round in 1... {
      for target in targets.shuffled(using: &random) {
        plant(in: target)
        if ContinuousClock.now >= end { break }
      }
      report(round)
      if ContinuousClock.now >= end { return }
    }
  }

  private mutating func plant(in target: PlantedTarget) {
    var target = target
    var plants = target.somePlants(density: 16 + Int(random.next() % 48), using: &random)
    let isSecond = target.inner == nil && random.chance(0.5)
    if isSecond {
      guard let first = plants.randomElement(using: &random)?.make() else { return }
      target.bytes = first
      plants = target.somePlants(density: 16, using: &random)
    }
    guard !plants.isEmpty, let clean = target.clean, !PlantedPlaces.isPresent(in: clean) else { return }
    let byPath = Dictionary(grouping: plants.indices) { plants[$0].path }
    let paths = byPath.keys.sorted()
    for _ in 0..<max(20, min(target.inner == nil ? 400 : 2000, 8_000_000 / target.bytes.count)) {
      // Half of them by their paths, lest the longest lists have all.
      let path = random.pick(paths)
      let index =
        random.chance(0.5) ? random.pick(byPath[path] ?? []) : Int(random.next() % UInt64(plants.count))
      look(at: plants[index], in: target, clean)
    }
  }

  private mutating func look(at plant: PlantedPlaces.Plant, in target: PlantedTarget, _ clean: [UInt8]) {
    guard let planted = plant.make() else { return }
    if let folder = Self.output { try? Data(planted).write(to: URL(fileURLWithPath: folder + "/last")) }
    let (outcome, output) = PlantedPlaces.outcome(of: planted, target.format, target.options, clean: clean)
    let kind = target.inner == nil ? target.format.rawValue : "\(target.description)"
    var row = rows[kind] ?? Row()
    row.media.insert(target.description)
    row.places.insert(plant.name)
    row.files += 1
    switch outcome {
    case .same: row.removed += 1
    case .refused: row.refused += 1
    case .other:
      row.removed += 1
      if pairCount < Self.maximumPairs, random.chance(Self.pairShare) {
        pairCount += 1
        write(planted, "pair-\(pairCount)", target, plant)
        write(output, "pair-\(pairCount)-stripped", target, plant)
      }
    case .left where target.mayStay(plant): row.stays += 1
    case .left:
      row.leaks += 1
      let name = "\(kind): \(plant.path) \(plant.operation.filter { !$0.isNumber })"
      leaks[name, default: 0] += 1
      if leaks[name] == 1 {
        print("planted: LEFT \(target): \(plant.name)")
        fflush(nil)
        write(planted, "leak-\(leaks.count)", target, plant)
      }
    }
    rows[kind] = row
  }

  private func write(_ bytes: [UInt8], _ name: String, _ target: PlantedTarget, _ plant: PlantedPlaces.Plant)
  {
    guard let folder = Self.output else { return }
    let path = "\(folder)/\(name).\(target.format.rawValue)"
    try? Data(bytes).write(to: URL(fileURLWithPath: path))
    try? Data("\(target)\t\(plant.name)\n".utf8).write(to: URL(fileURLWithPath: path + ".txt"))
  }

  private func report(_ round: Int) {
    print(
      "planted: round \(round), \(rows.values.reduce(0) { $0 + $1.files }) files, \(leaks.count) kinds of leaks"
    )
    print("| format | media | places | files | removed | refused | stays | leaks |")
    for (kind, row) in rows.sorted(by: { $0.key < $1.key }) {
      let counts = [
        row.media.count, row.places.count, row.files, row.removed, row.refused, row.stays, row.leaks,
      ]
      print("| \(kind) | \(counts.map { String($0) }.joined(separator: " | ")) |")
    }
    fflush(nil)
  }
}
