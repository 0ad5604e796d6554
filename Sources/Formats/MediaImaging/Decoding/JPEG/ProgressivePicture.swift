import Glibc
import MediaContainers
import MediaModel

/// What is known of a block of a progressive JPEG: 16 bytes, where all of its coefficients would take 128.
///
/// The scans that refine coefficients have a bit for each that is not zero, so that these have to be known; their
/// values are not needed.
struct ProgressiveBlock {
  /// Bit n is set when the coefficient n of the zigzag order is not zero; bit 0, the mean's, is not kept.
  var nonzero: UInt64 = 0
  var mean: Int16 = 0
  var across: Int16 = 0
  var down: Int16 = 0
  var diagonal: Int16 = 0

  /// The bits of ``nonzero`` whose values are kept: 1, 2 and 4 of the zigzag order.
  static let kept: UInt64 = 0b10110

  /// Enters the value of a coefficient, if it is one of those that are kept.
  @inline(__always)
  mutating func set(_ index: Int, _ value: Int16) {
    switch index {
    case 1: across = value
    case 2: down = value
    case 4: diagonal = value
    default: break
    }
  }

  /// The value of a coefficient that is kept.
  @inline(__always)
  func value(_ index: Int) -> Int16 { index == 1 ? across : index == 2 ? down : diagonal }
}

/// A component of a progressive JPEG, with its blocks.
struct ProgressiveComponent {
  let frame: JPEGFrame.Component
  let blocks: UnsafeMutablePointer<ProgressiveBlock>
  /// Blocks per row and rows of blocks, as minimum coded units have them.
  let columns: Int
  let rows: Int
  /// Those of a scan that has this component alone.
  let ownColumns: Int
  let ownRows: Int
  /// The lowest bit that is known of each coefficient, in zigzag order; -1 for none.
  var lowestBits = [Int](repeating: -1, count: 64)
}

/// The scans of a progressive JPEG, of which only the coefficients of small pictures are kept.
///
/// A file is read only if libjpeg would decode it without a warning, and knows all bits of all coefficients in the end:
/// it smooths blocks otherwise.
///
/// Source: ITU-T T.81 annex G; start_pass_phuff_decoder of jdphuff.c, smoothing_ok of jdcoefct.c (libjpeg-turbo 2.1).
struct ProgressivePicture {
  private var components: [ProgressiveComponent]
  private var coding: CodingTables

  /// Reserves its blocks; fails for a picture that is not of one component or three.
  ///
  /// - Parameters:
  ///   - header: The header of the file.
  ///   - coding: No tables yet.
  ///   - buffer: Holds the blocks.
  /// - Throws: `overLimit` if memory runs out.
  init?(_ header: JPEGHeader, _ coding: CodingTables, _ buffer: PlaneBuffer) throws(ImagingError) {
    self.coding = coding
    var frames = header.frame.components
    guard frames.count == 1 || frames.count == 3 else { return nil }
    if frames.count == 1 { (frames[0].horizontal, frames[0].vertical) = (1, 1) }
    let (widest, tallest) = (frames.map(\.horizontal).max() ?? 1, frames.map(\.vertical).max() ?? 1)
    func quotient(_ dividend: Int, _ divisor: Int) -> Int { (dividend + divisor - 1) / divisor }
    let size = header.pixelSize
    let (columns, rows) = (quotient(size.width, 8 * widest), quotient(size.height, 8 * tallest))
    let counts = frames.map { columns * $0.horizontal * rows * $0.vertical }
    let byteCount = counts.reduce(0, +) * MemoryLayout<ProgressiveBlock>.stride
    let memory = UnsafeMutableRawPointer(try buffer.reserve(byteCount))
    memset(memory, 0, byteCount)
    var next = memory.bindMemory(to: ProgressiveBlock.self, capacity: counts.reduce(0, +))
    components = zip(frames, counts).map { frame, count in
      defer { next += count }
      return ProgressiveComponent(
        frame: frame,
        blocks: next,
        columns: columns * frame.horizontal,
        rows: rows * frame.vertical,
        ownColumns: quotient(size.width * frame.horizontal, 8 * widest),
        ownRows: quotient(size.height * frame.vertical, 8 * tallest)
      )
    }
  }

  /// The blocks per row and rows of blocks of each component.
  var blockSizes: [(width: Int, height: Int)] { components.map { ($0.columns, $0.rows) } }

