import MediaContainers
import MediaModel

/// What a container format offers, so that ``Stripper`` and ``MetadataInspector`` need to know no
/// container: each conforms with one type.
protocol ContainerStripper {
  /// How the output is made from `source`; see ``Stripper/editList(of:format:options:)``.
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList

  /// verification at an output; see ``Stripper/verify(output:format:options:)``.
  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError)
}
