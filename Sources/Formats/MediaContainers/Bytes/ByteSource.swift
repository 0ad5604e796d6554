package import MediaModel

/// The bytes that a parser reads: a mapped file, a block in memory, or ranges of other sources
/// joined together.
///
/// A parser can read the output of an edit list although that output was never written. No access
/// traps: bytes outside the source are absent. A mapping is borrowed: the code that mapped the file
/// unmaps it after the last use of every value made from it. A slice copies nothing.
package struct ByteSource {
  /// The bytes up to the first discontinuity in memory; all of them for a mapping or a block.
  let first: UnsafeRawBufferPointer
  let arrangement: Arrangement?
  /// The offset in the arrangement at which this source starts.
  let start: Int
  /// The number of bytes.
  package let length: Int

  /// Creates a source over `mapping`, which is borrowed.
  package init(_ mapping: UnsafeRawBufferPointer) {
    (first, arrangement, start, length) = (mapping, nil, 0, mapping.count)
  }

  /// Creates a source from a copy of `bytes`, such as an assembled or inflated block.
  package init(_ bytes: [UInt8]) {
    var arrangement = Arrangement.Builder()
    arrangement.append(copyOf: bytes)
    self.init(arrangement.finish())
  }

  /// Joins `ranges` of `source` in order; bytes that the source does not have are left out.
  package init(joining ranges: [Range<Int>], of source: ByteSource) {
    var arrangement = Arrangement.Builder()
    for range in ranges { arrangement.append(range.clamped(to: 0..<source.length), of: source) }
    self.init(arrangement.finish())
  }

  /// Creates the output of applying `editList` to `original`.
  ///
  /// Frames of DV that a mask changes are read by ``bytes(in:limit:)``: memory at their place, which other
  /// functions read, has those of the original.
  ///
  /// - Throws: `damaged` when a copied range does not lie within the original.
  package init(applying editList: EditList, to original: ByteSource) throws(MetadataError) {
    var arrangement = Arrangement.Builder()
    for operation in editList.operations where operation.outputLength > 0 {
      switch operation {
      case .literal(let bytes): arrangement.append(copyOf: bytes)
      case .copy(let offset, let length):
        let (last, overflow) = offset.addingReportingOverflow(length)
        guard !overflow, last <= UInt64(original.length) else {
          throw MetadataError(.damaged, "a copied range lies outside the file")
        }
        arrangement.append(Int(offset)..<Int(last), of: original)
      case .masked(let offset, let length, let mask):
        let (last, overflow) = offset.addingReportingOverflow(length)
        guard !overflow, last <= UInt64(original.length) else {
          throw MetadataError(.damaged, "a copied range lies outside the file")
        }
        arrangement.append(Int(offset)..<Int(last), of: original, masked: mask)
      }
      guard arrangement.length >= 0 else {
        throw MetadataError(.damaged, "an output of impossible length")
      }
    }
    self.init(arrangement.finish())
  }

  private init(_ arrangement: Arrangement) {
    first = arrangement.run(at: 0)
    (self.arrangement, start, length) = (arrangement, 0, arrangement.ends.last ?? 0)
  }

  /// Creates the part of `source` in `range`, clamped to its length; offsets count from the start
  /// of the part.
  package init(_ source: ByteSource, _ range: Range<Int>) {
    let range = range.clamped(to: 0..<source.length)
    first = source.run(from: range.lowerBound, count: range.count)
    (arrangement, start) = (source.arrangement, source.start + range.lowerBound)
    length = range.count
  }

  /// Calls `body` once with the contiguous bytes in memory from `offset` on.
  ///
  /// The run is empty outside `0 ..< length` and otherwise holds at least one byte; another run
  /// may begin where it ends. The pointer is valid until `body` returns.
  package func withRun<Result>(
    from offset: Int,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withExtendedLifetime(arrangement) { body(run(from: offset, count: length)) }
  }

  /// Returns the run at `offset`, at most `count` bytes; it is valid as long as the arrangement
  /// exists.
  func run(from offset: Int, count: Int) -> UnsafeRawBufferPointer {
    guard offset >= 0, offset < length else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let run =
      offset < first.count
      ? UnsafeRawBufferPointer(rebasing: first[offset...])
      : arrangement?.run(at: start + offset) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    return UnsafeRawBufferPointer(rebasing: run.prefix(min(count, length - offset)))
  }
}

/// A sequence of memory runs and the objects that keep them alive.
final class Arrangement {
  private let runs: [UnsafeRawBufferPointer]
  /// The offsets at which the runs end, in ascending order.
  let ends: [Int]
  private let owners: [AnyObject]
  /// The ranges that a mask changes, in ascending order.
  private let masks: [(range: Range<Int>, mask: DIFMask)]

  private init(_ builder: borrowing Builder) {
    (runs, ends, owners) = (builder.runs, builder.ends, builder.owners)
    masks = builder.masks
  }

  /// Applies the masks to a copy of the bytes from `offset` on.
  func mask(_ bytes: inout [UInt8], from offset: Int) {
    var index = masks.firstIndexSorted { $0.range.upperBound > offset }
    while index < masks.count, masks[index].range.lowerBound < offset + bytes.count {
      let (range, mask) = masks[index]
      let part = range.clamped(to: offset..<(offset + bytes.count))
      bytes.withUnsafeMutableBytes { bytes in
        let masked = bytes[(part.lowerBound - offset)..<(part.upperBound - offset)]
        mask.apply(
          to: UnsafeMutableRawBufferPointer(rebasing: masked),
          at: part.lowerBound - range.lowerBound
        )
      }
      index += 1
    }
  }

