import MediaContainers

/// Units of coded pictures of which a decoder needs only the start, with the bytes that an output has instead
/// of it: as many, so that they take its place.
///
/// Items may share bytes: all that have a patched one have to be patched alike.
struct HEIFPatches {
  private struct Patch {
    let range: Range<Int>
    let bytes: [UInt8]
    /// The number of pictures that have it.
    var useCount = 1
  }

  /// The patches by the offsets at which they begin.
  private var patches: [Int: Patch] = [:]

  private static let conflict = MetadataError(.stripUnsupported, "pictures that share a rewritten unit")

  /// Adds the bytes that take the place of a range of the source.
  ///
  /// - Throws: `stripUnsupported` for a range that has other bytes in another picture.
  mutating func add(_ range: Range<Int>, _ bytes: [UInt8]) throws(MetadataError) {
    guard let other = patches[range.lowerBound] else {
      patches[range.lowerBound] = Patch(range: range, bytes: bytes)
      return
    }
    guard other.range == range, other.bytes == bytes else { throw Self.conflict }
    patches[range.lowerBound]?.useCount += 1
  }

  /// Returns the patches in the order of the source.
  ///
  /// - Parameter parts: The ranges of each picture that an output has.
  /// - Returns: Ranges of the source and the bytes that take their places.
  /// - Throws: `stripUnsupported` when one of them has bytes of a patch of another picture.
  func checked(
    against parts: [Range<Int>]
  ) throws(MetadataError) -> [(range: Range<Int>, bytes: [UInt8])] {
    if patches.isEmpty { return [] }
    let sorted = patches.values.sorted { $0.range.lowerBound < $1.range.lowerBound }
    // Ranges that overlap would count twice.
    for (patch, next) in zip(sorted, sorted.dropFirst())
    where patch.range.upperBound > next.range.lowerBound { throw Self.conflict }
    var sharedLength = 0
    for part in parts {
      var index = sorted.firstIndexSorted { $0.range.upperBound > part.lowerBound }
      while index < sorted.count, sorted[index].range.lowerBound < part.upperBound {
        sharedLength += sorted[index].range.clamped(to: part).count
        index += 1
      }
    }
    guard sharedLength == sorted.reduce(0, { $0 + $1.useCount * $1.range.count }) else {
      throw Self.conflict
    }
    return sorted.map { ($0.range, $0.bytes) }
  }
}

extension EditListBuilder {
  /// Copies a range of the source with the patches in it, which are taken off the front of `patches`.
  ///
  /// - Throws: As ``copy(_:)`` and ``literal(_:)``.
  mutating func copy(
    _ range: Range<Int>,
    with patches: inout ArraySlice<(range: Range<Int>, bytes: [UInt8])>
  ) throws(MetadataError) {
    var start = range.lowerBound
    while let patch = patches.first, patch.range.lowerBound < range.upperBound {
      try copy(start..<patch.range.lowerBound)
      try literal(patch.bytes)
      start = patch.range.upperBound
      patches.removeFirst()
    }
    try copy(start..<range.upperBound)
  }
}
