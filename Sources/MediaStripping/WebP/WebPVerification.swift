import MediaContainers
import MediaModel

/// Verifies a stripped WebP with the parser that parsed the original.
enum WebPVerification {
  /// Verifies that stripping an output again would change no byte of it.
  ///
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no WebP.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    // Stripping a stripped file must leave it as it is, byte by byte.
    let again = try WebPStripper.editList(of: output, options: options)
    try StableOutput.verify(again, over: output)
  }
}
