import MediaContainers

/// The offsets in a film by which its index finds the samples.
///
/// Source: ISO/IEC 14496-12 sections 8.7.2 (data references) and 8.7.5 (chunk offsets).
enum ChunkOffsets {
  /// The boxes by which a film finds data in other ways: offsets of auxiliary data and of items, and an index that is
  /// compressed.
  private static let others: Set<FourCharacterCode> = ["saio", "iloc", "cmov"]

  /// Returns an index whose offsets of what lies behind it are greater by `growth`.
  ///
  /// - Parameters:
  ///   - moov: The box with its header.
  ///   - start: Its offset in the file.
  ///   - growth: The number of bytes by which the box gets longer; negative where it gets shorter.
  /// - Returns: Nil where an offset fits no longer or leads into the index, where a track has not one table of
  ///   offsets, and where samples lie in other files or data are found in other ways.
  static func moved(_ moov: [UInt8], from start: Int, by growth: Int) -> [UInt8]? {
    let source = ByteSource(moov)
    let isOther = moov.indices.dropLast(3).contains { offset in
      source.code(at: offset).map(others.contains) ?? false
    }
    if isOther { return nil }
    var moved = moov
    var hasTracks = false
    for track in ISOBoxes(source, in: 8..<moov.count) where track.type == "trak" {
      hasTracks = true
      guard let media = ISOBoxes.body(at: ["mdia", "minf"], in: track.body, of: source),
        isOwn(media, of: source),
        let tables = ISOBoxes.body(at: ["stbl"], in: media, of: source)
      else { return nil }
      let offsets = ISOBoxes(source, in: tables).filter { $0.type == "stco" || $0.type == "co64" }
      guard offsets.count == 1, let table = offsets.first,
        move(table, of: source, around: start..<(start + moov.count), by: growth, in: &moved)
      else { return nil }
    }
    return hasTracks ? moved : nil
  }

  /// Returns whether all samples of a track lie in the file itself.
  private static func isOwn(_ media: Range<Int>, of source: ByteSource) -> Bool {
    guard let body = ISOBoxes.body(at: ["dinf", "dref"], in: media, of: source) else { return true }
    return ISOBoxes(source, in: body.dropFirst(8)).allSatisfy { entry in
      source.uint32(at: entry.body.lowerBound).map { $0 & 1 == 1 } ?? false
    }
  }

  /// Moves the offsets of one table; false where that cannot be done.
  private static func move(
    _ table: ISOBox,
    of source: ByteSource,
    around index: Range<Int>,
    by growth: Int,
    in moved: inout [UInt8]
  ) -> Bool {
    let width = table.type == "co64" ? 8 : 4
    let first = table.body.lowerBound + 8
    guard table.body.count >= 8, let count = source.uint32(at: first - 4),
      count <= (table.body.count - 8) / width
    else { return false }
    for position in stride(from: first, to: first + count * width, by: width) {
      guard let offset = width == 8 ? source.uint64(at: position) : source.uint32(at: position)
      else {
        return false
      }
      if offset < index.lowerBound { continue }
      let (sum, overflows) = offset.addingReportingOverflow(growth)
      guard offset >= index.upperBound, !overflows, width == 8 || sum <= Int(UInt32.max) else {
        return false
      }
      moved.replaceSubrange(position..<(position + width), with: sum.bytes(width))
    }
    return true
  }
}