  /// Returns the run from `offset` on; empty outside the arrangement.
  func run(at offset: Int) -> UnsafeRawBufferPointer {
    let index = ends.firstIndexSorted { $0 > offset }
    guard index < ends.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: runs[index].suffix(ends[index] - offset))
  }

  struct Builder {
    fileprivate private(set) var runs: [UnsafeRawBufferPointer] = []
    fileprivate private(set) var ends: [Int] = []
    fileprivate private(set) var owners: [AnyObject] = []
    fileprivate private(set) var masks: [(range: Range<Int>, mask: DIFMask)] = []
    /// The number of bytes so far; negative after an overflow.
    private(set) var length = 0

    mutating func append(copyOf bytes: [UInt8]) {
      let memory = Memory(bytes)
      owners.append(memory)
      append(UnsafeRawBufferPointer(memory.bytes))
    }

    /// Appends the bytes in `range`, which lies within `source`.
    mutating func append(_ range: Range<Int>, of source: ByteSource, masked mask: DIFMask? = nil) {
      if let mask, length >= 0, !length.addingReportingOverflow(range.count).overflow {
        masks.append((length..<(length + range.count), mask))
      }
      if let owner = source.arrangement, owners.last !== owner { owners.append(owner) }
      var offset = range.lowerBound
      while offset < range.upperBound {
        let run = source.run(from: offset, count: range.upperBound - offset)
        append(run)
        offset += run.count
      }
    }

    private mutating func append(_ run: UnsafeRawBufferPointer) {
      guard !run.isEmpty, length >= 0 else { return }
      let (sum, overflow) = length.addingReportingOverflow(run.count)
      length = overflow ? -1 : sum
      runs.append(run)
      ends.append(sum)
    }

    func finish() -> Arrangement { Arrangement(self) }
  }
}

/// A copy of bytes at a stable address.
private final class Memory {
  let bytes: UnsafeMutableRawBufferPointer

  init(_ source: [UInt8]) {
    bytes = .allocate(byteCount: source.count, alignment: 16)
    bytes.copyBytes(from: source)
  }

  deinit { bytes.deallocate() }
}

/// The byte order of a number.
package enum ByteOrder {
  case big
  case little
}

extension ByteSource {
  /// Returns the byte at `offset`, or nil outside the source.
  package func byte(at offset: Int) -> UInt8? {
    withRun(from: offset) { $0.first }
  }

  /// Returns the number stored in `count` bytes (at most 8) at `offset`, or nil when some of them
  /// are missing.
  package func unsigned(at offset: Int, count: Int, order: ByteOrder = .big) -> UInt64? {
    guard offset >= 0, count >= 0, count <= 8, offset <= length, length - offset >= count else {
      return nil
    }
    let whole: UInt64? = withRun(from: offset) { run in
      guard run.count >= count else { return nil }
      var value: UInt64 = 0
      for index in 0..<count { value = value << 8 | UInt64(run[index]) }
      return value
    }
    var value: UInt64 = 0
    if let whole {
      value = whole
    } else {
      for index in 0..<count {
        guard let byte = byte(at: offset + index) else { return nil }
        value = value << 8 | UInt64(byte)
      }
    }
    return order == .big ? value : value.byteSwapped >> UInt64((8 - count) * 8)
  }

  /// The number of at most 8 bytes at `offset`, or nil outside, or above what `Int` holds.
  package func number(at offset: Int, count: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: count, order: order).flatMap { Int(exactly: $0) }
  }

  /// Returns the byte at `offset` as a number, or nil outside the source.
  package func uint8(at offset: Int) -> Int? {
    byte(at: offset).map { Int($0) }
  }

  /// Returns the 16-bit number at `offset`, or nil when it is incomplete.
  package func uint16(at offset: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: 2, order: order).map { Int($0) }
  }

  /// Returns the 32-bit number at `offset`, or nil when it is incomplete.
  package func uint32(at offset: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: 4, order: order).map { Int($0) }
  }

  /// Returns the 64-bit number at `offset`, or nil when it is incomplete or does not fit an `Int`.
  package func uint64(at offset: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: 8, order: order).flatMap { Int(exactly: $0) }
  }

  /// Returns a copy of `range`, or nil when it is incomplete or longer than `limit` bytes.
  package func bytes(in range: Range<Int>, limit: Int) -> [UInt8]? {
    guard range.lowerBound >= 0, range.upperBound <= length, range.count <= limit else {
      return nil
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    while bytes.count < range.count {
      let missing = range.count - bytes.count
      let before = bytes.count
      withRun(from: range.lowerBound + bytes.count) { bytes.append(contentsOf: $0.prefix(missing)) }
      guard bytes.count > before else { return nil }
    }
    arrangement?.mask(&bytes, from: start + range.lowerBound)
    return bytes
  }

  /// Returns whether the bytes at `offset` equal `expected`.
  package func holds(_ expected: [UInt8], at offset: Int) -> Bool {
    expected.withUnsafeBytes { holds($0, at: offset) }
  }

  /// Returns whether the bytes at `offset` equal the UTF-8 of `text`.
  package func holds(_ text: String, at offset: Int) -> Bool {
    var text = text
    return text.withUTF8 { holds(UnsafeRawBufferPointer($0), at: offset) }
  }

  private func holds(_ expected: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    has(expected.count, at: offset)
      && expected.indices.allSatisfy { byte(at: offset + $0) == expected[$0] }
  }

  /// Returns whether `count` bytes from `offset` on lie within the source; false on overflow too.
  package func has(_ count: Int, at offset: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= length && count <= length - offset
  }
}
