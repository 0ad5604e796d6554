package import MediaContainers
package import MediaModel

/// The header of a QOI, and the chunks of pixels behind it.
///
/// Source: "The Quite OK Image Format", specification version 1.0 (qoiformat.org).
package struct QOIHeader: PictureHeader {
  /// The length of the header in bytes.
  package static let length = 14
  private static let endMarker: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

  package let size: PixelSize
  /// 3 for pictures without transparency, else 4. Chunks are the same for both.
  package let channelCount: Int

  package init?(of source: ByteSource) {
    // Four letters alone may begin a text.
    guard source.holds("qoif", at: 0), let width = source.uint32(at: 4),
      let height = source.uint32(at: 8), let channels = source.uint8(at: 12),
      [3, 4].contains(channels), let space = source.uint8(at: 13), space <= 1
    else { return nil }
    size = PixelSize(width: width, height: height)
    channelCount = channels
  }

  package func missingPart(of source: ByteSource) -> String? {
    let end = source.length - Self.endMarker.count
    if end > Self.length, source.holds(Self.endMarker, at: end) { return nil }
    let walk = walk(source)
    guard walk.pixelsLeft <= 0, walk.end <= source.length else { return "pixels" }
    return source.holds(Self.endMarker, at: walk.end) ? nil : "the end marker"
  }

  /// Returns the chunks and the end marker behind them.
  ///
  /// - Throws: `damaged` when they end early, or an encoder cannot have made them: a run goes on behind the
  ///   last pixel, or a picture without transparency has transparent pixels, which decoders do not show.
  package func parts(
    of source: ByteSource
  ) throws(MetadataError) -> (chunks: Range<Int>, endMarker: Range<Int>) {
    let walk = walk(source)
    guard walk.pixelsLeft <= 0, source.holds(Self.endMarker, at: walk.end) else {
      throw MetadataError(.damaged, "pixels that end early")
    }
    guard walk.pixelsLeft == 0, channelCount == 4 || !walk.hasAlpha else {
      throw MetadataError(.damaged, "pixels that the picture does not have")
    }
    return (Self.length..<walk.end, walk.end..<(walk.end + Self.endMarker.count))
  }

  /// Where the chunks end.
  private struct Walk {
    /// Below 0 when a run is longer than the rest of the picture.
    var pixelsLeft: Int
    /// The offset behind the last chunk, which may lie behind the end of the file.
    var end = QOIHeader.length
    var hasAlpha = false
  }

  /// Counts the pixels of the chunks, up to the last of the picture or of the file.
  private func walk(_ source: ByteSource) -> Walk {
    let pixels = size.width.multipliedReportingOverflow(by: size.height)
    var walk = Walk(pixelsLeft: pixels.overflow ? .max : pixels.partialValue)
    // The bytes of a chunk that lie in the next run of the source.
    var skipped = 0
    while walk.pixelsLeft > 0 {
      let count = source.withRun(from: walk.end) { run in
        var offset = skipped
        while walk.pixelsLeft > 0, offset < run.count {
          let tag = run[offset]
          walk.pixelsLeft -= tag >= 0xC0 && tag < 0xFE ? Int(tag & 0x3F) + 1 : 1
          if tag == 0xFF { walk.hasAlpha = true }
          offset += Self.length(of: tag)
        }
        skipped = max(offset - run.count, 0)
        return min(offset, run.count)
      }
      guard count > 0 else { break }
      walk.end += count
    }
    walk.end += skipped
    return walk
  }

  /// Returns the length in bytes of the chunk that begins with `tag`: QOI_OP_RGBA, QOI_OP_RGB and
  /// QOI_OP_LUMA have more than one.
  package static func length(of tag: UInt8) -> Int {
    switch tag {
    case 0xFF: 5
    case 0xFE: 4
    case 0x80...0xBF: 2
    default: 1
    }
  }
}
