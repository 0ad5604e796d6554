import MediaContainers

/// The header of a scan of a progressive JPEG.
///
/// Source: ITU-T T.81 B.2.3 and G.1.1.1.
struct ProgressiveScan {
  /// The coefficients that it has, in zigzag order: the first alone, or some of the others.
  let band: Range<Int>
  /// The lowest bit that was known before, and that it has; `high` is 0 for the first scan of a band.
  let high: Int
  let low: Int
  /// With the number of the Huffman table of each.
  var components: [(component: ProgressiveComponent, table: Int)] = []

  var isRefinement: Bool { high > 0 }
}

/// Reads the entropy-coded data of one scan of a progressive JPEG.
///
/// Source: ITU-T T.81 G.1.2; decode_mcu_DC_first, _DC_refine, _AC_first and _AC_refine of jdphuff.c.
struct ProgressivePass {
  private(set) var reader: EntropyReader
  private let scan: ProgressiveScan
  private let coding: CodingTables
  /// Those of the band, as bits.
  private let mask: UInt64
  private let last: Int
  private var predictions = SIMD4<Int32>.zero
  /// The number of blocks of which nothing more follows, but bits of coefficients that are not zero.
  private var endOfBandRun = 0
  private var restarts: RestartMarkers

  init(_ scan: ProgressiveScan, _ coding: CodingTables, _ reader: EntropyReader) {
    (self.scan, self.coding, self.reader) = (scan, coding, reader)
    last = scan.band.upperBound - 1
    mask = Self.ones(scan.band.lowerBound, scan.band.upperBound)
    restarts = RestartMarkers(interval: coding.restartInterval)
  }

  /// Reads all blocks; false if anything is invalid.
  mutating func run() -> Bool {
    if scan.components.count > 1 { return readUnits() }
    guard let (component, table) = scan.components.first else { return false }
    let isMean = scan.band.lowerBound == 0
    let symbols = UnsafePointer((isMean ? coding.dcTables : coding.acTables)[table].symbols)
    for row in 0..<component.ownRows {
      var block = component.blocks + row * component.columns
      for _ in 0..<component.ownColumns {
        guard passRestart() else { return false }
        let isRead =
          switch (isMean, scan.isRefinement) {
          case (true, _): readMean(block, symbols, 0)
          case (false, false): readFirst(block, symbols)
          case (false, true): refine(block, symbols)
          }
        guard isRead else { return false }
        block += 1
      }
      if reader.isOverrun { return false }
    }
    return endOfBandRun == 0
  }

  /// Reads the means of several components, which are interleaved.
  private mutating func readUnits() -> Bool {
    let parts = scan.components.map { ($0.component, UnsafePointer(coding.dcTables[$0.table].symbols)) }
    guard let (first, _) = parts.first else { return false }
    for row in 0..<(first.rows / first.frame.vertical) {
      for column in 0..<(first.columns / first.frame.horizontal) {
        guard passRestart() else { return false }
        for (index, (component, symbols)) in parts.enumerated() {
          for y in 0..<component.frame.vertical {
            var block = component.blocks + (row * component.frame.vertical + y) * component.columns
            block += column * component.frame.horizontal
            for _ in 0..<component.frame.horizontal {
              guard readMean(block, symbols, index) else { return false }
              block += 1
            }
          }
        }
      }
      if reader.isOverrun { return false }
    }
    return true
  }

  private mutating func passRestart() -> Bool {
    guard let isRestart = restarts.step(&reader) else { return false }
    if isRestart { predictions = .zero }
    return !isRestart || endOfBandRun == 0
  }

  @inline(__always)
  private mutating func readMean(
    _ block: UnsafeMutablePointer<ProgressiveBlock>,
    _ symbols: UnsafePointer<UInt16>,
    _ index: Int
  ) -> Bool {
    if scan.isRefinement {
      reader.ensure(1)
      if reader.read(1) != 0 { block.pointee.mean |= 1 &<< Int16(scan.low) }
      return true
    }
    guard let symbol = reader.readSymbol(symbols) else { return false }
    predictions[index] &+= reader.readValue(symbol.size)
    let prediction = predictions[index]
    block.pointee.mean = Int16(truncatingIfNeeded: prediction &<< Int32(scan.low))
    // libjpeg stores 16 bits.
    return prediction >= -32_768 && prediction < 32_768
  }

