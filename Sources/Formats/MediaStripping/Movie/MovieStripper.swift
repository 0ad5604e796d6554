import MediaContainers
import MediaMetadata
import MediaModel

/// Removes the metadata of an MP4, MOV, M4A or 3GP, or removes audio alone. Boxes that playback
/// needs are written anew, and of the media data only the samples of kept tracks are kept.
///
/// Kept values are written as QuickTime's named metadata.
///
/// Source: ISO/IEC 14496-12; ISO/IEC 14496-14; Apple, QuickTime File Format; 3GPP TS 26.244.
enum MovieStripper: ContainerStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    var kept = KeptMetadata()
    let options = builder.options
    if builder.edits, options.wantsValues {
      let values = MovieValues.all(in: source)
      kept = values.limited(to: options)
      if let key = options.pairingKey, let original = values.contentIdentifier {
        kept.contentIdentifier = LivePhotoIdentifier.fresh(original: original, key: key)
      }
    }
    try strip(source, MovieDescription(kept), into: &builder)
  }

  /// Strips a movie whose output has the metadata of `description`.
  static func strip(
    _ source: ByteSource,
    _ description: MovieDescription,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let file = try MovieFile(of: source)
    guard builder.edits else {
      // A movie that cannot be stripped is listed without what its media data have.
      let planned = try? layout(file, builder.options, description, of: source)
      return try list(file, planned?.data.removed, of: source, into: &builder.listing)
    }
    var layout = try layout(file, builder.options, description, of: source)
    let (output, removed) = try layout.write()
    try output.write(to: &builder)
    builder.note(removed)
    try? list(file, nil, of: source, into: &builder.listing)
    for (name, count) in layout.data.removed.counts {
      builder.listing.count(.of(path: name), count)
    }
  }

  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    try MovieVerification.verify(output, options: options)
  }

  /// Returns the edit list that removes every audio track and leaves everything else as it is, for
  /// a movie whose metadata is kept.
  ///
  /// - Throws: `stripUnsupported` when audio and video cannot be separated, for encrypted files,
  ///   and when there is nothing but audio; `damaged` for a file that does not follow its format.
  static func muteList(of source: ByteSource) throws(MetadataError) -> EditList {
    let list = try muteListAgain(of: source)
    try MovieVerification.verifyMuted(try ByteSource(applying: list, to: source))
    return list
  }

  /// Returns the mute edit list without its verification, which expects that the list of an already
  /// muted file changes nothing.
  static func muteListAgain(
    of source: ByteSource
  ) throws(MetadataError) -> EditList {
    var layout = try layout(try MovieFile(of: source), nil, MovieDescription(), of: source)
    let (output, removed) = try layout.write()
    var builder = EditListBuilder(sourceLength: source.length)
    try output.write(to: &builder)
    builder.remove(removed)
    return builder.finish()
  }

  /// Returns the layout of an output under `options`, or of one that lacks only audio.
  private static func layout(
    _ file: MovieFile,
    _ options: StripOptions?,
    _ description: MovieDescription,
    of source: ByteSource
  ) throws(MetadataError) -> MovieLayout {
    guard let moov = file.moov else { throw MetadataError(.damaged, "no moov") }
    let keepsAll = options == nil
    return try MovieLayout(
      file,
      try MovieSelection(moov, keepsAll: keepsAll, removesAudio: options?.removesAudio ?? true, of: source),
      of: source,
      keepsAll: keepsAll,
      keepsCredentials: options?.except.contains(.contentCredentials) ?? false,
      description: description
    )
  }
}
