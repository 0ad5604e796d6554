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
      .editList(of: source)
  }

  /// Returns the edit list that removes sound alone, after `verify` has accepted the output and a
  /// second time has changed nothing of it.
  static func muteList(
    of source: ByteSource,
    verify: (ByteSource) throws(MetadataError) -> Void
  ) throws(MetadataError) -> EditList {
    func list(_ source: ByteSource) throws(MetadataError) -> EditList {
      try Self(of: source, keepsAll: true, removesAudio: true, kept: KeptMetadata())
        .editList(of: source)
    }
    let muted = try list(source)
    let output = try ByteSource(applying: muted, to: source)
    try verify(output)
    try StableOutput.verify(try list(output), over: output)
    return muted
  }

  private func editList(of source: ByteSource) throws(MetadataError) -> EditList {
    var builder = EditListBuilder(sourceLength: source.length)
    try output().write(to: &builder)
    builder.remove(removed.counts)
    return builder.finish()
  }
}
