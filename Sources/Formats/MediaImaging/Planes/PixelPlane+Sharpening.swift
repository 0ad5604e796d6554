extension PixelPlane {
  /// Compensates for the loss of fine detail that averaging squares of pixels causes.
  ///
  /// A decode at a fraction of the size, and a reduction by a whole factor, compute averages; a
  /// Lanczos reduction of those is a little softer than one of all pixels. Each sample is moved
  /// away from its neighbors by 1/64 of the difference, in both directions; edges repeat.
  /// docs/performance.md has the figures.
  ///
  /// - Throws: `overLimit` if memory runs out.
  func sharpen() throws(ImagingError) {
    guard width > 2, height > 2 else { return }
    let buffer = PlaneBuffer()
    let memory = try buffer.reserve(width * height * MemoryLayout<Int32>.stride)
    memory.withMemoryRebound(to: Int32.self, capacity: width * height) { rows in
      for y in 0..<height { sharpenRow(row(y), to: rows + y * width) }
      for y in 0..<height {
        let above = rows + max(y - 1, 0) * width
        let middle = rows + y * width
        let below = rows + min(y + 1, height - 1) * width
        let output = row(y)
        for x in 0..<width {
          let sum = 66 * middle[x] - above[x] - below[x]
          output[x] = UInt8(clamping: (sum + 2048) >> 12)
        }
      }
    }
    withExtendedLifetime(buffer) {}
  }

  /// Adds the difference of each sample from both neighbors to 64 times the sample.
  private func sharpenRow(
    _ input: UnsafeMutablePointer<UInt8>,
    to output: UnsafeMutablePointer<Int32>
  ) {
    func sample(_ x: Int) -> Int32 { Int32(input[x]) }
    let last = width - 1
    output[0] = 65 * sample(0) - sample(1)
    for x in 1..<last { output[x] = 66 * sample(x) - sample(x - 1) - sample(x + 1) }
    output[last] = 65 * sample(last) - sample(last - 1)
  }
}
