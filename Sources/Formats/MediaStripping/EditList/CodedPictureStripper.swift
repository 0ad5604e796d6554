import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

/// The stripper of a format whose coded pictures are read to find where they end, and what of them
/// is used.
protocol CodedPictureStripper: ContainerStripper {
  /// Walks `source`, as ``ContainerStripper`` says, and leaves what it read in the cache.
  static func strip(
    _ source: ByteSource,
    cache: PictureDataCache,
    into builder: inout EditListBuilder
  ) throws(MetadataError)

  /// Verifies an output, as ``ContainerStripper`` says, without reading again what it copies.
  static func verify(
    output: ByteSource,
    options: StripOptions,
    cache: PictureDataCache
  ) throws(MetadataError)
}

extension CodedPictureStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    try strip(source, cache: PictureDataCache(), into: &builder)
  }

  static func editList(
    of source: ByteSource,
    options: StripOptions,
    cache: PictureDataCache
  ) throws(MetadataError) -> EditList {
    var builder = EditListBuilder(sourceLength: source.length, options: options)
    try strip(source, cache: cache, into: &builder)
    return builder.finish()
  }

  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    try verify(output: output, options: options, cache: PictureDataCache())
  }
}
