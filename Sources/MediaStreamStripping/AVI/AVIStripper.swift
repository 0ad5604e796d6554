package import MediaContainers
import MediaEditing
import MediaMetadata
package import MediaModel

/// Removes everything from an AVI that is not needed to play its video and sound, or removes sound
/// alone.
///
/// The data of the streams are kept, in their chunks. Written anew are headers, indexes, and what
/// `except` keeps as LIST INFO. Removed are all other chunks and lists, names and private data of
/// streams, languages, subtitles, user data within frames, and the bytes after the end.
///
/// Source: Microsoft, AVI RIFF File Reference; OpenDML AVI File Format Extensions 1.02.
package enum AVIStripper: ContainerStripper {
  package static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    let kept = options.kept(of: AVIMetadata.find(in: source))
    return try list(
      try AVILayout(
        of: source,
        keepsAll: false,
        removesAudio: options.removesAudio,
        kept: kept
      ),
      of: source
    )
  }

  package static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    try AVIVerification.verify(output, options: options)
    try StableOutput.verify(try editList(of: output, options: options), over: output)
  }

  /// Returns the edit list that removes every sound stream and leaves texts and all other streams as
  /// they are.
  ///
  /// - Throws: `stripUnsupported` when nothing but sound is there, or it shares a stream with video;
  ///   `damaged` for a file that does not follow its format.
  package static func muteList(of source: ByteSource) throws(MetadataError) -> EditList {
    let list = try muteListOnce(of: source)
    let output = try ByteSource(applying: list, to: source)
    try AVIVerification.verifyMuted(output)
    try StableOutput.verify(try muteListOnce(of: output), over: output)
    return list
  }

  private static func muteListOnce(of source: ByteSource) throws(MetadataError) -> EditList {
    try list(
      try AVILayout(of: source, keepsAll: true, removesAudio: true, kept: KeptMetadata()),
      of: source
    )
  }

  private static func list(
    _ layout: AVILayout,
    of source: ByteSource
  ) throws(MetadataError) -> EditList {
    var builder = EditListBuilder(sourceLength: source.length)
    try layout.output().write(to: &builder)
    // The number of names is limited, so removed tracks, which matter most, come first.
    let isTrack = { (name: String) in name.hasSuffix(" track") }
    let names = layout.removed.keys.sorted { (isTrack($1) ? 1 : 0, $0) < (isTrack($0) ? 1 : 0, $1) }
    for name in names { builder.remove(name, count: layout.removed[name] ?? 0) }
    return builder.finish()
  }
}
