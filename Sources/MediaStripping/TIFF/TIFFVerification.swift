import MediaContainers
import MediaModel

/// Verifies a stripped TIFF with the parser that parsed the original.
enum TIFFVerification {
  /// Verifies that stripping an output again would change no byte of it.
  ///
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
