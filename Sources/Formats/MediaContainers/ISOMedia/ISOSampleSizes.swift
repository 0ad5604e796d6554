/// The sizes of the samples in a sample table or a track run, read in place.
package struct ISOSampleSizes {
  /// The maximum number of samples, more than 2 per millisecond for a day.
  package static let maximumSamples = 1 << 28

  /// The number of samples.
  package var count: Int
  /// The size of every sample; nil when a table lists each one.
  package var constant: Int?
  /// The offset of the first size.
  private var start = 0
  /// The distance between sizes in bytes, and the number of bits of each.
  private var stride = 4
  private var bits = 32

  /// Creates sizes that are all equal.
  package init(count: Int, constant: Int) {
    self.count = count
    self.constant = constant
  }

  /// Reads sizes of 4 bytes that are `stride` bytes apart.
  package init(count: Int, at start: Int, stride: Int) {
    self.count = count
    constant = nil
    self.start = start
    self.stride = stride
  }

  /// Parses stsz or stz2; a track without either has no samples of its own.
  ///
  /// Source: ISO/IEC 14496-12 section 8.7.3.
  package init(
    _ boxes: [ISOBox],
    of source: ByteSource
  ) throws(MetadataError) {
    if let box = try boxes.only("stsz") {
      var fields = ISOFields(source, box.body, "stsz")
      _ = try fields.number(4)
      let size = try fields.number(4)
      constant = size > 0 ? size : nil
      count = try fields.number(4)
      start = fields.range.lowerBound
      guard size > 0 || count <= fields.left / 4 else { throw fields.damaged }
    } else if let box = try boxes.only("stz2") {
      var fields = ISOFields(source, box.body, "stz2")
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

  /// Returns the total number of bytes of consecutive samples.
  ///
  /// - Throws: `damaged` where the table ends, or when the sum exceeds any file's length.
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
      // The sum cannot overflow: a file has fewer than 2³² samples, and each is shorter than that.
      total += size
    }
    return total
  }

  /// Returns the size of a sample, 0-based; nil where the table ends.
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
