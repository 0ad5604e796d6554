import MediaCodecs
import MediaContainers

/// A JPEG XL file, a codestream alone or in boxes.
struct JXLParts {
  /// The boxes at the top level; empty for a codestream alone.
  let boxes: [ISOBox]
  let codestream: JXLCodestream
  /// The box that says what a decoder must be able to do.
  let level: ISOBox?
  private let source: ByteSource
  /// The ranges of the file that are the codestream, and where each begins in it.
  private var ranges: [(start: Int, range: Range<Int>)] = []

  /// The type box that an output has.
  static let typeBox = ISOWriter.box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

  /// Reads a file.
  ///
  /// - Throws: `damaged` for one without a codestream, or with one that ends early; others as
  ///   `JXLCodestream`.
  init(of source: ByteSource) throws(MetadataError) {
    guard let header = JXLHeader(of: source) else { throw MetadataError(.damaged, "no header") }
    (boxes, self.source) = (header.boxes, source)
    guard boxes.count < JXLHeader.maximumBoxes else {
      throw MetadataError(.overLimit, "too many boxes")
    }
    level = boxes.first {
      $0.type == "jxll" && ($0.body.count == 1)
        && [5, 10].contains(source.byte(at: $0.body.lowerBound))
    }
    let whole = boxes.count { $0.type == "jxlc" }
    let pieces = boxes.filter { $0.type == "jxlp" }
    guard boxes.isEmpty || (whole == 1) != !pieces.isEmpty && whole < 2 else {
      throw MetadataError(.damaged, "not one codestream")
    }
    for (index, box) in pieces.enumerated() {
      // The last piece has the highest bit too.
      let number = index + (index + 1 == pieces.count ? 1 << 31 : 0)
      guard source.uint32(at: box.body.lowerBound) == number else {
        throw MetadataError(.damaged, "pieces of the codestream out of order")
      }
    }
    var start = 0
    for range in header.ranges {
      ranges.append((start, range))
      start += range.count
    }
    codestream = try JXLCodestream(of: ByteSource(joining: header.ranges, of: source))
  }

  /// Returns the ranges of the file that a range of the codestream consists of.
  func ranges(of range: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var index = max(0, ranges.firstIndexSorted { $0.start > range.lowerBound } - 1)
    while index < ranges.count, ranges[index].start < range.upperBound {
      let (start, source) = ranges[index]
      let first = max(range.lowerBound, start) - start + source.lowerBound
      let last = min(range.upperBound - start + source.lowerBound, source.upperBound)
      if first < last { result.append(first..<last) }
      index += 1
    }
    return result
  }

  /// Returns whether a range of the codestream has these bytes.
  private func holds(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
    guard bytes.count == range.count else { return false }
    return ByteSource(joining: ranges(of: range), of: source).holds(bytes, at: 0)
  }

  /// Returns the codestream as an output has it.
  func output() -> OutputPieces {
    var output = OutputPieces()
    func add(_ written: [UInt8], over range: Range<Int>) {
      guard holds(written, in: range) else { return output.literal(written) }
      for source in ranges(of: range) { output.copy(source) }
    }
    add(codestream.header, over: codestream.start)
    for frame in codestream.frames where !frame.isPreview {
      add(frame.header, over: frame.start)
      for source in ranges(of: frame.data) { output.copy(source) }
    }
    return output
  }

  /// Verifies that the codestream, in a range of an output, is as an output has it and ends with the
  /// range.
  ///
  /// - Throws: `residue` naming the first part that is not.
  func verify(in range: Range<Int>) throws(MetadataError) {
    if let name = codestream.removed.keys.min() { throw MetadataError(.residue, name) }
    let offset = range.lowerBound
    func moved(_ range: Range<Int>) -> Range<Int> {
      (range.lowerBound + offset)..<(range.upperBound + offset)
    }
    var walker = PartWalker(JXLAllowList.codestream, source, from: offset)
    let isOwn = holds(codestream.header, in: codestream.start)
    try walker.pass(JXLAllowList.header, at: moved(codestream.start), isOwn: isOwn)
    for frame in codestream.frames {
      let isOwn = !frame.isPreview && holds(frame.header, in: frame.start)
      try walker.pass(JXLAllowList.frame, at: moved(frame.start), isOwn: isOwn)
      try walker.pass(JXLAllowList.data, at: moved(frame.data))
    }
    try walker.finish(at: range.upperBound)
  }
}
