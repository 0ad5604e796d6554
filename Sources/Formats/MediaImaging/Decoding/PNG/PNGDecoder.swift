import MediaCodecs
import MediaContainers
import MediaModel

/// Decodes a PNG, or the first picture of an APNG.
///
/// Inflating takes most of the time. Filtered rows that fit in memory are inflated in one call, which
/// stripping has often done before; others, and unusual or damaged data, row by row, which gives the
/// number of valid rows.
///
/// Source: PNG specification (third edition) sections 7 to 10.
final class PNGDecoder: PictureDecoder {
  /// The maximum number of bytes of an interlaced picture's pixels, which must all be in memory.
  private static let interlacedByteCount = 320 << 20

  private let reducer = PixelReducer()
  private let assembled = PlaneBuffer()
  private let profiles: ProfileConverter

  init(profiles: ProfileConverter) { self.profiles = profiles }

  func trim(above byteCount: Int) {
    if assembled.capacity > byteCount { assembled.release() }
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
    let data = ByteSource(joining: structure.data, of: ByteSource(request.bytes))
    let rows: any PNGRowSource
    if let whole = request.cache.takeContent(of: data, contentLength: byteCount) {
      rows = PNGWholeRows(whole)
    } else {
      rows = try PNGStreamedRows(data)
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
        PNGFilter.undo(row, above: above, count: pass.rowByteCount, step: header.pixelByteCount)
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
          PNGFilter.undo(row, above: above, count: pass.rowByteCount, step: header.pixelByteCount)
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
}
