import MediaContainers
import MediaModel

/// Removes everything from a WebP that is not needed to show it.
///
/// Pictures, alpha, an animation's frames and timing, and the canvas are kept. Written anew are the
/// RIFF length, VP8X, a cleaned ICC profile, and an EXIF chunk with an orientation of 2 to 8.
/// Removed are XMP, unknown chunks (also within frames), padding that is not zero, and everything
/// after the RIFF chunk. A simple file stays simple unless it has an orientation.
enum WebPStripper: ContainerStripper {
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    let container = try WebPContainer(of: source)
    let kept = try WebPWriter.Kept(container, of: source, options: options)
    // The file starts with its length, so the chunks are laid out once to compute it.
    var length = WebPWriter.Sum()
    try WebPWriter.write(container, of: source, kept: kept, to: &length)
    var builder = EditListBuilder(sourceLength: source.length)
    try builder.literal(RIFFChunk.header("RIFF", length: 4 + length.total) + Array("WEBP".utf8))
    try WebPWriter.write(container, of: source, kept: kept, to: &builder)
    if container.content.upperBound < source.length { builder.remove("trailer") }
    return builder.finish()
  }

  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    try WebPVerification.verify(output, options: options)
  }
}
