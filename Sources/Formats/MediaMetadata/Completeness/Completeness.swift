import MediaCodecs
package import MediaContainers
package import MediaModel

/// Tells whether a file has everything that its container promises.
///
/// A copy that was interrupted keeps its head, and with it lengths, tables and counts that point behind
/// the end. Only these are read, and no picture or sound, so the check costs little beside hashing the
/// file. A format that states nothing about its end, such as a transport stream, is never found cut, and
/// neither is a recording whose lengths were left open.
///
/// The check answers for the end of the file alone: damage in the middle is the decoders' to find.
package enum Completeness {
  /// Returns the name of a part that the container promises and the file does not have as a whole;
  /// nil when none is missing.
  ///
  /// A container that is too broken for its promise to be read has none.
  ///
  /// Source: the specification of each format, named where it is read.
  package static func missingPart(of source: ByteSource, format: MediaFormat) -> String? {
    FormatReader.of(format).missingPart(source)
  }
}
