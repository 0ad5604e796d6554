internal import Glibc
package import MediaModel

extension PerceptualHash {
  /// The columns, and rows, to which a picture is reduced.
  package static let side = 32

  /// The columns, and rows, of the lowest frequencies.
  private static let frequencies = 8

  /// The fraction bits of a cosine. Sums of two of them and of all samples have 58 bits.
  private static let fraction = 20

  /// The mean square of the differences from the mean up to which a picture has no detail: 2 levels of 255.
  private static let plainVariance = 4

  /// The cosines of each frequency, in integers, so that a hash is the same wherever it is made.
  private static let cosines: [[Int]] = (0..<frequencies).map { wave in
    (0..<side).map { index in
      let angle = .pi / Double(side) * Double(wave) * (Double(index) + 0.5)
      return Int((cos(angle) * Double(1 << fraction)).rounded())
    }
  }

  /// Creates the hash of a picture's brightness, ``side`` rows of as many samples from 0 to 255; ``plain`` for any
  /// other number of samples.
  ///
  /// Source: DCT-II in both directions, as scipy.fftpack.dct has it but for a factor.
  package init(luma: [UInt8]) {
    let count = Self.side * Self.side
    let sum = luma.reduce(0) { $0 + Int($1) }
    let squares = luma.reduce(0) { $0 + Int($1) * Int($1) }
    guard luma.count == count, count * squares - sum * sum > Self.plainVariance * count * count
    else {
      self = .plain
      return
    }
    var waves: [Int] = []
    luma.withUnsafeBufferPointer { samples in
      // The columns of one vertical frequency, added up row by row as the samples lie.
      var columns = [Int](repeating: 0, count: Self.side)
      for row in Self.cosines {
        columns.withUnsafeMutableBufferPointer { columns in
          columns.update(repeating: 0)
          for y in 0..<Self.side {
            let factor = row[y]
            for x in 0..<Self.side { columns[x] &+= factor &* Int(samples[y &* Self.side &+ x]) }
          }
        }
        for column in Self.cosines {
          waves.append(zip(column, columns).reduce(0) { $0 + $1.0 * $1.1 })
        }
      }
    }
    let sorted = waves.sorted()
    let middle = sorted.count / 2
    // The median of an even number is halfway between two.
    let median = sorted[middle - 1] + sorted[middle]
    self.init(bits: waves.reduce(0) { $0 << 1 | (2 * $1 > median ? 1 : 0) })
  }
}
