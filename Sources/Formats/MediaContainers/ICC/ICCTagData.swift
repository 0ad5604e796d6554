/// The significant bytes of a tag's data, as its type defines them.
///
/// A curve of ten points in a tag of a megabyte keeps ten points: the rest is removed, and
/// reserved bytes and gaps are zero.
///
/// Source: ICC.1:2022 section 10 (tag types).
struct ICCTagData {
  /// The length in bytes from the start of the data to the end of the last part; at most the size
  /// in the tag table.
  let length: Int
  /// The significant ranges, ascending and disjoint, relative to the start of the data.
  let parts: [Range<Int>]

  /// Parses a tag's data, which are in `range` of the source.
  ///
  /// - Returns: Nil when the type is not valid for `tag`, or the data end early.
  init?(of source: ByteSource, in range: Range<Int>, tag: FourCharacterCode) {
    guard range.count >= 8, let type = source.code(at: range.lowerBound) else { return nil }
    var reader = Reader(source: source, start: range.lowerBound, length: range.count)
    let isRead: Bool
    switch (tag, type) {
    case ("rXYZ", "XYZ "), ("gXYZ", "XYZ "), ("bXYZ", "XYZ "), ("wtpt", "XYZ "), ("bkpt", "XYZ "):
      isRead = reader.take(0..<4) && reader.take(8..<20)
    case ("chad", "sf32"): isRead = reader.take(0..<4) && reader.take(8..<44)
    case ("cicp", "cicp"): isRead = reader.take(0..<4) && reader.take(8..<12)
    case ("rTRC", _), ("gTRC", _), ("bTRC", _), ("kTRC", _): isRead = reader.curve(at: 0) != nil
    case (_, "mft1"): isRead = reader.table8()
    case (_, "mft2"): isRead = reader.table16()
    case (_, "mAB "): isRead = reader.curvesAndTable(isToConnection: true)
    case (_, "mBA "): isRead = reader.curvesAndTable(isToConnection: false)
    case (_, "mpet"): isRead = reader.elements()
    default: isRead = false
    }
    guard isRead else { return nil }
    parts = reader.merged
    length = parts.last?.upperBound ?? 0
  }
}

extension ICCTagData {
  private struct Reader {
    let source: ByteSource
    let start: Int
    let length: Int
    private var taken: [Range<Int>] = []

    init(source: ByteSource, start: Int, length: Int) {
      self.source = source
      self.start = start
      self.length = length
    }

    /// The taken ranges in ascending order, with adjacent and overlapping ones merged.
    var merged: [Range<Int>] {
      var merged: [Range<Int>] = []
      for range in taken.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let last = merged.last, range.lowerBound <= last.upperBound {
          merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
          merged.append(range)
        }
      }
      return merged
    }

    /// Marks bytes as significant; returns false when some of them are missing.
    mutating func take(_ range: Range<Int>) -> Bool {
      guard range.lowerBound >= 0, range.upperBound <= length else { return false }
      taken.append(range)
      return true
    }

    private func uint8(_ offset: Int) -> Int? { source.uint8(at: start + offset) }

    private func uint16(_ offset: Int) -> Int? { source.uint16(at: start + offset) }

    private func uint32(_ offset: Int) -> Int? { source.uint32(at: start + offset) }

    /// Takes the curve at `offset` and returns its end, or nil when there is none.
    mutating func curve(at offset: Int) -> Int? {
      guard offset >= 0, offset + 12 <= length else { return nil }
      switch source.code(at: start + offset) {
      case "curv":
        guard let count = uint32(offset + 8), take(offset..<(offset + 4)),
          take((offset + 8)..<(offset + 12 + 2 * count))
        else { return nil }
        return offset + 12 + 2 * count
      case "para":
        guard let kind = uint16(offset + 8), kind < 5 else { return nil }
        let end = offset + 12 + 4 * [1, 3, 4, 5, 7][kind]
        guard take(offset..<(offset + 4)), take((offset + 8)..<(offset + 10)),
          take((offset + 12)..<end)
        else { return nil }
        return end
      default: return nil
      }
    }

    /// Returns the numbers of input and output channels, which all table types store at the same
    /// offset.
    private func channels() -> (input: Int, output: Int)? {
      guard let input = uint8(8), let output = uint8(9), (1...16).contains(input),
        (1...16).contains(output)
      else { return nil }
      return (input, output)
    }

    mutating func table8() -> Bool {
      guard let (input, output) = channels(), let points = uint8(10),
        let size = size(points: [Int](repeating: points, count: input), of: output)
      else { return false }
      return take(0..<4) && take(8..<11) && take(12..<(48 + 256 * (input + output) + size))
    }

    mutating func table16() -> Bool {
      guard let (input, output) = channels(), let points = uint8(10),
        let before = uint16(48), let after = uint16(50),
        let size = size(points: [Int](repeating: points, count: input), of: output)
      else { return false }
      let end = 52 + 2 * (before * input + size + after * output)
      return take(0..<4) && take(8..<11) && take(12..<end)
    }

