import MediaContainers

/// Writes a color table without the colors that no pixel uses.
enum GIFColorTable {
  /// Unused colors that are fewer than this many entries apart are cleared in one literal, together
  /// with the colors between them, so that a table of 256 takes few operations.
  private static let shortRun = 64

  /// Appends the table; unused colors become black.
  static func append(
    _ table: Range<Int>,
    used: [Bool],
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) {
    guard !table.isEmpty else { return }
    guard let bytes = source.bytes(in: table, limit: 768) else {
      throw MetadataError(.damaged, "a color table that ends early")
    }
    let leaks = (0..<(bytes.count / 3)).filter { index in
      !used[index] && bytes[(3 * index)..<(3 * index + 3)].contains { $0 != 0 }
    }
    var copied = 0
    var index = 0
    while index < leaks.count {
      var last = index
      while last + 1 < leaks.count, leaks[last + 1] - leaks[last] < shortRun { last += 1 }
      let range = leaks[index]..<(leaks[last] + 1)
      try builder.copy((table.lowerBound + copied)..<(table.lowerBound + 3 * range.lowerBound))
      var literal = Array(bytes[(3 * range.lowerBound)..<(3 * range.upperBound)])
      for leak in leaks[index...last] {
        for component in 0..<3 { literal[3 * (leak - range.lowerBound) + component] = 0 }
      }
      try builder.literal(literal)
      copied = 3 * range.upperBound
      index = last + 1
    }
    try builder.copy((table.lowerBound + copied)..<table.upperBound)
    if !leaks.isEmpty { builder.remove("unused colors", count: leaks.count) }
  }
}
