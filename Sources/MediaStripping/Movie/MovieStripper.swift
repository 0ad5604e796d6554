import MediaContainers
import MediaEditing
import MediaMetadata
import MediaModel

/// Removes the metadata of an MP4, MOV, M4A or 3GP, or removes audio alone. Boxes that playback
/// needs are written anew, and of the media data only the samples of kept tracks are kept.
///
/// Kept values are written as QuickTime's named metadata.
///
/// Source: ISO/IEC 14496-12; ISO/IEC 14496-14; Apple, QuickTime File Format; 3GPP TS 26.244.
enum MovieStripper: ContainerStripper {
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    var kept = KeptMetadata()
    if options.wantsValues {
      let values = MovieValues.all(in: source)
      kept = values.limited(to: options)
      if let key = options.pairingKey, let original = values.contentIdentifier {
        kept.contentIdentifier = LivePhotoIdentifier.fresh(original: original, key: key)
      }
    }
    return try editList(of: source, options: options, description: MovieDescription(kept))
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
    let list = try list(of: source, counting: nil) { (file) throws(MetadataError) in
      try MovieLayout(
        file,
        try selection(file, keepsAll: true, removesAudio: true, of: source),
        of: source,
        keepsAll: true,
        description: MovieDescription()
      )
    }
    try MovieVerification.verifyMuted(try ByteSource(applying: list, to: source))
    return list
  }

  /// Returns the edit list of an output with the metadata of `description`.
  static func editList(
    of source: ByteSource,
    options: StripOptions,
    description: MovieDescription
  ) throws(MetadataError) -> EditList {
    try list(of: source, counting: options) { (file) throws(MetadataError) in
      try MovieLayout(
        file,
        try selection(file, keepsAll: false, removesAudio: options.removesAudio, of: source),
        of: source,
        keepsAll: false,
        keepsCredentials: options.except.contains(.contentCredentials),
        description: description
      )
    }
  }

  /// Returns the mute edit list of an already muted file; verification expects it to change
  /// nothing.
  static func muteListAgain(
    of output: ByteSource
  ) throws(MetadataError) -> EditList {
    try list(of: output, counting: nil) { (file) throws(MetadataError) in
      try MovieLayout(
        file,
        try selection(file, keepsAll: true, removesAudio: true, of: output),
        of: output,
        keepsAll: true,
        description: MovieDescription()
      )
    }
  }

  private static func selection(
    _ file: MovieFile,
    keepsAll: Bool,
    removesAudio: Bool,
    of source: ByteSource
  ) throws(MetadataError) -> MovieSelection {
    guard let moov = file.moov else { throw MetadataError(.damaged, "no moov") }
    return try MovieSelection(moov, keepsAll: keepsAll, removesAudio: removesAudio, of: source)
  }

  /// Returns the edit list of a layout; what it removes is counted by the listing under `options`, or
  /// by names if only audio is removed.
  private static func list(
    of source: ByteSource,
    counting options: StripOptions?,
    _ layout: (MovieFile) throws(MetadataError) -> MovieLayout
  ) throws(MetadataError) -> EditList {
    var layout = try layout(try MovieFile(of: source))
    let (output, removed) = try layout.write()
    var builder = EditListBuilder(
      sourceLength: source.length,
      options: options ?? StripOptions()
    )
    try output.write(to: &builder)
    guard options != nil else {
      builder.remove(removed)
      return builder.finish()
    }
    builder.note(removed)
    builder.count { listing in
      try? listBoxes(of: layout.file, source, into: &listing)
      for (name, count) in layout.data.removed.counts { listing.count(.of(path: name), count) }
    }
    return builder.finish()
  }
}