    /// Returns the number of values in a table with `points` grid points per input channel; nil
    /// when it exceeds the limit.
    private func size(points: [Int], of output: Int) -> Int? {
      var size = output
      for count in points {
        guard count > 0 else { return nil }
        size *= count
        guard size <= ICCProfile.maximumLength else { return nil }
      }
      return size
    }

    mutating func curvesAndTable(isToConnection: Bool) -> Bool {
      guard let (input, output) = channels(), take(0..<4), take(8..<10), take(12..<32) else {
        return false
      }
      let inner = isToConnection ? output : input
      let outer = isToConnection ? input : output
      guard let offsets = offsets() else { return false }
      let (b, matrix, m, table, a) = offsets
      guard b == 0 || curves(inner, at: b), matrix == 0 || take(matrix..<(matrix + 48)),
        m == 0 || curves(inner, at: m), a == 0 || curves(outer, at: a)
      else { return false }
      guard table != 0 else { return true }
      guard table + 20 <= length, let precision = uint8(table + 16),
        precision == 1 || precision == 2
      else { return false }
      var points: [Int] = []
      for index in 0..<input { points.append(uint8(table + index) ?? 0) }
      guard let size = size(points: points, of: output) else { return false }
      return take(table..<(table + input)) && take((table + 16)..<(table + 17))
        && take((table + 20)..<(table + 20 + size * precision))
    }

    private func offsets() -> (Int, Int, Int, Int, Int)? {
      guard let b = uint32(12), let matrix = uint32(16), let m = uint32(20),
        let table = uint32(24), let a = uint32(28)
      else { return nil }
      return (b, matrix, m, table, a)
    }

    /// Takes `count` consecutive curves, each aligned to four bytes.
    private mutating func curves(_ count: Int, at offset: Int) -> Bool {
      var offset = offset
      for _ in 0..<count {
        guard let end = curve(at: offset) else { return false }
        offset = (end + 3) / 4 * 4
      }
      return true
    }

    /// Takes the multi-process elements; the position table gives the offset and size of each.
    mutating func elements() -> Bool {
      guard let count = uint32(12), (1...64).contains(count), take(0..<4),
        take(8..<(16 + 8 * count))
      else { return false }
      for index in 0..<count {
        guard let offset = uint32(16 + 8 * index), let size = uint32(20 + 8 * index),
          let end = element(at: offset), (end...(end + 3)).contains(offset + size)
        else { return false }
      }
      return true
    }

    /// Takes a matrix, a set of curves or a table of numbers, and returns its end, behind which an element may have
    /// padding; nil for one of another type, which could hold anything.
    ///
    /// Source: ICC.1:2022 section 11.2 (multiProcessElements).
    private mutating func element(at offset: Int) -> Int? {
      guard let input = uint16(offset + 8), let output = uint16(offset + 10), (1...16).contains(input),
        (1...16).contains(output), take(offset..<(offset + 4))
      else { return nil }
      let numbers = offset + 12
      var end: Int
      switch source.code(at: start + offset) {
      case "matf": end = numbers + 4 * (input + 1) * output
      case "clut":
        let points = (0..<input).map { uint8(numbers + $0) ?? 0 }
        guard let size = size(points: points, of: output) else { return nil }
        end = numbers + 16 + 4 * size
        // Sixteen bytes for the points, of which one is used for each channel.
        return take((offset + 8)..<(numbers + input)) && take((numbers + 16)..<end) ? end : nil
      case "cvst":
        end = numbers + 8 * input
        guard take((offset + 8)..<end) else { return nil }
        for curve in stride(from: numbers, to: end, by: 8) {
          guard let curveOffset = uint32(curve), let length = uint32(curve + 4),
            let last = segments(at: offset + curveOffset),
            (last...(last + 3)).contains(offset + curveOffset + length)
          else { return nil }
          end = max(end, last)
        }
        return end
      default: return nil
      }
      return take((offset + 8)..<end) ? end : nil
    }

    /// Takes the segments of a curve, each of a formula or of samples, and returns their end; nil for more than 64.
    private mutating func segments(at offset: Int) -> Int? {
      guard source.code(at: start + offset) == "curf", let count = uint16(offset + 8),
        (1...64).contains(count), take(offset..<(offset + 4)), take((offset + 8)..<(offset + 10)),
        take((offset + 12)..<(offset + 12 + 4 * (count - 1)))
      else { return nil }
      var position = offset + 12 + 4 * (count - 1)
      for _ in 0..<count {
        let end: Int
        switch source.code(at: start + position) {
        case "parf":
          guard let kind = uint16(position + 8), kind < 3, take((position + 8)..<(position + 10)) else {
            return nil
          }
          end = position + 12 + 4 * [4, 5, 5][kind]
        case "samf":
          guard let samples = uint32(position + 8), take((position + 8)..<(position + 12)) else { return nil }
          end = position + 12 + 4 * samples
        default: return nil
        }
        guard take(position..<(position + 4)), take((position + 12)..<end) else { return nil }
        position = end
      }
      return position
    }
  }
}
