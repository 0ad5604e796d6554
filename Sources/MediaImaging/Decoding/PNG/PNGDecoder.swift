import CDeflate
import MediaContainers
import MediaModel

/// Decodes a PNG, or the first picture of an APNG.
///
/// Inflating takes most of the time. If the filtered rows fit in a budget, they are inflated in one
/// call, otherwise row by row. Unusual or damaged data is inflated row by row too, which gives the
/// number of valid rows.
///
/// Source: PNG specification (third edition) sections 7 to 10.
final class PNGDecoder: PictureDecoder {
  /// The maximum number of bytes of filtered rows that are inflated in one call.
  private static let wholeByteCount = 96 << 20
  /// The maximum number of bytes of an interlaced picture's pixels, which must all be in memory.
  private static let interlacedByteCount = 320 << 20

  private let reducer = PixelReducer()
  private let compressed = PlaneBuffer()
  private let filtered = PlaneBuffer()
  private let assembled = PlaneBuffer()
  private let decompressor = libdeflate_alloc_decompressor()

  private let profiles: ProfileConverter

  init(profiles: ProfileConverter) { self.profiles = profiles }

  deinit { libdeflate_free_decompressor(decompressor) }

  func trim(above byteCount: Int) {
    for buffer in [compressed, filtered, assembled] where buffer.capacity > byteCount {
      buffer.release()
    }
    reducer.trim(above: byteCount)
  }

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    let structure = try PNGStructure(
      request.bytes,
      limits: request.limits,
      acceptDamaged: request.acceptDamaged
    )
    let (header, size) = (structure.header, structure.header.size)
    let expander = try PNGExpander(structure)
    let early = profiles.earlyTransform(
      from: request.demand.keepsProfile ? nil : structure.profile,
      layout: expander.layout,
      depth: expander.depth
    )
    try reducer.begin(
      size: size,
      layout: expander.layout,
      depth: expander.depth,
      factor: PixelReducer.factor(for: request.demand.scale(for: size)),
      early: early
    )
    let passes = header.passes(of: size)
    let byteCount = passes.reduce(0) { $0 + $1.byteCount }
    guard byteCount > 0 else { throw ImagingError(.damaged, "no pixels") }
    let rows: any PNGRowSource
    if byteCount <= Self.wholeByteCount,
      let whole = try inflate(structure.data, request.bytes, byteCount)
    {
      rows = PNGWholeRows(whole)
    } else {
      rows = try PNGStreamedRows(request.bytes, structure.data)
    }
    let isComplete =
      header.isInterlaced
      ? try assemble(passes, rows, header, expander)
      : try pass(passes[0], rows, header, expander)
    guard isComplete || request.acceptDamaged else {
      throw ImagingError(.damaged, "pixels end early, or do not unpack")
    }
    return DecodedPicture(
      planar: try reducer.finish(),
      size: size,
      profile: early == nil ? structure.profile : nil
    )
  }

  /// Passes each row of a picture that is not interlaced to the reducer.
  ///
  /// - Returns: Whether all rows were present.
  private func pass(
    _ pass: PNGPass,
    _ rows: any PNGRowSource,
    _ header: PNGImageHeader,
    _ expander: PNGExpander
  ) throws(ImagingError) -> Bool {
    var above: UnsafePointer<UInt8>?
    for _ in 0..<pass.height {
      guard let row = rows.next(pass.rowByteCount),
        PNGFilter.undo(
          row,
          above: above,
          count: pass.rowByteCount,
          step: header.pixelByteCount
        )
      else { return false }
      above = UnsafePointer(row + 1)
      try reducer.add(expander.expand(row + 1, width: pass.width))
    }
    return true
  }

  /// Assembles the passes of an interlaced picture.
  private func assemble(
    _ passes: [PNGPass],
    _ rows: any PNGRowSource,
    _ header: PNGImageHeader,
    _ expander: PNGExpander
  ) throws(ImagingError) -> Bool {
    let size = header.size
    let pixel = expander.layout.channelCount * expander.depth.byteCount
    let byteCount = size.width * size.height * pixel
    guard byteCount <= Self.interlacedByteCount else {
      throw ImagingError(
        .overLimit,
        "pixels: \(size.width)x\(size.height) interlaced, they would take \(byteCount) bytes"
      )
    }
    let picture = try assembled.reserve(byteCount)
    picture.update(repeating: 128, count: byteCount)
    defer { assembled.release() }
    var isComplete = true
    passes: for pass in passes where pass.width > 0 {
      var above: UnsafePointer<UInt8>?
      for y in 0..<pass.height {
        guard let row = rows.next(pass.rowByteCount),
          PNGFilter.undo(
            row,
            above: above,
            count: pass.rowByteCount,
            step: header.pixelByteCount
          )
        else {
          isComplete = false
          break passes
        }
        above = UnsafePointer(row + 1)
        let pixels = expander.expand(row + 1, width: pass.width)
          .assumingMemoryBound(to: UInt8.self)
        var target =
          picture + ((pass.top + y * pass.stepY) * size.width + pass.left) * pixel
        for x in 0..<pass.width {
          target.update(from: pixels + x * pixel, count: pixel)
          target += pass.stepX * pixel
        }
      }
    }
    try reducer.add(picture, stride: size.width * pixel, count: size.height)
    return isComplete
  }

  /// Returns the compressed data in one piece.
  private func joined(
    _ ranges: [Range<Int>],
    of bytes: UnsafeRawBufferPointer
  ) throws(ImagingError) -> UnsafeRawBufferPointer {
    if ranges.count == 1 { return UnsafeRawBufferPointer(rebasing: bytes[ranges[0]]) }
    let count = ranges.reduce(0) { $0 + $1.count }
    let target = UnsafeMutableRawBufferPointer(start: try compressed.reserve(count), count: count)
    var offset = 0
    for range in ranges {
      target[offset..<(offset + range.count)].copyBytes(from: bytes[range])
      offset += range.count
    }
    return UnsafeRawBufferPointer(target)
  }

  /// Inflates the data in one call; nil if it is not exactly as long as the picture, or invalid.
  private func inflate(
    _ ranges: [Range<Int>],
    _ bytes: UnsafeRawBufferPointer,
    _ byteCount: Int
  ) throws(ImagingError) -> UnsafeMutableBufferPointer<UInt8>? {
    // Filtered rows hardly grow by compression: much longer data holds something else.
    guard let decompressor, ranges.reduce(0, { $0 + $1.count }) <= byteCount + byteCount / 8 + 4096
    else { return nil }
    let source = try joined(ranges, of: bytes)
    let target = try filtered.reserve(byteCount)
    let status = libdeflate_zlib_decompress(
      decompressor,
      source.baseAddress,
      source.count,
      target,
      byteCount,
      nil
    )
    return status == LIBDEFLATE_SUCCESS
      ? UnsafeMutableBufferPointer(start: target, count: byteCount) : nil
  }
}
