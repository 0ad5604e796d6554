import MediaContainers
import MediaModel

/// Expands a PNG's packed samples to 8 or 16 bits: palettes, low bit depths, a transparent color.
///
/// Source: PNG specification (third edition) sections 7.2, 11.2.2 and 11.3.1.1.
final class PNGExpander {
  let layout: PixelLayout
  let depth: SampleDepth

  /// The bits of a sample.
  private let bits: Int
  /// The pixel for each value of a sample; empty if samples are not looked up.
  private let table: [UInt8]
  /// The bytes of the transparent pixel, as stored; empty if there is none.
  private let key: [UInt8]
  private let buffer = PlaneBuffer()
  private let row: UnsafeMutablePointer<UInt8>

  /// Creates an expander.
  ///
  /// - Throws: `overLimit` if memory runs out.
  init(_ structure: PNGStructure) throws(ImagingError) {
    let header = structure.header
    let bitDepth = header.bitDepth
    bits = bitDepth
    let transparency = structure.transparency
    var key: [UInt8] = []
    var table: [UInt8] = []
    switch header.colorType {
    case .palette:
      let count = 1 << bitDepth
      layout = transparency.isEmpty ? .rgb : .rgba
      for index in 0..<count {
        // Show an index beyond the palette as black, as other readers do.
        let isInPalette = 3 * index + 2 < structure.palette.count
        table += isInPalette ? structure.palette[(3 * index)..<(3 * index + 3)] : [0, 0, 0]
        if !transparency.isEmpty {
          table.append(index < transparency.count ? transparency[index] : 255)
        }
      }
    case .gray where bitDepth < 8 || (bitDepth == 8 && transparency.count == 2):
      let largest = (1 << bitDepth) - 1
      let hidden = transparency.count == 2 ? Int(transparency[0]) << 8 | Int(transparency[1]) : -1
      layout = transparency.count == 2 ? .grayAlpha : .gray
      for value in 0...largest {
        table.append(UInt8(value * 255 / largest))
        if transparency.count == 2 { table.append(value == hidden ? 0 : 255) }
      }
    case .gray:
      layout = transparency.count == 2 ? .grayAlpha : .gray
      if transparency.count == 2 { key = transparency }
    case .rgb:
      layout = transparency.count == 6 ? .rgba : .rgb
      if transparency.count == 6 {
        key =
          bitDepth == 16
          ? transparency : [transparency[1], transparency[3], transparency[5]]
      }
    case .grayAlpha: layout = .grayAlpha
    case .rgba: layout = .rgba
    }
    depth = bitDepth == 16 ? .sixteenBigEndian : .eight
    self.table = table
    self.key = key
    row = try buffer.reserve(header.size.width * layout.channelCount * depth.byteCount)
  }

  /// Returns the pixels of one unfiltered row in ``layout`` and ``depth``, valid until the next
  /// row.
  func expand(_ samples: UnsafePointer<UInt8>, width: Int) -> UnsafeRawPointer {
    if table.isEmpty, key.isEmpty { return UnsafeRawPointer(samples) }
    if !table.isEmpty { lookUp(samples, width) } else { mask(samples, width) }
    return UnsafeRawPointer(row)
  }

  private func lookUp(_ samples: UnsafePointer<UInt8>, _ width: Int) {
    let bits = self.bits
    let count = layout.channelCount
    let mask = (1 << bits) - 1
    table.withUnsafeBufferPointer { table in
      for x in 0..<width {
        let value: Int
        if bits == 8 {
          value = Int(samples[x])
        } else {
          let bit = x &* bits
          value = Int(samples[bit &>> 3]) &>> (8 &- bits &- bit & 7) & mask
        }
        for channel in 0..<count { row[x &* count &+ channel] = table[value &* count &+ channel] }
      }
    }
  }

  private func mask(_ samples: UnsafePointer<UInt8>, _ width: Int) {
    let (count, alpha) = (key.count, depth.byteCount)
    for x in 0..<width {
      let (source, target) = (x * count, x * (count + alpha))
      var isHidden = true
      for index in 0..<count {
        row[target + index] = samples[source + index]
        isHidden = isHidden && samples[source + index] == key[index]
      }
      for index in 0..<alpha { row[target + count + index] = isHidden ? 0 : 255 }
    }
  }
}
