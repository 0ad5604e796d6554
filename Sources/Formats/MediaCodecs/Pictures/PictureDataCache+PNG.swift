package import MediaContainers

/// A zlib stream that was inflated as a whole.
struct InflatedStream {
  /// The bytes that begin with the stream.
  var source: ByteSource
  var end: Inflater.End
  /// The content; nil once a decoder has taken it, which changes it in place.
  var content: PictureMemory?
  var contentLength: Int
  /// The bytes that occur in the content's rows of indices, once they were looked for.
  var colors: PNGColorUse?

  /// Returns whether `other` begins with this stream, in the same memory.
  func begins(_ other: ByteSource) -> Bool {
    let range = 0..<min(end.length, source.length)
    return other.length >= range.count
      && other.runs(in: range).elementsEqual(source.runs(in: range)) { left, right in
        left.baseAddress == right.baseAddress && left.count == right.count
      }
  }
}

extension PictureDataCache {
  /// Returns the length in bytes, checksum included, of the zlib stream at the start of `source`.
  ///
  /// It is nil when the content has another length than `contentLength`, when the stream is
  /// malformed, or when one of the two is too long to be in memory: ``ZlibStream`` tells which.
  /// The cache has room for one stream, the first.
  package func length(of source: ByteSource, contentLength: Int) -> Int? {
    if let stream {
      guard stream.contentLength == contentLength, stream.begins(source) else { return nil }
      return stream.end.length
    }
    // Filtered rows hardly grow by compression: much longer data holds something else. Data that cannot be that
    // long get no memory: DEFLATE has at most 258 bytes for two bits.
    guard contentLength <= Self.maximumLength, contentLength <= 1032 * source.length,
      source.length <= contentLength + contentLength / 8 + 4096,
      let content = PictureMemory(contentLength), let inflater = Inflater(),
      let end = source.withWhole({ inflater.inflate($0, into: content.bytes) })
    else { return nil }
    stream = InflatedStream(source: source, end: end, content: content, contentLength: contentLength)
    return end.length
  }

  /// Returns the colors that the picture at the start of `source` uses, as ``length(of:contentLength:)``
  /// has read it; nil where that is nil, and when a decoder has taken the content before they were
  /// looked for.
  func colors(
    of source: ByteSource,
    contentLength: Int,
    _ read: (UnsafeMutableRawBufferPointer) -> PNGColorUse
  ) -> PNGColorUse? {
    guard length(of: source, contentLength: contentLength) != nil, let stream else { return nil }
    if let cached = stream.colors { return cached }
    guard let content = stream.content else { return nil }
    let colors = read(content.bytes)
    self.stream?.colors = colors
    return colors
  }

  /// Returns the content of the zlib stream at the start of `source`, which the caller may change;
  /// it is valid as long as the cache exists.
  ///
  /// It is nil where ``length(of:contentLength:)`` is, when the checksum is wrong or missing, and
  /// when it was taken before.
  package func takeContent(
    of source: ByteSource,
    contentLength: Int
  ) -> UnsafeMutableBufferPointer<UInt8>? {
    guard length(of: source, contentLength: contentLength) != nil, let stream,
      stream.end.hasChecksum, let content = stream.content
    else { return nil }
    taken = content
    self.stream?.content = nil
    return content.bytes.bindMemory(to: UInt8.self)
  }
}

extension ByteSource {
  /// Returns the memory in which `range` lies, which is valid as long as the source's is.
  fileprivate func runs(in range: Range<Int>) -> [UnsafeRawBufferPointer] {
    var runs: [UnsafeRawBufferPointer] = []
    forEachRun(in: range) { runs.append($0) }
    return runs
  }

  /// Calls `body` with all bytes in one piece, which is a copy if they lie in several; nil when
  /// there is no memory for it.
  fileprivate func withWhole<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    if withRun(from: 0, { $0.count }) == length { return withRun(from: 0, body) }
    guard let memory = PictureMemory(length) else { return nil }
    var offset = 0
    forEachRun(in: 0..<length) { run in
      memory.bytes[offset..<(offset + run.count)].copyBytes(from: run)
      offset += run.count
    }
    return body(UnsafeRawBufferPointer(memory.bytes))
  }
}
