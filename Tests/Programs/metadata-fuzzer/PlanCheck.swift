internal import MediaDigest
internal import MediaListing
internal import MediaModel
internal import MediaSharding
internal import MediaSyntax

/// Reads the files of a plan, and writes what was read again.
enum PlanCheck {
  private static let folder = PlanFolder(path: Array("/".utf8))

  static func check(_ input: [UInt8]) {
    plan(corrected(input))
    items(input)
    if let receipt = Receipt(input), Receipt(receipt.serialized) != receipt {
      finding("a receipt is not read again")
    }
  }

  /// Corrects the digest of a plan to match its content.
  ///
  /// Otherwise nearly every mutation would fail at the last check.
  private static func corrected(_ file: [UInt8]) -> [UInt8] {
    let line = file.last == UInt8(ascii: "\n") ? Array(file.dropLast()) : file
    guard var members = CanonicalJSON.members(of: line), let plan = members["plan"] else {
      return file
    }
    members["planSHA256"] = .string(Hexadecimal.text(SHA256.hash(plan.serialized)))
    return JSONValue.object(members).serialized
  }

  private static func plan(_ bytes: [UInt8]) {
    guard let plan = Plan(bytes) else { return }
    if Plan(plan.serialized) != plan { finding("a plan is not read again") }
    for shard in [Int.min, 0, 1, plan.shards.count, .max] {
      let isThere = (try? folder.check(shard: shard, of: plan)) != nil
      if isThere, !plan.shards.indices.contains(shard - 1) { finding("no such shard") }
      if plan.run(shard: shard, attempt: shard).utf8.count != 8 {
        finding("an identifier that is none")
      }
    }
    var (items, length) = (0, Int64(0))
    for shard in plan.shards {
      let sum = items.addingReportingOverflow(shard.items)
      let lengths = length.addingReportingOverflow(shard.bytes)
      // The summary of a plan adds them up.
      if shard.items < 0 || shard.bytes < 0 || sum.overflow || lengths.overflow {
        finding("numbers that no files have")
      }
      (items, length) = (sum.partialValue, lengths.partialValue)
    }
  }

  private static func items(_ bytes: [UInt8]) {
    for (source, items) in PlanItems.items(bytes) ?? [:] {
      var written: [UInt8] = []
      for index in 0..<items.count {
        let path = items.path(at: index)
        _ = (items.digest(of: path), items.isLeftOut(path))
        PlanItems.append(
          AssignedItem(path: path, size: nil, modified: nil, number: items.number(at: index)),
          of: source,
          to: &written
        )
      }
      guard let again = PlanItems.items(written)?[source], again.count == items.count,
        (0..<items.count).allSatisfy({ index in
          again.path(at: index) == items.path(at: index)
            && again.number(at: index) == items.number(at: index)
        })
      else { return finding("items are not read again") }
    }
  }
}
