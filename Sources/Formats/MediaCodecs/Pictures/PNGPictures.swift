package import MediaContainers
import MediaModel

/// The ends of the zlib streams that hold a PNG's picture data and the frames of an APNG.
///
/// Source: PNG (3rd edition) sections 8 to 10; APNG 1.0.
package struct PNGPictures {
  /// The zlib stream of one picture, spread over its chunks.
  package struct Stream {
    /// The range from the first data byte of the first chunk to the last data byte of the last
    /// chunk.
    package var range: Range<Int>
    /// The offset at which the stream ends, within `range`.
    package var end: Int
  }

  /// The streams in source order: the one of IDAT, then one for each fcTL that fdAT chunks follow.
  package private(set) var streams: [Stream] = []
  /// The colors of the palette that pixels, or the background, use.
  package private(set) var colors = PNGColorUse()

  /// Finds the end of each stream.
  ///
  /// - Parameters:
  ///   - source: The PNG.
  ///   - cache: Keeps what was inflated, and has what was.
  /// - Throws: `damaged` when the data are no zlib stream or too short for their picture;
  ///   `stripUnsupported` when they hold more than the picture.
  package init(of source: ByteSource, cache: PictureDataCache) throws(MetadataError) {
    var parser = try PNGParser(source)
    var header: PNGImageHeader?
    var parts: [Range<Int>] = []
    var size: PixelSize?
    var isAnimated = false
    var hasBackground = false
    while let chunk = try parser.next() {
      let start = chunk.data.lowerBound
      switch chunk.type {
      case "IHDR" where header == nil: header = PNGImageHeader(chunk.data, in: source)
      case "IDAT": parts.append(chunk.data)
      case "bKGD" where chunk.data.count == 1 && parts.isEmpty && streams.isEmpty && !hasBackground:
        hasBackground = true
        if let index = source.uint8(at: start) { colors.isUsed[index] = true }
      case "acTL": isAnimated = isAnimated || parts.isEmpty && chunk.data.count == 8
      case "fdAT" where isAnimated && chunk.data.count >= 4: parts.append(chunk.data.dropFirst(4))
      case "fcTL" where isAnimated && chunk.data.count == 26, "IEND":
        if let header, let first = parts.first, let last = parts.last {
          let size = size ?? header.size
          let end = try Self.end(of: parts, in: source, header: header, size: size, cache: cache)
          streams.append(Stream(range: first.lowerBound..<last.upperBound, end: end))
          if header.colorType == .palette {
            colors.add(Self.colors(of: parts, in: source, header: header, size: size, cache: cache))
          }
          parts = []
        }
        // An fcTL before IDAT describes the whole picture.
        if !streams.isEmpty, let width = source.uint32(at: start + 4),
          let height = source.uint32(at: start + 8)
        {
          size = PixelSize(width: width, height: height)
        }
      default: continue
      }
    }
  }

  /// Returns the stream that contains `part`, a chunk's data; the search starts at `index` and
  /// advances it.
  package func stream(of part: Range<Int>, from index: inout Int) -> Stream? {
    while index < streams.count, streams[index].range.upperBound < part.upperBound { index += 1 }
    return index < streams.count ? streams[index] : nil
  }

  private static func end(
    of parts: [Range<Int>],
    in source: ByteSource,
    header: PNGImageHeader,
    size: PixelSize,
    cache: PictureDataCache
  ) throws(MetadataError) -> Int {
    guard (1...header.size.width).contains(size.width),
      (1...header.size.height).contains(size.height),
      size.height <= 1 << 60 / (header.rowByteCount(width: size.width) + 1)
    else { throw MetadataError(.damaged, "a picture of impossible size") }
    let length = header.passes(of: size).reduce(0) { $0 + $1.byteCount }
    let joined = ByteSource(joining: parts, of: source)
    var left: Int
    if let cached = cache.length(of: joined, contentLength: length) {
      left = cached
    } else {
      left = try inflatedLength(of: joined, contentLength: length)
    }
    for part in parts {
      if left <= part.count { return part.lowerBound + left }
      left -= part.count
    }
    return parts[parts.count - 1].upperBound
  }

  /// Returns the colors that the pixels of a whole stream use.
  private static func colors(
    of parts: [Range<Int>],
    in source: ByteSource,
    header: PNGImageHeader,
    size: PixelSize,
    cache: PictureDataCache
  ) -> PNGColorUse {
    let passes = header.passes(of: size)
    let length = passes.reduce(0) { $0 + $1.byteCount }
    let joined = ByteSource(joining: parts, of: source)
    let cached = cache.colors(of: joined, contentLength: length) { content in
      var offset = 0
      return PNGColorUse(passes, bitDepth: header.bitDepth) { row in
        row.copyMemory(from: UnsafeRawBufferPointer(rebasing: content[offset...].prefix(row.count)))
        offset += row.count
        return true
      }
    }
    if let cached { return cached }
    guard let stream = ZlibStream(joined, checksAdler: false) else { return .all }
    return PNGColorUse(passes, bitDepth: header.bitDepth) { row in
      stream.read(into: row.bindMemory(to: UInt8.self)) == row.count
    }
  }

  /// Inflates a stream piece by piece, and returns its length in bytes, checksum included.
  private static func inflatedLength(
    of source: ByteSource,
    contentLength length: Int
  ) throws(MetadataError) -> Int {
    // Decoders show a picture whose checksum is wrong or absent.
    guard let stream = ZlibStream(source, checksAdler: false) else {
      throw MetadataError(.overLimit, "no memory to inflate")
    }
    let count = stream.count(limit: length)
    guard count <= length else {
      throw MetadataError(.stripUnsupported, "PNG with more data than its picture has")
    }
    guard stream.state == .ended else {
      throw MetadataError(.damaged, "picture data that are no zlib stream")
    }
    guard count == length else { throw MetadataError(.damaged, "picture data that end early") }
    return stream.position
  }
}
