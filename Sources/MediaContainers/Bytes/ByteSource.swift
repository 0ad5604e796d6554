package import MediaModel

/// Bytes that a parser reads: a mapped file, a block in memory, or parts of others in a row.
///
/// A parser can read the output of an edit list without that output existing anywhere. Nothing here
/// traps: what lies outside is absent. A mapping is borrowed: whoever mapped the file unmaps it after
/// the last use of every value made from it. A slice costs no copy.
package struct ByteSource {
  /// The bytes up to the first gap in memory; all of them for a mapping or a block.
  @usableFromInline let first: UnsafeRawBufferPointer
  @usableFromInline let arrangement: Arrangement?
  /// Where this source starts within the arrangement.
  @usableFromInline let start: Int
  /// Count of bytes.
  package let length: Int

  /// The bytes of `mapping`, which is borrowed.
  package init(_ mapping: UnsafeRawBufferPointer) {
    (first, arrangement, start, length) = (mapping, nil, 0, mapping.count)
  }

  /// A copy of `bytes`, such as a block that was put together or inflated.
  package init(_ bytes: [UInt8]) {
    var arrangement = Arrangement.Builder()
    arrangement.append(copyOf: bytes)
    self.init(arrangement.finish())
  }

  /// The ranges of `source`, one after another; bytes that it does not have are left out.
  package init(joining ranges: [Range<Int>], of source: ByteSource) {
    var arrangement = Arrangement.Builder()
    for range in ranges { arrangement.append(range.clamped(to: 0..<source.length), of: source) }
    self.init(arrangement.finish())
  }

  /// The output that `editList` makes of `original`.
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

  /// The part of `source` in `range`, as far as it is there; offsets count from its start.
  package init(_ source: ByteSource, _ range: Range<Int>) {
    let range = range.clamped(to: 0..<source.length)
    first = source.run(from: range.lowerBound, count: range.count)
    (arrangement, start) = (source.arrangement, source.start + range.lowerBound)
    length = range.count
  }

  /// Calls `body` once with the bytes that follow one another in memory from `offset` on.
  ///
  /// The run is empty outside `0 ..< length` and otherwise holds at least one byte; where it ends
  /// the next one may begin. The pointer is valid until `body` returns.
  @inlinable
  package func withRun<Result>(
    from offset: Int,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withExtendedLifetime(arrangement) { body(run(from: offset, count: length)) }
  }

  /// The run at `offset`, at most `count` bytes; valid while the arrangement is.
  @inlinable
  func run(from offset: Int, count: Int) -> UnsafeRawBufferPointer {
    guard offset >= 0, offset < length else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let run =
      offset < first.count
      ? UnsafeRawBufferPointer(rebasing: first[offset...])
      : arrangement?.run(at: start + offset) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    return UnsafeRawBufferPointer(rebasing: run.prefix(min(count, length - offset)))
  }
}

/// Runs of memory in a row, and what keeps them alive.
@usableFromInline final class Arrangement {
  private let runs: [UnsafeRawBufferPointer]
  /// Offsets where each run ends; ascending.
  let ends: [Int]
  private let owners: [AnyObject]

  private init(_ builder: borrowing Builder) {
    (runs, ends, owners) = (builder.runs, builder.ends, builder.owners)
  }

  /// The run from `offset` on; empty outside.
  @usableFromInline
  func run(at offset: Int) -> UnsafeRawBufferPointer {
    var low = 0
    var high = ends.count
    while low < high {
      let middle = low + (high - low) / 2
      if ends[middle] > offset { high = middle } else { low = middle + 1 }
    }
    guard low < ends.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: runs[low].suffix(ends[low] - offset))
  }

  struct Builder {
    fileprivate private(set) var runs: [UnsafeRawBufferPointer] = []
    fileprivate private(set) var ends: [Int] = []
    fileprivate private(set) var owners: [AnyObject] = []
    /// Bytes so far; negative after an overflow.
    private(set) var length = 0

    mutating func append(copyOf bytes: [UInt8]) {
      let memory = Memory(bytes)
      owners.append(memory)
      append(UnsafeRawBufferPointer(memory.bytes))
    }

    /// Appends the bytes in `range`, which lies within `source`.
    mutating func append(_ range: Range<Int>, of source: ByteSource) {
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

/// A copy of bytes at an address that stays.
private final class Memory {
  let bytes: UnsafeMutableRawBufferPointer

  init(_ source: [UInt8]) {
    bytes = .allocate(byteCount: source.count, alignment: 16)
    bytes.copyBytes(from: source)
  }

  deinit { bytes.deallocate() }
}

/// Which byte of a number comes first.
package enum ByteOrder {
  case big
  case little
}

extension ByteSource {
  /// The byte at `offset`, or nil outside.
  @inlinable
  package func byte(at offset: Int) -> UInt8? {
    withRun(from: offset) { $0.first }
  }

  /// The number that `count` bytes (at most 8) at `offset` make, or nil when they are not all there.
  @inlinable
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
  @inlinable
  package func number(at offset: Int, count: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: count, order: order).flatMap { Int(exactly: $0) }
  }

  @inlinable
  package func uint8(at offset: Int) -> Int? {
    byte(at: offset).map { Int($0) }
  }

  @inlinable
  package func uint16(at offset: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: 2, order: order).map { Int($0) }
  }

  @inlinable
  package func uint32(at offset: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: 4, order: order).map { Int($0) }
  }

  /// A 64-bit number that fits a length or an offset, or nil.
  @inlinable
  package func uint64(at offset: Int, order: ByteOrder = .big) -> Int? {
    unsigned(at: offset, count: 8, order: order).flatMap { Int(exactly: $0) }
  }

  /// A copy of `range`, or nil when it is not all there or longer than `limit` bytes.
  @inlinable
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
    return bytes
  }

  /// Whether these bytes stand at `offset`.
  @inlinable
  package func holds(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset <= length, length - offset >= expected.count else { return false }
    var position = offset
    for wanted in expected {
      guard byte(at: position) == wanted else { return false }
      position += 1
    }
    return true
  }

  @inlinable
  package func holds(_ text: String, at offset: Int) -> Bool {
    holds(text.utf8, at: offset)
  }
}