  /// Reads the highest bits of the coefficients of a band.
  @inline(__always)
  private mutating func readFirst(
    _ block: UnsafeMutablePointer<ProgressiveBlock>,
    _ symbols: UnsafePointer<UInt16>
  ) -> Bool {
    if endOfBandRun > 0 {
      endOfBandRun -= 1
      return true
    }
    var index = scan.band.lowerBound
    var nonzero = block.pointee.nonzero
    while index <= last {
      guard let (run, size) = reader.readSymbol(symbols) else { return false }
      if size == 0 {
        if run < 15 {
          endOfBandRun = 1 &<< run &+ reader.read(run) &- 1
          break
        }
        index &+= 16
        continue
      }
      index &+= run
      guard index <= last else { return false }
      // libjpeg stores 16 bits.
      let value = Int16(truncatingIfNeeded: reader.readValue(size) &<< Int32(scan.low))
      if value != 0 { nonzero |= 1 &<< UInt64(index) }
      if ProgressiveBlock.kept &>> UInt64(index) & 1 != 0 {
        block.pointee.set(index, value)
      }
      index &+= 1
    }
    block.pointee.nonzero = nonzero
    return true
  }

  /// Reads one bit more of the coefficients of a band, and those that were zero up to it.
  @inline(__always)
  private mutating func refine(
    _ block: UnsafeMutablePointer<ProgressiveBlock>,
    _ symbols: UnsafePointer<UInt16>
  ) -> Bool {
    let before = block.pointee.nonzero
    var index = scan.band.lowerBound
    if endOfBandRun == 0 {
      while index <= last {
        guard let (run, size) = reader.readSymbol(symbols) else { return false }
        var isNegative = false
        if size == 0 {
          if run < 15 {
            endOfBandRun = 1 &<< run &+ reader.read(run)
            break
          }
        } else {
          guard size == 1 else { return false }
          isNegative = reader.read(1) == 0
        }
        // The coefficient behind as many that stay zero.
        var zeros = ~before & mask & Self.ones(index, 64)
        for _ in 0..<run { zeros &= zeros &- 1 }
        guard zeros != 0 || size == 0 else { return false }
        let target = zeros == 0 ? last + 1 : zeros.trailingZeroBitCount
        correct(block, before & mask & Self.ones(index, target))
        if size != 0 {
          block.pointee.nonzero |= 1 &<< UInt64(target)
          block.pointee.set(target, isNegative ? -1 &<< Int16(scan.low) : 1 &<< Int16(scan.low))
        }
        index = target + 1
      }
    }
    if endOfBandRun > 0 {
      if index <= last { correct(block, before & mask & Self.ones(index, 64)) }
      endOfBandRun -= 1
    }
    return true
  }

  /// Reads a bit for each coefficient of `coefficients`, none of which is zero.
  @inline(__always)
  private mutating func correct(_ block: UnsafeMutablePointer<ProgressiveBlock>, _ coefficients: UInt64) {
    var remaining = coefficients
    while remaining & ProgressiveBlock.kept != 0 {
      let index = remaining.trailingZeroBitCount
      remaining &= remaining &- 1
      reader.ensure(1)
      let isSet = reader.read(1) != 0
      guard isSet, ProgressiveBlock.kept &>> UInt64(index) & 1 != 0 else { continue }
      let (value, bit) = (block.pointee.value(index), 1 &<< Int16(scan.low))
      if value & bit == 0 { block.pointee.set(index, value >= 0 ? value &+ bit : value &- bit) }
    }
    var count = remaining.nonzeroBitCount
    while count > 0 {
      let step = min(count, 32)
      reader.ensure(step)
      reader.skip(step)
      count &-= step
    }
  }

  /// The bits from `start` on below `end`, 0 to 64.
  @inline(__always)
  private static func ones(_ start: Int, _ end: Int) -> UInt64 {
    let below: UInt64 = end >= 64 ? .max : 1 &<< UInt64(end) &- 1
    return start >= 64 ? 0 : below & (.max &<< UInt64(start))
  }
}
