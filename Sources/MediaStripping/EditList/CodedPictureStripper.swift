import MediaCodecs
import MediaContainers
import MediaEditing
import MediaMetadata
import MediaModel

/// The stripper of a format whose coded pictures are read to find where they end, and what of them
/// is used.
protocol CodedPictureStripper: ContainerStripper {
  /// Returns the edit list, as ``ContainerStripper`` says, and leaves what it read in the cache.
  static func editList(
    of source: ByteSource,
    options: StripOptions,
    cache: PictureDataCache
  ) throws(MetadataError) -> EditList

  /// Verifies an output, as ``ContainerStripper`` says, without reading again what it copies.
  static func verify(
    output: ByteSource,
    options: StripOptions,
    cache: PictureDataCache
  ) throws(MetadataError)
}

extension CodedPictureStripper {
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    try editList(of: source, options: options, cache: PictureDataCache())
  }

  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    try verify(output: output, options: options, cache: PictureDataCache())
  }
}
