internal import MediaDigest
internal import MediaFileSystem
package import MediaListing
package import MediaModel
internal import MediaPipeline
internal import MediaSyntax

/// The items of a shard in a file: one JSON object a line, in the order of the sources and of the paths' bytes.
///
///     {"modified":1763689479000000000,"number":17,"path":"2026/IMG_0017.jpg","size":4211,"source":"library"}
package enum PlanItems {
  /// Reads the items of a shard.
  ///
  /// - Throws: ``ShardingError``, 78 when the file is not the one that the plan names.
  package static func read(
    shard: Int,
    of plan: Plan,
    in folder: PlanFolder
  ) throws(ShardingError) -> [SourceID: AssignedItems] {
    let name = "\(PlanFolder.itemsName)/\(PlanFolder.itemsFile(of: shard))"
    let bytes: [UInt8]
    do {
      bytes = try folder.read(name, limit: .max) ?? []
    } catch {
      throw ShardingError(
        .manifestMistake,
        "\(name) in \"\(folder.shown)\" cannot be read: \(error.reason(besides: name))."
      )
    }
    guard Hexadecimal.text(SHA256.hash(bytes)) == plan.shards[shard - 1].sha256 else {
      throw ShardingError(
        .manifestMistake,
        "\(name) in \"\(folder.shown)\" was changed since the plan was made. Copy the whole folder again, or plan again."
      )
    }
    guard let items = items(bytes) else {
      throw ShardingError(.manifestMistake, "\(name) in \"\(folder.shown)\" is no list of items.")
    }
    return items
  }

  /// The items of a file's bytes; nil when they are others.
  package static func items(_ bytes: [UInt8]) -> [SourceID: AssignedItems]? {
    var items: [SourceID: AssignedItems] = [:]
    for line in bytes.split(separator: UInt8.newline) {
      guard let members = CanonicalJSON.members(of: Array(line)),
        let source = SourceID(members),
        let path = members["path"]?.text, let number = members["number"]?.number
      else { return nil }
      items[source, default: AssignedItems()].append(
        AssignedItem(
          path: ItemPath(bytes: EscapedText.bytes(percentEscaped: path)),
          size: members["size"]?.number.map { Int64($0) },
          modified: members["modified"]?.number.map { Int64($0) },
          number: number,
          digest: ExpectedDigest(members),
          isLeftOut: members["isLeftOut"] == .bool(true)
        )
      )
    }
    return items
  }

  /// Adds the line of an item.
  package static func append(
    _ item: AssignedItem,
    of source: SourceID,
    to bytes: inout [UInt8]
  ) {
    bytes += Array(item.isLeftOut ? "{\"isLeftOut\":true,".utf8 : "{".utf8)
    switch item.digest {
    case .md5(let digest)?: bytes += Array("\"md5\":\"\(Hexadecimal.text(digest))\",".utf8)
    case .sha1, .sha256, nil: break
    }
    if let modified = item.modified { bytes += Array("\"modified\":\(modified),".utf8) }
    bytes += Array("\"number\":\(item.number),\"path\":".utf8)
    bytes += JSONValue.string(item.path.text).serialized
    switch item.digest {
    case .sha1(let digest)?: bytes += Array(",\"sha1\":\"\(Hexadecimal.text(digest))\"".utf8)
    case .sha256(let digest)?: bytes += Array(",\"sha256\":\"\(Hexadecimal.text(digest))\"".utf8)
    case .md5, nil: break
    }
    if let size = item.size { bytes += Array(",\"size\":\(size)".utf8) }
    bytes += Array(",\"source\":\"\(source.kind.rawValue)\"".utf8)
    if let name = source.ownName {
      bytes += Array(",\"sourceName\":".utf8)
      bytes += JSONValue.string(name).serialized
    }
    bytes += Array("}\n".utf8)
  }
}

extension SourceID {
  /// The source among the members of an item; nil without one.
  init?(_ members: [String: JSONValue]) {
    guard let kind = members["source"]?.text else { return nil }
    self.init(kind: kind, name: members["sourceName"]?.text)
  }

  /// The source as members of an item, without a name that is the kind's word.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["source": .string(kind.rawValue)]
    members["sourceName"] = ownName.map { .string($0) }
    return members
  }
}

extension ExpectedDigest {
  /// The digest among the members of an item; nil without one.
  init?(_ members: [String: JSONValue]) {
    func bytes(_ name: String, _ count: Int) -> [UInt8]? {
      members[name]?.text.flatMap { Hexadecimal.bytes($0) }.flatMap { $0.count == count ? $0 : nil }
    }
    if let digest = bytes("sha256", 32) {
      self = .sha256(digest)
    } else if let digest = bytes("sha1", 20) {
      self = .sha1(digest)
    } else if let digest = bytes("md5", 16) {
      self = .md5(digest)
    } else {
      return nil
    }
  }
}

