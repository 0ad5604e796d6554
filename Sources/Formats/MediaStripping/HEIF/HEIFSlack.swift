import MediaContainers

/// Finds bytes of media data that nothing refers to.
enum HEIFSlack {
  /// Returns whether an mdat or idat holds bytes that belong to no item.
  static func isThere(
    in container: HEIFContainer,
    _ meta: HEIFMeta?,
    samples: [Range<Int>] = [],
    of source: ByteSource
  ) -> Bool {
    let used = HEIFCodedData((meta?.items.flatMap(\.extents) ?? []) + samples)
    var position = used.ranges.startIndex
    for box in container.mdats {
      guard !box.body.isEmpty else { continue }
      while position < used.ranges.endIndex,
        used.ranges[position].upperBound <= box.body.lowerBound
      {
        position += 1
      }
      guard position < used.ranges.endIndex,
        used.ranges[position].lowerBound <= box.body.lowerBound,
        used.ranges[position].upperBound >= box.body.upperBound
      else { return true }
    }
    return false
  }
}
