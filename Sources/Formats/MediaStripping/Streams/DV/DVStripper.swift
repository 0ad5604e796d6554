import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

/// The blocks of a frame in a DV recording.
enum DVAllowList {
  static let list = AllowList<String>([
    .init("header", .rewritten, "system, IDs of the tracks, whether sound, pictures and subcode are valid"),
    .init("subcode", .rewritten, "IDs; no time code, no date, no place on the tape"),
    .init(
      "VAUX source and control",
      .rewritten,
      "system, colors, shape of the picture, fields, copies allowed"
    ),
    .init("AAUX source and control", .rewritten, "how sound is coded, its speed, copies allowed"),
    .init("sound and pictures", .copied, "blocks that the system uses"),
  ])
}

/// Removes everything from a DV recording that is not needed to play it: of the packs beside pictures and sound only
/// source and control stay.
///
/// All frames keep their lengths and places. A recording has no place for what `except` names.
enum DVStripper: ContainerStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    guard builder.edits else { return list(source, into: &builder) }
    guard !builder.options.removesAudio else {
      throw MetadataError(.stripUnsupported, "sound within pictures")
    }
    var removed = RemovedParts()
    let end = try forEachFrame(of: source) { frame throws(MetadataError) in
      guard let (mask, names) = try DIFFrame.mask(of: frame, in: source) else {
        return try builder.copy(frame)
      }
      for name in names { removed.add(name, at: frame) }
      try builder.mask(frame, with: mask)
    }
    builder.remove(removed.counts)
    builder.removeTrailer(from: end, of: source)
  }

  /// Lists the frames up to the first that cannot be stripped.
  private static func list(_ source: ByteSource, into builder: inout EditListBuilder) {
    let end = try? forEachFrame(of: source) { frame throws(MetadataError) in
      for name in try DIFFrame.mask(of: frame, in: source)?.names ?? [] { builder.remove(name, at: frame) }
    }
    builder.removeTrailer(from: end ?? source.length, of: source)
  }

  static func verify(output: ByteSource, options: StripOptions) throws(MetadataError) {
    let end = try forEachFrame(of: output) { frame throws(MetadataError) in
      guard try DIFFrame.mask(of: frame, in: output) == nil else {
        throw MetadataError(.residue, DIFFrame.packs)
      }
    }
    guard end == output.length else { throw MetadataError(.residue, "trailer") }
  }

  /// Calls `body` with each frame, and returns where the last one ends.
  ///
  /// - Throws: `damaged` without frames, and where the last one is cut.
  private static func forEachFrame(
    of source: ByteSource,
    _ body: (Range<Int>) throws(MetadataError) -> Void
  ) throws(MetadataError) -> Int {
    guard let file = DVFile(of: source), file.frameLength <= source.length else {
      throw MetadataError(.damaged, "no whole frame")
    }
    let end = source.length - source.length % file.frameLength
    for start in stride(from: 0, to: end, by: file.frameLength) {
      try body(start..<(start + file.frameLength))
    }
    guard end == source.length || !DVFile.beginsFrame(source, at: end) else {
      throw MetadataError(.damaged, "a frame that ends early")
    }
    return end
  }
}
