import MediaContainers
import MediaModel

/// The operations of one container format, so that ``Stripper`` and ``MetadataInspector`` depend on
/// no particular container. One type per format conforms.
protocol ContainerStripper {
  /// Returns the edit list that makes the output from `source`; see
  /// ``Stripper/editList(of:format:options:)``.
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList

  /// Verifies an output; see ``Stripper/verify(output:format:options:)``.
  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError)
}
