import MediaCodecs
import MediaContainers

/// Appends a PNG's picture data without the bytes after the end of a zlib stream.
struct PNGPictureWriter {
  private let pictures: PNGPictures
  private var index = 0

  init(_ pictures: PNGPictures) {
    self.pictures = pictures
  }

  /// Appends an IDAT or fdAT chunk, shortened where its stream ends within it.
  ///
  /// An IDAT after the end is removed; an fdAT there keeps its sequence number, because the
  /// numbers must have no gap.
  mutating func append(
    _ chunk: PNGChunk,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) {
    let part = chunk.type == "fdAT" ? chunk.data.dropFirst(4) : chunk.data
    guard let stream = pictures.stream(of: part, from: &index) else {
      throw MetadataError(.damaged, "picture data that belong to no picture")
    }
    guard part.upperBound > stream.end else { return try builder.copy(chunk.range) }
    builder.remove("bytes behind the picture data")
    let end = max(part.lowerBound, stream.end)
    let kept = chunk.data.lowerBound..<end
    if kept.isEmpty { return }
    let sum = Zlib.crc32((kept.lowerBound - 4)..<kept.upperBound, of: source)
    try builder.literal(kept.count.bytes(4) + chunk.type.bytes)
    try builder.copy(kept)
    try builder.literal(sum.bytes(4))
  }
}