/// Divides groups of items among shards: each shard gets consecutive groups, and about the same work.
struct ShardDivision {
  /// The work of opening a file and publishing it, whatever its size, in bytes that are read in the same time.
  static let fileWeight: UInt64 = 64 << 10

  private let shards: UInt64
  private let total: UInt64
  private var before: UInt64 = 0

  /// - Parameters:
  ///   - shards: At least 1.
  ///   - total: The weight of all groups.
  init(shards: Int, total: UInt64) {
    self.shards = UInt64(shards)
    self.total = max(1, total)
  }

  static func weight(ofSize size: Int64) -> UInt64 { fileWeight + UInt64(clamping: size) }

  /// The shard of the next group, 0-based.
  mutating func next(weight: UInt64) -> Int {
    let product = min(before, total - 1).multipliedFullWidth(by: shards)
    let shard = total.dividingFullWidth(product).quotient
    before = before.addingReportingOverflow(weight).partialValue
    return Int(min(shard, shards - 1))
  }
}

extension PlanItems {
  /// Writes the items of all shards into files of a folder, one shard after the other.
  ///
  /// - Parameters:
  ///   - sources: The groups of the items, in the order of the sources.
  ///   - shards: The number of shards.
  ///   - hasTimes: Whether the times of a source's files are known.
  ///   - folder: The folder, open.
  ///   - digest: The digest that the content of an item has to have, where there is one.
  /// - Returns: The shards.
  /// - Throws: `FileSystemError`.
  static func write(
    _ sources: [GroupedItems],
    shards: Int,
    hasTimes: (SourceID) -> Bool,
    in folder: Descriptor,
    digest: (SourceID, ItemPath) -> ExpectedDigest?
  ) throws -> [Plan.Shard] {
    var total: UInt64 = 0
    for source in sources {
      for position in 0..<source.count {
        total =
          total.addingReportingOverflow(ShardDivision.weight(ofSize: source.size(at: position)))
          .partialValue
      }
    }
    var division = ShardDivision(shards: shards, total: total)
    var divided = sources.map { DividedSource($0, &division, shards: shards) }
    var written: [Plan.Shard] = []
    // A listing may claim more than a number holds.
    var bytesLeft = Int64.max
    for shard in 0..<shards {
      let file = try FileSystem.createFile(
        in: folder,
        Array(PlanFolder.itemsFile(of: shard + 1).utf8),
        mode: 0o600
      )
      var hash = SHA256()
      var buffer: [UInt8] = []
      var part = Plan.Shard(items: 0, bytes: 0, sha256: "")
      func flush() throws {
        hash.update(buffer)
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
      for index in divided.indices {
        try divided[index].forEachItem(of: shard) { item, source in
          var item = item
          if let value = digest(source, item.path) { item.digest = value }
          if !hasTimes(source) { item.modified = nil }
          append(item, of: source, to: &buffer)
          part.items += 1
          let size = min(max(0, item.size ?? 0), bytesLeft)
          part.bytes += size
          bytesLeft -= size
          if buffer.count > 1 << 18 { try flush() }
        }
      }
      try flush()
      part.sha256 = Hexadecimal.text(hash.finalize())
      written.append(part)
    }
    return written
  }
}

/// The items of a source by their shards, in eight bytes each.
private struct DividedSource {
  private let items: GroupedItems
  /// The positions of the items, those of one shard after the other, each in the order of the paths.
  private var positions: [UInt32]
  /// Where the positions of each shard begin, and the end.
  private var starts: [Int]

  init(_ items: GroupedItems, _ division: inout ShardDivision, shards: Int) {
    self.items = items
    var shardOf = [UInt32](repeating: 0, count: items.count)
    let order = items.order
    var start = 0
    while start < order.count {
      let group = items.group(of: Int(order[start]))
      var end = start
      var weight: UInt64 = 0
      while end < order.count, items.group(of: Int(order[end])) == group {
        // As the total is summed, whatever sizes a listing claims.
        weight &+= ShardDivision.weight(ofSize: items.size(at: Int(order[end])))
        end += 1
      }
      let shard = division.next(weight: weight)
      for position in start..<end { shardOf[Int(order[position])] = UInt32(shard) }
      start = end
    }
    starts = Array(repeating: 0, count: shards + 1)
    for shard in shardOf { starts[Int(shard) + 1] += 1 }
    for shard in 0..<shards { starts[shard + 1] += starts[shard] }
    positions = Array(repeating: 0, count: items.count)
    var next = starts
    for (position, shard) in shardOf.enumerated() {
      positions[next[Int(shard)]] = UInt32(position)
      next[Int(shard)] += 1
    }
  }

  mutating func forEachItem(
    of shard: Int,
    _ body: (AssignedItem, SourceID) throws -> Void
  ) rethrows {
    for index in starts[shard]..<starts[shard + 1] {
      try body(items.item(at: Int(positions[index])), items.source)
    }
  }
}
