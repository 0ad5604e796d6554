import Glibc

/// Memory for planes, aligned for zimg and reused from one picture to the next.
final class PlaneBuffer {
  /// The alignment in bytes: vector code reads whole registers, the widest of which have 64 bytes.
  static let alignment = 64

  private(set) var base: UnsafeMutablePointer<UInt8>?
  private(set) var capacity = 0

  deinit { free(base) }

  /// Reserves `byteCount` bytes: those of the last time, or new ones, which are zero.
  ///
  /// - Throws: `overLimit` when the process may not allocate that much.
  func reserve(_ byteCount: Int) throws(ImagingError) -> UnsafeMutablePointer<UInt8> {
    if let base, capacity >= byteCount { return base }
    release()
    var memory: UnsafeMutableRawPointer?
    // A worker's memory is limited: running out must throw an error here, where Swift's own
    // allocation would trap.
    guard posix_memalign(&memory, Self.alignment, max(byteCount, Self.alignment)) == 0,
      let memory
    else { throw ImagingError(.overLimit, "no memory for \(byteCount) bytes of pixels") }
    // It may have been another picture's.
    memset(memory, 0, byteCount)
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

  /// Allocates planes one after the other, each with room for an even number of rows and columns.
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
  /// The number of bytes from one row to the next.
  let stride: Int
  let width: Int
  let height: Int
  /// The buffer that owns the memory; allocating planes from it again invalidates earlier planes.
  let owner: PlaneBuffer

  /// Returns a row: valid for indices below `width` and for `y` below `height`, each rounded up to
  /// even.
  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride }

  /// Returns the upper left part of the plane, limited to the plane's size.
  func cropped(width: Int, height: Int) -> PixelPlane {
    PixelPlane(
      base: base,
      stride: stride,
      width: min(width, self.width),
      height: min(height, self.height),
      owner: owner
    )
  }

  /// Repeats the last column and row if their number is odd.
  func fillToEven() {
    if width % 2 == 1 {
      for y in 0..<height { row(y)[width] = row(y)[width - 1] }
    }
    if height % 2 == 1 { row(height).update(from: row(height - 1), count: width + width % 2) }
  }
}

/// A picture in JPEG's planar form: luma alone, or luma and two planes of chroma, in full range.
///
/// Source: JFIF 1.02 (ITU-R BT.601 with 256 levels; chroma samples centered among their luma).
struct PlanarPicture {
  /// One plane, or three. With ``alpha``, colors are premultiplied: where alpha is 0, luma is 0 and
  /// chroma 128, so that averaging pixels gives the visible average.
  var planes: [PixelPlane]
  /// The opacity of each pixel, 0 to 255, as large as luma; nil for an opaque picture.
  var alpha: PixelPlane?
  /// The picture's extent in luma samples; after a scaled decode, the last sample may lie partly
  /// outside.
  var width: Double
  var height: Double
  /// Where the picture's left and upper edge is, in luma samples from those of the planes.
  var left: Double = 0
  var top: Double = 0
  /// The number of luma samples per chroma sample.
  var chromaWidth: Double = 1
  var chromaHeight: Double = 1
  /// The offset of the first chroma sample, in luma samples.
  var chromaLeft: Double = 0
  var chromaTop: Double = 0
}
