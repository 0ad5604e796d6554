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

  /// Finds the end of each stream.
  ///
  /// - Throws: `damaged` when the data are no zlib stream or too short for their picture;
  ///   `stripUnsupported` when they hold more than the picture.
  package init(of source: ByteSource) throws(MetadataError) {
    var parser = try PNGParser(source)
    var header: PNGImageHeader?
    var parts: [Range<Int>] = []
    var size: (width: Int, height: Int)?
    var isAnimated = false
    while let chunk = try parser.next() {
      let start = chunk.data.lowerBound
      switch chunk.type {
      case "IHDR" where header == nil: header = PNGImageHeader(chunk, in: source)
      case "IDAT": parts.append(chunk.data)
      case "acTL": isAnimated = isAnimated || parts.isEmpty && chunk.data.count == 8
      case "fdAT" where isAnimated && chunk.data.count >= 4: parts.append(chunk.data.dropFirst(4))
      case "fcTL" where isAnimated && chunk.data.count == 26, "IEND":
        if let header, let first = parts.first, let last = parts.last {
          let end = try Self.end(of: parts, in: source, header: header, size: size)
          streams.append(Stream(range: first.lowerBound..<last.upperBound, end: end))
          parts = []
        }
        // An fcTL before IDAT describes the whole picture.
        if !streams.isEmpty, let width = source.uint32(at: start + 4),
          let height = source.uint32(at: start + 8)
        {
          size = (width, height)
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
    size: (width: Int, height: Int)?
  ) throws(MetadataError) -> Int {
    let (width, height) = size ?? (header.width, header.height)
    guard (1...header.width).contains(width), (1...header.height).contains(height),
      let length = header.dataLength(width: width, height: height)
    else { throw MetadataError(.damaged, "a picture of impossible size") }
    // Decoders show a picture whose checksum is wrong or absent.
    let joined = ByteSource(joining: parts, of: source)
    guard let stream = ZlibStream(joined, checksAdler: false) else {
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
    var rest = stream.position
    for part in parts {
      if rest <= part.count { return part.lowerBound + rest }
      rest -= part.count
    }
    return parts[parts.count - 1].upperBound
  }
}

/// The size and bit depth of a PNG's picture.
struct PNGImageHeader {
  var width: Int
  var height: Int
  private var bitsOfPixel: Int
  private var isInterlaced: Bool

  /// Parses the data of an IHDR chunk.
  ///
  /// - Returns: Nil for a bit depth, color type or interlace method that does not exist.
  init?(_ chunk: PNGChunk, in source: ByteSource) {
    guard let bytes = source.bytes(in: chunk.data, limit: 13), bytes.count == 13,
      let width = source.uint32(at: chunk.data.lowerBound),
      let height = source.uint32(at: chunk.data.lowerBound + 4),
      let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][bytes[9]],
      [1, 2, 4, 8, 16].contains(bytes[8]), bytes[10] == 0, bytes[11] == 0, bytes[12] <= 1
    else { return nil }
    self.width = width
    self.height = height
    bitsOfPixel = samples * Int(bytes[8])
    isInterlaced = bytes[12] == 1
  }

  /// Returns the number of bytes of all rows with their filter types, or nil when it is impossibly
  /// large.
  func dataLength(width: Int, height: Int) -> Int? {
    guard isInterlaced else { return Self.length(width, height, bitsOfPixel) }
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    var sum = 0
    for (x, y, stepX, stepY) in passes {
      let columns = (width - x + stepX - 1) / stepX
      let rows = (height - y + stepY - 1) / stepY
      guard let length = Self.length(columns, rows, bitsOfPixel) else { return nil }
      sum += length
    }
    return sum
  }

  private static func length(_ width: Int, _ height: Int, _ bitsOfPixel: Int) -> Int? {
    guard width > 0, height > 0 else { return 0 }
    let (length, overflow) = ((width * bitsOfPixel + 7) / 8 + 1).multipliedReportingOverflow(
      by: height
    )
    return overflow || length > 1 << 60 ? nil : length
  }
}
