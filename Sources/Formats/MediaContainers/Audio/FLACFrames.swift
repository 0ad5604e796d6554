/// Iterates over the frames of a FLAC and verifies each checksum.
///
/// A frame ends where the next one begins: at a header with the expected number where the checksum
/// of all bytes in between matches. The last frame is parsed to its end.
package struct FLACFrames {
  private let source: ByteSource
  private let limit: Int
  private let stream: FLACStreamInfo
  /// The offset of the next frame.
  package private(set) var position: Int
  /// The number of samples per channel in the frames so far.
  package private(set) var sampleCount = 0
  private var next: FLACFrame?

  /// Starts at the first frame of `container`; no frame extends beyond `limit`.
  package init(_ source: ByteSource, container: FLACContainer, limit: Int) {
    self.source = source
    self.limit = limit
    stream = container.streamInfo
    position = container.audio
    next = FLACFrame(of: source, at: container.audio)
  }

  /// Moves past all frames.
  ///
  /// - Throws: `damaged` for a frame that ends early or whose checksum is wrong.
  package mutating func passAll() throws(MetadataError) {
    while let frame = next {
      let (end, following) = try end(of: frame)
      position = end
      sampleCount += frame.blockSize
      next = following
    }
  }

  private func end(of frame: FLACFrame) throws(MetadataError) -> (Int, FLACFrame?) {
    var sum = CRC.flacFrame
    var summed = position
    var search = position + frame.headerLength
    while let candidate = source.firstFull(in: min(search, limit)..<limit) {
      search = candidate + 1
      guard let second = source.byte(at: search), second & 0xFE == 0xF8,
        let following = FLACFrame(of: source, at: candidate),
        frame.isFollowed(by: following, in: stream)
      else { continue }
      sum.add(summed..<candidate, of: source)
      summed = candidate
      if sum.value == 0 { return (candidate, following) }
    }
    // Bytes after the last frame may have a matching checksum, too.
    let end = FLACFrameEnd.find(
      frame,
      of: source,
      at: position,
      limit: limit,
      bitsPerSample: stream.bitsPerSample
    )
    guard let end else { throw MetadataError(.damaged, "a frame that ends early") }
    var own = CRC.flacFrame
    own.add(position..<end, of: source)
    guard own.value == 0 else { throw MetadataError(.damaged, "a frame with a wrong checksum") }
    return (end, nil)
  }
}

extension ByteSource {
  /// Returns the offset of the first 0xFF byte in `range`, or nil; compares eight bytes per step.
  func firstFull(in range: Range<Int>) -> Int? {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let (distance, count) = withRun(from: offset) { run in
        let run = UnsafeRawBufferPointer(rebasing: run.prefix(range.upperBound - offset))
        var index = 0
        while run.count - index >= 8 {
          let word = ~run.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          // A zero byte in the complement sets its highest bit.
          if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { break }
          index += 8
        }
        while index < run.count {
          if run[index] == 0xFF { return (index, run.count) }
          index += 1
        }
        return (-1, run.count)
      }
      if distance >= 0 { return offset + distance }
      guard count > 0 else { return nil }
      offset += count
    }
    return nil
  }
}
