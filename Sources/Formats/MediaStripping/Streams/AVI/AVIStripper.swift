package import MediaContainers
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
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let kept = builder.options.kept(of: AVIMetadata.find(in: source))
    try AVILayout.strip(source, kept: kept, into: &builder)
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
    try AVILayout.muteList(of: source, verify: AVIVerification.verifyMuted)
  }
}
