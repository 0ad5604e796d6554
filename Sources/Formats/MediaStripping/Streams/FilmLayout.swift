import MediaContainers
import MediaMetadata
import MediaModel

/// The plan of a film's output in one container format.
protocol FilmLayout {
  /// Plans the output.
  ///
  /// - Parameters:
  ///   - source: The whole file.
  ///   - keepsAll: Whether only sound is removed.
  ///   - removesAudio: Whether sound is removed.
  ///   - kept: The values that are written.
  /// - Throws: `damaged`, `stripUnsupported`, `overLimit`.
  init(
    of source: ByteSource,
    keepsAll: Bool,
    removesAudio: Bool,
    kept: KeptMetadata
  ) throws(MetadataError)

  /// The parts that the output does not have.
  var removed: RemovedParts { get }

  /// Lists a file with what its layout removes; nil for one that cannot be stripped.
  ///
  /// - Throws: `damaged` for a file that does not follow its format.
  static func list(
    _ source: ByteSource,
    _ layout: Self?,
    into listing: inout MetadataListing
  ) throws(MetadataError)

  /// Returns the output.
  func output() throws(MetadataError) -> OutputPieces
}

extension FilmLayout {
  /// Removes what is not needed to play the film.
  ///
  /// - Throws: As ``init(of:keepsAll:removesAudio:kept:)`` and ``output()``.
  static func strip(
    _ source: ByteSource,
    kept: KeptMetadata,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let removesAudio = builder.options.removesAudio
    func plan() throws(MetadataError) -> Self {
      try Self(of: source, keepsAll: false, removesAudio: removesAudio, kept: kept)
    }
    guard builder.edits else { return try list(source, try? plan(), into: &builder.listing) }
    let layout = try plan()
    try layout.output().write(to: &builder)
    let removed = layout.removed
    builder.note(removed.counts)
    try? list(source, layout, into: &builder.listing)
    // Only the first parts have places.
    let unlisted = removed.counts.values.reduce(0, +) - removed.entries.count
    builder.listing.count(.of(path: ""), max(0, unlisted))
  }

  /// Returns the edit list that removes sound alone, after `verify` has accepted the output and a
  /// second time has changed nothing of it.
  static func muteList(
    of source: ByteSource,
    verify: (ByteSource) throws(MetadataError) -> Void
  ) throws(MetadataError) -> EditList {
    func list(_ source: ByteSource) throws(MetadataError) -> EditList {
      let layout = try Self(of: source, keepsAll: true, removesAudio: true, kept: KeptMetadata())
      var builder = EditListBuilder(sourceLength: source.length)
      try layout.output().write(to: &builder)
      builder.remove(layout.removed.counts)
      return builder.finish()
    }
    let muted = try list(source)
    let output = try ByteSource(applying: muted, to: source)
    try verify(output)
    try StableOutput.verify(try list(output), over: output)
    return muted
  }
}
