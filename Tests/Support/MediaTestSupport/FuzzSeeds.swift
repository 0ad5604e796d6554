internal import Foundation

/// What the fuzzer begins with: a folder for each of its parsers, one file for each seed.
package enum FuzzSeeds {
  /// The folder of these folders, which the environment names; nil when nobody fuzzes.
  package static let folder = ProcessInfo.processInfo.environment["MEDIABATCH_FUZZ_SEEDS"]

  /// Writes seeds.
  ///
  /// - Returns: The number of each parser's.
  package static func write(
    _ seeds: [(parser: String, bytes: [UInt8])],
    to folder: String
  ) throws -> [String: Int] {
    var parsers: [String: Int] = [:]
    for (parser, bytes) in seeds {
      let number = parsers[parser, default: 0]
      parsers[parser] = number + 1
      let url = URL(fileURLWithPath: "\(folder)/\(parser)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(bytes).write(to: url.appendingPathComponent("\(number)"))
    }
    return parsers
  }
}
