/// How many bytes each sample of a table or of a run has, read where it stands.
package struct MovieSizes {
  /// More samples than 2 a millisecond for a day are no recording.
  package static let maximumSamples = 1 << 28

  package var count: Int
  /// Of every sample; nil when a table says each one.
  package var constant: Int?
  /// Where the first number stands.
  private var start = 0
  /// How far the numbers are apart, and how many bits each has.
  private var stride = 4
  private var bits = 32

  /// All of one size.
  package init(count: Int, constant: Int) {
    self.count = count
    self.constant = constant
  }

  /// Numbers of 4 bytes that stand `stride` bytes apart.
  package init(count: Int, at start: Int, stride: Int) {
    self.count = count
    constant = nil
    self.start = start
    self.stride = stride
  }

  /// Reads stsz or stz2; a track without either has no samples of its own.
  ///
  /// Source: ISO/IEC 14496-12 section 8.7.3.
  package init(
    _ boxes: [MovieBox],
    of source: ByteSource
  ) throws(MetadataError) {
    if let box = try boxes.only("stsz") {
      var fields = HEIFFields(source, box.body, "stsz")
      _ = try fields.number(4)
      let size = try fields.number(4)
      constant = size > 0 ? size : nil
      count = try fields.number(4)
      start = fields.range.lowerBound
      guard size > 0 || count <= fields.left / 4 else { throw fields.damaged }
    } else if let box = try boxes.only("stz2") {
      var fields = HEIFFields(source, box.body, "stz2")
      _ = try fields.number(7)
      bits = try fields.number(1)
      count = try fields.number(4)
      constant = nil
      start = fields.range.lowerBound
      guard [4, 8, 16].contains(bits), count <= fields.left * 8 / bits else {
        throw fields.damaged
      }
    } else {
      (count, constant) = (0, 0)
    }
    guard constant != nil || count <= Self.maximumSamples else {
      throw MetadataError(.overLimit, "too many samples")
    }
  }

  /// How many bytes samples that follow one another have together.
  ///
  /// - Throws: `damaged` where the table ends, or for more bytes than any file has.
  package func total(
    of samples: Range<Int>,
    in source: ByteSource
  ) throws(MetadataError) -> Int {
    let damaged = MetadataError(.damaged, "samples of impossible length")
    if let constant {
      let (total, overflow) = samples.count.multipliedReportingOverflow(by: constant)
      guard !overflow else { throw damaged }
      return total
    }
    var total = 0
    for sample in samples {
      guard let size = size(of: sample, in: source) else { throw damaged }
      // A file has fewer samples than 2³² and each is shorter than that.
      total += size
    }
    return total
  }

  /// The size of a sample, 0-based; nil where the table ends.
  package func size(of sample: Int, in source: ByteSource) -> Int? {
    if let constant { return constant }
    switch bits {
    case 32: return source.uint32(at: start + sample * stride)
    case 16: return source.uint16(at: start + sample * 2)
    case 8: return source.uint8(at: start + sample)
    default:
      return source.uint8(at: start + sample / 2).map { sample % 2 == 0 ? $0 >> 4 : $0 & 0xF }
    }
  }
}
