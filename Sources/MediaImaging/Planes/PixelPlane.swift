import Glibc

/// Memory for planes, aligned as zimg asks for, kept between pictures.
final class PlaneBuffer {
  /// Vector code reads whole registers; 64 bytes is the widest.
  static let alignment = 64

  private(set) var base: UnsafeMutablePointer<UInt8>?
  private(set) var capacity = 0

  deinit { free(base) }

  /// Makes room for `byteCount` bytes; what was in it is lost.
  ///
  /// - Throws: `overLimit` when the process may not have that much.
  func reserve(_ byteCount: Int) throws(ImagingError) -> UnsafeMutablePointer<UInt8> {
    if let base, capacity >= byteCount { return base }
    release()
    var memory: UnsafeMutableRawPointer?
    // A worker's memory is limited: running out is an answer here, not a trap as in Swift's own.
    guard posix_memalign(&memory, Self.alignment, max(byteCount, Self.alignment)) == 0,
      let memory
    else { throw ImagingError(.overLimit, "no memory for \(byteCount) bytes of pixels") }
    let base = memory.assumingMemoryBound(to: UInt8.self)
    self.base = base
    capacity = byteCount
    return base
  }

  func release() {
    free(base)
    base = nil
    capacity = 0
  }

  /// Lays planes out one after the other, each with room for an even number of rows and columns.
  func planes(_ sizes: [(width: Int, height: Int)]) throws(ImagingError) -> [PixelPlane] {
    var offsets: [Int] = []
    var total = 0
    for size in sizes {
      offsets.append(total)
      total += Self.stride(size.width) * (size.height + size.height % 2)
    }
    let base = try reserve(total)
    return zip(sizes, offsets).map { size, offset in
      PixelPlane(
        base: base + offset,
        stride: Self.stride(size.width),
        width: size.width,
        height: size.height,
        owner: self
      )
    }
  }

  private static func stride(_ width: Int) -> Int {
    (width + alignment - 1) / alignment * alignment
  }
}

/// A rectangle of 8-bit samples.
struct PixelPlane {
  let base: UnsafeMutablePointer<UInt8>
  /// Bytes from one row to the next.
  let stride: Int
  let width: Int
  let height: Int
  /// Keeps the memory alive; a buffer that is laid out anew ends the planes it had before.
  let owner: PlaneBuffer

  /// Valid for indices below `width`, for `y` below `height`, each rounded up to even.
  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride }

  /// The upper left part of the plane, or all of it where it is not as large.
  func cropped(width: Int, height: Int) -> PixelPlane {
    PixelPlane(
      base: base,
      stride: stride,
      width: min(width, self.width),
      height: min(height, self.height),
      owner: owner
    )
  }

  /// Repeats the last column and row where their number is odd.
  func fillToEven() {
    if width % 2 == 1 {
      for y in 0..<height { row(y)[width] = row(y)[width - 1] }
    }
    if height % 2 == 1 { row(height).update(from: row(height - 1), count: width + width % 2) }
  }
}

/// A picture as JPEG holds it: luma alone, or luma and two planes of chroma, in full range.
///
/// Source: JFIF 1.02 (ITU-R BT.601 with 256 levels; chroma samples centred among their luma).
struct PlanarPicture {
  /// One plane, or three. With ``alpha``, of colors multiplied by it: where nothing is, luma is 0
  /// and chroma 128, so that a mean over pixels is the mean of what is seen.
  var planes: [PixelPlane]
  /// How much of each pixel covers what is behind it, 0 to 255, as large as luma; nil: all of it.
  var alpha: PixelPlane?
  /// The picture's extent in luma samples; a scaled decode leaves part of the last one outside.
  var width: Double
  var height: Double
  /// Luma samples for each chroma sample.
  var chromaWidth: Double = 1
  var chromaHeight: Double = 1
  /// Where the first chroma sample begins, in luma samples.
  var chromaLeft: Double = 0
  var chromaTop: Double = 0
}