  /// Reads all scans.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - start: Its first byte.
  /// - Returns: Whether it is valid and whole.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, from start: UnsafePointer<UInt8>) -> Bool {
    var offset = 2
    var hasScan = false
    while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
      let marker = bytes[offset + 1]
      let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      let end = offset + 2 + length
      guard length >= 2, end + 2 <= bytes.count else { return false }
      let body = bytes[(offset + 4)..<end]
      offset = end
      if marker == JPEGMarker.sos {
        guard let scan = scan(Array(body)) else { return false }
        var pass = ProgressivePass(scan, coding, EntropyReader(bytes, start: start, at: end))
        guard pass.run(), let next = pass.reader.markerOffset else { return false }
        hasScan = true
        if bytes[next + 1] == JPEGMarker.eoi { return isWhole }
        offset = next
      } else if JPEGMarker.isFrame(marker) || marker == JPEGMarker.dqt {
        // libjpeg keeps the quantization that a component has at its first scan.
        guard !hasScan, coding.read(marker, Array(body)) else { return false }
      } else if marker == JPEGMarker.dht || marker == JPEGMarker.dri {
        guard coding.read(marker, Array(body)) else { return false }
      } else if !JPEGMarker.isApplication(marker), marker != JPEGMarker.com {
        return false
      }
    }
    return false
  }

  /// Whether all bits of all coefficients are known.
  private var isWhole: Bool {
    components.allSatisfy { component in
      let table = component.frame.quantization
      return component.lowestBits.allSatisfy { $0 == 0 } && table < 4
        && coding.quantization[table].count == 64
    }
  }

  /// Reads the header of a scan, and enters which bits are known behind it; nil if it may not follow those before.
  private mutating func scan(_ body: [UInt8]) -> ProgressiveScan? {
    guard let count = body.first.map(Int.init), 1...components.count ~= count, body.count == 4 + 2 * count,
      body[1 + 2 * count] <= body[2 + 2 * count]
    else {
      return nil
    }
    var scan = ProgressiveScan(
      band: Int(body[1 + 2 * count])..<(Int(body[2 + 2 * count]) + 1),
      high: Int(body[3 + 2 * count] >> 4),
      low: Int(body[3 + 2 * count] & 15)
    )
    let isMean = scan.band.lowerBound == 0
    guard isMean ? scan.band.upperBound == 1 : count == 1, scan.band.upperBound <= 64,
      scan.high == 0 || scan.low == scan.high - 1, scan.low <= 13
    else { return nil }
    var previous = -1
    for number in 0..<count {
      let tables = body[2 + 2 * number]
      guard tables & 0xCC == 0,
        let index = components.firstIndex(where: { $0.frame.identifier == body[1 + 2 * number] }),
        index > previous,
        isMean || components[index].lowestBits[0] >= 0,
        scan.band.allSatisfy({ components[index].lowestBits[$0] == (scan.isRefinement ? scan.high : -1) })
      else { return nil }
      let (dc, ac) = (Int(tables >> 4), Int(tables & 15))
      let needsTable = !(isMean && scan.isRefinement)
      guard !needsTable || (isMean ? coding.definedDC.contains(dc) : coding.definedAC.contains(ac)) else {
        return nil
      }
      for coefficient in scan.band { components[index].lowestBits[coefficient] = scan.low }
      scan.components.append((components[index], isMean ? dc : ac))
      previous = index
    }
    let units = scan.components.reduce(0) { $0 + $1.component.frame.horizontal * $1.component.frame.vertical }
    return count == 1 || units <= 10 ? scan : nil
  }

  /// Writes the samples of all blocks.
  ///
  /// - Parameters:
  ///   - planes: One plane for each component, in whole blocks of `eighths` by `eighths` samples.
  ///   - eighths: The scale in eighths, 1 or 2.
  func write(to planes: [PixelPlane], eighths: Int) {
    for (component, plane) in zip(components, planes) {
      let quantization = LowCoefficients(of: coding.quantization[component.frame.quantization])
      var block = component.blocks
      for y in 0..<component.rows {
        for x in 0..<component.columns {
          var low = LowCoefficients()
          low.mean = Int32(block.pointee.mean) &* quantization.mean
          low.across = Int32(block.pointee.across) &* quantization.across
          low.down = Int32(block.pointee.down) &* quantization.down
          low.diagonal = Int32(block.pointee.diagonal) &* quantization.diagonal
          low.write(to: plane.base, stride: plane.stride, x: x, y: y, eighths: eighths)
          block += 1
        }
      }
    }
  }
}
