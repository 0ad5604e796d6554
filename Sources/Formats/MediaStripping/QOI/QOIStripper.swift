import MediaCodecs
import MediaContainers
import MediaModel

/// The parts of a QOI, which has no place for metadata.
///
/// Source: "The Quite OK Image Format", specification version 1.0 (qoiformat.org).
enum QOIAllowList {
  static let header = "header"
  static let chunks = "chunks"
  static let endMarker = "end marker"
  static let list = AllowList<String>([
    .init(header, .copied, "size, channels, color space", 14...14),
    .init(chunks, .copied, "up to the last pixel"),
    .init(endMarker, .copied, "seven zeros and a one", 8...8),
  ])
}

/// Copies a QOI up to its end marker; everything behind that is removed. A QOI can hold neither an
/// orientation nor values that `except` names.
enum QOIStripper: ContainerStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let end = try header(of: source).parts(of: source).endMarker.upperBound
    try builder.copy(0..<end)
    builder.removeTrailer(from: end, of: source)
  }

  static func verify(output: ByteSource, options: StripOptions) throws(MetadataError) {
    let parts = try header(of: output).parts(of: output)
    var walker = PartWalker(QOIAllowList.list, output)
    try walker.pass(QOIAllowList.header, at: 0..<parts.chunks.lowerBound)
    try walker.pass(QOIAllowList.chunks, at: parts.chunks)
    try walker.pass(QOIAllowList.endMarker, at: parts.endMarker)
    try walker.finish()
  }

  private static func header(of source: ByteSource) throws(MetadataError) -> QOIHeader {
    guard let header = QOIHeader(of: source), header.size.width > 0, header.size.height > 0 else {
      throw MetadataError(.damaged, "no header with a size")
    }
    return header
  }
}
