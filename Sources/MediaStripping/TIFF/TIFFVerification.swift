import MediaContainers
import MediaModel

/// Looks at a stripped TIFF with the parser that took the original apart.
enum TIFFVerification {
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no TIFF.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let again = try TIFFStripper.editList(of: output, options: options)
    try StableOutput.verify(again, over: output)
  }
}
