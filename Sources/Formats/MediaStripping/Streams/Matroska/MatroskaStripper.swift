package import MediaContainers
import MediaMetadata
package import MediaModel

/// Removes everything from a Matroska or WebM that is not needed to play its video and sound, or
/// removes sound alone.
///
/// The frames are kept, in their blocks and clusters. Written anew are header, seek head, Info,
/// tracks, lengths of clusters and the index. Removed are tags, attachments, chapters, identifiers,
/// dates, names of programs, tracks and files, languages, subtitles, and user data within frames.
///
/// Source: RFC 9559; RFC 8794.
package enum MatroskaStripper: ContainerStripper {
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let options = builder.options
    let kept =
      options.wantsValues && builder.edits
      ? MatroskaValues.values(of: source).limited(to: options) : KeptMetadata()
    try MatroskaLayout.strip(source, kept: kept, into: &builder)
  }

  package static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    try MatroskaVerification.verify(output, options: options)
    try StableOutput.verify(try editList(of: output, options: options), over: output)
  }

  /// Returns the edit list that removes every sound track and leaves tags, chapters, attachments and
  /// all other tracks as they are.
  ///
  /// - Throws: `stripUnsupported` when nothing but sound is there, and for an attached sound;
  ///   `damaged` for a file that does not follow its format.
  package static func muteList(of source: ByteSource) throws(MetadataError) -> EditList {
    try MatroskaLayout.muteList(of: source, verify: MatroskaVerification.verifyMuted)
  }
}
