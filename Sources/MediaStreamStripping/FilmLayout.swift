import MediaContainers
import MediaEditing
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

  /// Lists what is removed from `source`, beside what is kept.
  func list(_ source: ByteSource, into listing: inout MetadataListing) throws(MetadataError)

  /// Returns the output.
  func output() throws(MetadataError) -> OutputPieces
}

extension FilmLayout {
  /// Returns the edit list that removes what is not needed to play the film.
  static func editList(
    of source: ByteSource,
    options: StripOptions,
    kept: KeptMetadata
  ) throws(MetadataError) -> EditList {
    try Self(of: source, keepsAll: false, removesAudio: options.removesAudio, kept: kept)
      .editList(of: source, counting: options)
  }

  /// Returns the edit list that removes sound alone, after `verify` has accepted the output and a
  /// second time has changed nothing of it.
  static func muteList(
    of source: ByteSource,
    verify: (ByteSource) throws(MetadataError) -> Void
  ) throws(MetadataError) -> EditList {
    func list(_ source: ByteSource) throws(MetadataError) -> EditList {
      try Self(of: source, keepsAll: true, removesAudio: true, kept: KeptMetadata())
        .editList(of: source, counting: nil)
    }
    let muted = try list(source)
    let output = try ByteSource(applying: muted, to: source)
    try verify(output)
    try StableOutput.verify(try list(output), over: output)
    return muted
  }

  /// Removed parts are counted by the listing under `options`, or by names if only sound is removed.
  private func editList(
    of source: ByteSource,
    counting options: StripOptions?
  ) throws(MetadataError) -> EditList {
    var builder = EditListBuilder(
      sourceLength: source.length,
      options: options ?? StripOptions()
    )
    try output().write(to: &builder)
    if options == nil {
      builder.remove(removed.counts)
    } else {
      builder.note(removed.counts)
      builder.count { listing in
        try? list(source, into: &listing)
        // Only the first parts have places.
        let unlisted = removed.counts.values.reduce(0, +) - removed.entries.count
        listing.count(.of(path: ""), max(0, unlisted))
      }
    }
    return builder.finish()
  }
}
