import MediaCodecs
import MediaContainers
import MediaModel

/// Encodes upright pixels as a PNG with 8 bits per sample.
///
/// Source: PNG specification (third edition) sections 5, 9 and 11; libdeflate 1.14.
final class PNGEncoder {
  private let deflater = Deflater(level: 6)

  /// Encodes pixels.
  ///
  /// - Parameters:
  ///   - pixels: Gray or RGB pixels, alone or with alpha.
  ///   - profile: The profile to embed, unchanged.
  /// - Returns: A whole PNG file.
  /// - Throws: `overLimit` if there is not enough memory for it.
  func encode(_ pixels: PixelPicture, profile: ColorProfile?) throws(ImagingError) -> [UInt8] {
    let colorType: UInt8 =
      switch pixels.layout {
      case .gray: 0
      case .grayAlpha: 4
      case .rgba: 6
      default: 2
      }
    let size = pixels.size.width.bytes(4) + pixels.size.height.bytes(4)
    var file = PNG.signature + PNG.chunk("IHDR", size + [8, colorType, 0, 0, 0])
    if let profile {
      // The profile name, its terminator, and compression method 0.
      file += PNG.chunk("iCCP", Array("ICC\0\0".utf8) + (try compress(profile.bytes)))
    }
    // The filtered rows, and what is compressed of them.
    let count = (pixels.size.width * pixels.layout.channelCount + 1) * pixels.size.height
    try AvailableMemory.require(2 * count + (1 << 20))
    let data = try compress(Self.filtered(pixels))
    // Its chunk, and the file of it.
    try AvailableMemory.require(3 * data.count + (1 << 20))
    file += PNG.chunk("IDAT", data)
    return file + PNG.chunk("IEND", [])
  }

  private func compress(_ bytes: [UInt8]) throws(ImagingError) -> [UInt8] {
    guard let deflater else { throw ImagingError(.overLimit, "no memory for a compressor") }
    let output = deflater.stream(of: bytes)
    guard !output.isEmpty else { throw ImagingError(.internal, "libdeflate_zlib_compress") }
    return output
  }

  /// Filters each row with the filter that leaves the smallest sum, as the specification suggests.
  private static func filtered(_ pixels: PixelPicture) -> [UInt8] {
    let step = pixels.layout.channelCount
    let count = pixels.size.width * step
    var output: [UInt8] = []
    output.reserveCapacity((count + 1) * pixels.size.height)
    let zeros = [UInt8](repeating: 0, count: count)
    var trial = [UInt8](repeating: 0, count: count)
    var best = trial
    zeros.withUnsafeBufferPointer { zeros in
      guard let zero = zeros.baseAddress else { return }
      for y in 0..<pixels.size.height {
        let row = UnsafePointer(pixels.base + y * count)
        let above = y == 0 ? zero : row - count
        var (bestFilter, bestSum) = (UInt8(0), Int.max)
        for filter in UInt8(0)...4 {
          let sum = apply(filter, row, above, step, &trial)
          if sum < bestSum {
            (bestFilter, bestSum) = (filter, sum)
            swap(&best, &trial)
          }
        }
        output.append(bestFilter)
        output += best
      }
    }
    return output
  }

  /// Applies a filter to a row.
  ///
  /// - Returns: The sum of the magnitudes of the filtered bytes, taken as signed numbers.
  private static func apply(
    _ filter: UInt8,
    _ row: UnsafePointer<UInt8>,
    _ above: UnsafePointer<UInt8>,
    _ step: Int,
    _ output: inout [UInt8]
  ) -> Int {
    output.withUnsafeMutableBufferPointer { output in
      var sum = 0
      for x in output.indices {
        let left = x < step ? 0 : row[x - step]
        let predicted: UInt8 =
          switch filter {
          case 0: 0
          case 1: left
          case 2: above[x]
          case 3: UInt8((UInt16(left) + UInt16(above[x])) / 2)
          default: PNGFilter.paeth(left, above[x], x < step ? 0 : above[x - step])
          }
        output[x] = row[x] &- predicted
        sum &+= abs(Int(Int8(bitPattern: output[x])))
      }
      return sum
    }
  }
}
