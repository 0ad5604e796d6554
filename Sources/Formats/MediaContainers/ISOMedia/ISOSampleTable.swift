/// The locations of a track's samples, read in place: a long film has millions of them.
///
/// Source: ISO/IEC 14496-12 sections 8.7.3 to 8.7.5.
package struct ISOSampleTable {
  /// Consecutive samples in the file.
  package struct Chunk {
    /// The index of the chunk.
    package var index: Int
    /// The offset of the chunk in the file.
    package var offset: Int
    /// The index of its first sample, 0-based.
    package var firstSample: Int
    /// The number of samples.
    package var sampleCount: Int
    /// The index into the sample entries, 1-based.
    package var description: Int
  }

  /// The source of the tables.
  package let source: ByteSource
  /// The sizes of the samples.
  package let sizes: ISOSampleSizes
  /// Whether offsets have 8 bytes.
  package let isLong: Bool
  /// The number of chunks.
  package let chunkCount: Int
  private let firstOffset: Int
  private let runCount: Int
  private let firstRun: Int

  /// Parses the children of stbl.
  ///
  /// - Throws: `damaged` when a table is shorter than declared; `overLimit` for too many samples.
  package init(_ boxes: [ISOBox], of source: ByteSource) throws(MetadataError) {
    self.source = source
    sizes = try ISOSampleSizes(boxes, of: source)
    let long = try boxes.only("co64")
    isLong = long != nil
    if let box = try boxes.only("stco") ?? long {
      guard long == nil || box.type == "co64" else {
        throw MetadataError(.damaged, "stco beside co64")
      }
      var fields = ISOFields(source, box.body, box.type.displayName)
      _ = try fields.number(4)
      chunkCount = try fields.number(4)
      firstOffset = fields.range.lowerBound
      guard chunkCount <= fields.left / (isLong ? 8 : 4) else { throw fields.damaged }
    } else {
      (chunkCount, firstOffset) = (0, 0)
    }
    if let box = try boxes.only("stsc") {
      var fields = ISOFields(source, box.body, "stsc")
      _ = try fields.number(4)
      runCount = try fields.number(4)
      firstRun = fields.range.lowerBound
      guard runCount <= fields.left / 12 else { throw fields.damaged }
    } else {
      (runCount, firstRun) = (0, 0)
    }
    guard sizes.count == 0 || chunkCount > 0 && runCount > 0 else {
      throw MetadataError(.damaged, "samples without a place")
    }
  }

  /// Calls `body` with each chunk that has samples, in track order.
  ///
  /// - Throws: `damaged` when the tables are inconsistent; errors of `body`.
  package func forEachChunk(
    _ body: (Chunk) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    let damaged = MetadataError(.damaged, "stsc that does not fit its samples")
    var sample = 0
    for run in 0..<runCount {
      guard sample < sizes.count else { return }
      let position = firstRun + run * 12
      guard let first = source.uint32(at: position), let perChunk = source.uint32(at: position + 4),
        let description = source.uint32(at: position + 8)
      else { throw damaged }
      let next = run + 1 < runCount ? source.uint32(at: position + 12) ?? 0 : chunkCount + 1
      guard first >= 1, next > first || run + 1 == runCount, run > 0 || first == 1 else {
        throw damaged
      }
      for index in (first - 1)..<max(first - 1, min(next - 1, chunkCount)) {
        let count = min(perChunk, sizes.count - sample)
        guard count > 0 else { break }
        let width = isLong ? 8 : 4
        guard
          let offset = source.unsigned(at: firstOffset + index * width, count: width)
            .flatMap({ Int(exactly: $0) })
        else { throw damaged }
        let chunk = Chunk(
          index: index,
          offset: offset,
          firstSample: sample,
          sampleCount: count,
          description: description
        )
        try body(chunk)
        sample += count
      }
    }
    guard sample == sizes.count else { throw damaged }
  }
}
