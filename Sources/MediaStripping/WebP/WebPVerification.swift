import MediaContainers
import MediaModel

/// Looks at a stripped WebP with the parser that took the original apart.
enum WebPVerification {
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no WebP.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    // A stripped file is one that a strip would leave as it is, byte by byte.
    let again = try WebPStripper.editList(of: output, options: options)
    try StableOutput.verify(again, over: output)
  }
}
