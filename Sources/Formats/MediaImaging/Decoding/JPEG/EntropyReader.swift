/// Reads the bits of one entropy-coded scan, most significant first, without byte stuffing.
///
/// Reading ends at the first marker; from there on it gives zeros and counts them, so that the
/// caller can check once per row of blocks instead of at each bit.
///
/// Source: ITU-T T.81 section F.1.2.3 (stuffing), F.2.2.5.
struct EntropyReader {
  let start: UnsafePointer<UInt8>
  let end: Int
  private(set) var offset: Int
  /// The next bits, in the most significant positions.
  private var window: UInt64 = 0
  private var count = 0
  private var inventedCount = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, start: UnsafePointer<UInt8>, at offset: Int) {
    self.start = start
    end = bytes.count
    self.offset = offset
  }

  /// Whether more bits were read than the scan has.
  var isOverrun: Bool { inventedCount > count }

  /// Makes at least `bits` bits available, at most 56; quickest where they mostly are.
  @inline(__always)
  mutating func ensure(_ bits: Int) {
    if count < bits { refill() }
  }

  /// Makes at least 56 bits available; quickest where they mostly are not.
  @inline(__always)
  mutating func refill() {
    if count >= 56 { return }
    if offset &+ 8 <= end {
      let word = UInt64(bigEndian: UnsafeRawPointer(start + offset).loadUnaligned(as: UInt64.self))
      // No byte of the word is 0xFF if no byte of its complement is zero. Bytes that are not
      // consumed may be: a bit of them in the window is cleared when they are read.
      let inverse = ~word
      let zeroBytes = (inverse &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080
      let bytes = (63 &- count) &>> 3
      if zeroBytes &>> UInt64(truncatingIfNeeded: 64 &- bytes &<< 3) == 0 {
        window |= word &>> UInt64(truncatingIfNeeded: count)
        offset &+= bytes
        // As many whole bytes as fit, whatever the count.
        count |= 56
        return
      }
    }
    refillSlowly()
  }

  @inline(never)
  private mutating func refillSlowly() {
    // The fast path may have left bits below `count`: clear them, since they are read again.
    window &= count == 0 ? 0 : ~UInt64(0) &<< UInt64(64 &- count)
    while count <= 56 {
      var byte: UInt64 = 0
      if offset < end, start[offset] != 0xFF {
        byte = UInt64(start[offset])
        offset &+= 1
      } else if offset &+ 1 < end, start[offset] == 0xFF, start[offset &+ 1] == 0 {
        byte = 0xFF
        offset &+= 2
      } else {
        inventedCount &+= 8
      }
      window |= byte &<< UInt64(56 &- count)
      count &+= 8
    }
  }

  /// Returns the next 1 to 32 bits without consuming them.
  @inline(__always)
  func peek(_ bits: Int) -> Int {
    Int(truncatingIfNeeded: window &>> UInt64(truncatingIfNeeded: 64 &- bits))
  }

  @inline(__always)
  mutating func skip(_ bits: Int) {
    window &<<= UInt64(truncatingIfNeeded: bits)
    count &-= bits
  }

  /// Reads 0 to 32 bits, which are available.
  @inline(__always)
  mutating func read(_ bits: Int) -> Int {
    if bits == 0 { return 0 }
    defer { skip(bits) }
    return peek(bits)
  }

  /// Reads a code by ``HuffmanTable/symbols``, and makes the 15 bits available that a coefficient may have behind it;
  /// nil for no code.
  @inline(__always)
  mutating func readSymbol(_ symbols: UnsafePointer<UInt16>) -> (run: Int, size: Int)? {
    ensure(16 + 15)
    let entry = Int(symbols[peek(16)])
    guard entry != 0 else { return nil }
    skip(entry &>> 8)
    return (entry &>> 4 & 15, entry & 15)
  }

  /// Reads the bits of a coefficient of the given size, which are available.
  @inline(__always)
  mutating func readValue(_ size: Int) -> Int32 {
    HuffmanTable.value(of: read(size), size: size)
  }

  /// The offset of the marker that must come next; nil if other data comes next, even a fill byte.
  var markerOffset: Int? {
    let left = count &- inventedCount
    guard left >= 0, left < 8, offset + 1 < end, start[offset] == 0xFF else { return nil }
    return offset
  }

  /// Skips the marker that must come next.
  ///
  /// - Returns: False if other data comes next, even a fill byte.
  mutating func pass(marker: UInt8) -> Bool {
    guard let markerOffset, start[markerOffset + 1] == marker else { return false }
    offset += 2
    (window, count, inventedCount) = (0, 0, 0)
    return true
  }
}

/// Counts the minimum coded units of a scan between its restart markers.
struct RestartMarkers {
  /// 0 for none.
  private let interval: Int
  private var unitsLeft: Int
  private var number: UInt8 = 0

  init(interval: Int) { (self.interval, unitsLeft) = (interval, interval) }

  /// Goes on to the next unit, and skips the marker ahead of it.
  ///
  /// - Returns: Whether there is one; nil if another marker, or other data, is in its place.
  @inline(__always)
  mutating func step(_ reader: inout EntropyReader) -> Bool? {
    if interval == 0 { return false }
    let isRestart = unitsLeft == 0
    if isRestart {
      guard reader.pass(marker: 0xD0 + number) else { return nil }
      number = (number + 1) & 7
      unitsLeft = interval
    }
    unitsLeft -= 1
    return isRestart
  }
}
