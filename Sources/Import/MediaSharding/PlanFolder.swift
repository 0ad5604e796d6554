package import MediaFileSystem
internal import MediaModel

/// The folder of a plan: what there is to do, in parts, and what has become of each.
///
///     plan.json          what was decided and listed, and the key of the library; mode 0600
///     items/3.ndjson     the items of shard 3
///     log/               a library without assets, with the log of the planning
///     shards/3-1/        the library of the first attempt of shard 3
///     receipts/3.json    shard 3 is finished
package struct PlanFolder: Sendable {
  /// Absolute, without a slash at its end.
  package let path: [UInt8]

  package init(path: [UInt8]) {
    var path = FileSystem.resolved(path) ?? path
    while path.count > 1, path.last == .slash { path.removeLast() }
    self.path = path
  }

  package static let planName = "plan.json"
  static let itemsName = "items"
  static let logName = "log"
  static let shardsName = "shards"
  static let receiptsName = "receipts"

  /// The most shards of a plan: the identifiers of their runs are numbered.
  package static let maximumShards = 65_535

  /// The absolute path of something in the folder.
  package func path(of name: String) -> [UInt8] {
    path + [UInt8.slash] + Array(name.utf8)
  }

  /// The path for a person, escaped.
  package var shown: String { EscapedText.percentEscaped(path) }

  package var log: [UInt8] { path(of: Self.logName) }
  package var items: [UInt8] { path(of: Self.itemsName) }

  static func itemsFile(of shard: Int) -> String { "\(shard).ndjson" }
  static func receipt(of shard: Int) -> String { "\(receiptsName)/\(shard).json" }

  /// The library of an attempt.
  package func library(of shard: Int, attempt: Int) -> [UInt8] {
    path(of: "\(Self.shardsName)/\(shard)-\(attempt)")
  }

  /// The file beside it with the movies whose stills it has not found.
  func loneHalves(of shard: Int, attempt: Int) -> [UInt8] {
    path(of: "\(Self.shardsName)/\(shard)-\(attempt).halves")
  }

  /// The number of the shard whose library lies at a path within its plan; nil for any other path.
  ///
  /// Only names are looked at: a copy that lies elsewhere is not known to be one.
  package static func shard(ofLibrary path: [UInt8]) -> Int? {
    let parts = (FileSystem.resolved(path) ?? path).split(separator: UInt8.slash)
    guard parts.count > 2, let name = parts.last,
      parts[parts.count - 2].elementsEqual(shardsName.utf8)
    else { return nil }
    let numbers = String(decoding: name, as: UTF8.self).split(separator: "-").compactMap { Int($0) }
    let plan = parts.dropLast(2).flatMap { [UInt8.slash] + $0 } + Array("/\(planName)".utf8)
    return numbers.count == 2 && FileSystem.exists(plan) ? numbers[0] : nil
  }

  /// Makes the folder of the next attempt of a shard, which no other process has.
  ///
  /// - Returns: The number of the attempt, from 1.
  /// - Throws: `FileSystemError`.
  package func beginAttempt(of shard: Int) throws(FileSystemError) -> Int {
    let folder = try FileSystem.openFolder(path(of: Self.shardsName))
    var attempt = 1
    for entry in try FileSystem.entries(of: folder) {
      let parts = String(decoding: entry.name, as: UTF8.self).split(separator: "-")
      guard parts.count == 2, parts[0] == String(shard), let number = Int32(parts[1]),
        number < .max
      else { continue }
      attempt = max(attempt, Int(number) + 1)
    }
    while !(try FileSystem.makeFolder(in: folder, Array("\(shard)-\(attempt)".utf8))) {
      attempt += 1
    }
    return attempt
  }

  /// Writes a file under a name that it did not have, in one step, and flushes both.
  ///
  /// - Returns: False when the name was taken: what is there stays.
  /// - Throws: `FileSystemError`.
  func write(_ bytes: [UInt8], to name: String, mode: UInt32) throws(FileSystemError) -> Bool {
    let parts = name.split(separator: "/").map(String.init)
    let folder = try FileSystem.openFolder(
      parts.count == 1 ? path : path(of: parts.dropLast().joined(separator: "/"))
    )
    let last = parts.last ?? name
    // Several processes may write at once: each has a name of its own.
    let temporary = Array(".\(last).\(UInt64.random(in: .min ... .max))".utf8)
    let file = try FileSystem.createFile(in: folder, temporary, mode: mode)
    do {
      try file.write(bytes)
      try file.flush()
      try FileSystem.link(from: folder, temporary, to: folder, Array(last.utf8))
    } catch {
      try? FileSystem.removeFile(in: folder, temporary)
      guard error.isExisting else { throw error }
      return false
    }
    try FileSystem.removeFile(in: folder, temporary)
    try folder.flush()
    return true
  }

  /// Reads a small file of the folder; nil when it is not there.
  func read(_ name: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    do {
      return try FileSystem.readSmallFile(path(of: name), limit: limit)
    } catch  where error.isMissing {
      return nil
    }
  }
}
