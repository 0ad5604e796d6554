import Testing

@testable import MediaImaging

@Suite("Levels of a sound")
struct WaveformLevelsTests {
  /// Adds samples one run after the other, as a decoder gives them.
  private func levels(of samples: [Float], frame: Int) -> WaveformLevels {
    var levels = WaveformLevels()
    var position = 0
    while position < samples.count {
      let end = min(position + frame, samples.count)
      while position < end {
        let count = min(levels.run(at: position), end - position)
        let run = samples[position..<(position + count)]
        levels.add(
          low: run.min() ?? 0,
          high: run.max() ?? 0,
          energy: run.reduce(0) { $0 + Double($1) * Double($1) },
          at: position,
          count: count,
          channels: 1
        )
        position += count
      }
    }
    return levels
  }

  @Test(
    "Bins that were merged tell the same as the samples",
    arguments: [5, 8192, 65_536, 200_001]
  )
  func merged(count: Int) {
    let samples = (0..<count).map { index in
      Float((index &* 7919) % 2001 - 1000) / 1000 * Float(index) / Float(count)
    }
    for columnCount in [1, 4, 16] {
      let columns = levels(of: samples, frame: 1152).columns(columnCount)
      #expect(columns.count == columnCount)
      for (index, column) in columns.enumerated() {
        // A column's edge may lie within a bin, so a little more or less is in it.
        let slack = count / 4096 + 1
        let inner = samples[
          min(
            index * count / columnCount + slack,
            count - 1
          )..<max(
            min((index + 1) * count / columnCount - slack, count),
            min(index * count / columnCount + slack, count - 1)
          )
        ]
        guard !inner.isEmpty else { continue }
        #expect(column.high >= (inner.max() ?? 0))
        #expect(column.low <= (inner.min() ?? 0))
        let energy = inner.reduce(0) { $0 + Double($1) * Double($1) } / Double(inner.count)
        #expect(abs(Double(column.rms) - energy.squareRoot()) < 0.02 || inner.count < 50)
      }
    }
  }

  @Test("What is no number, or beyond full scale, is taken for the nearest that is")
  func nonsense() {
    var levels = WaveformLevels()
    levels.add(low: -.infinity, high: .nan, energy: .nan, at: 0, count: 1, channels: 2)
    levels.add(low: -9, high: 1e30, energy: 1e300, at: 1, count: 1, channels: 2)
    let columns = levels.columns(2)
    #expect(columns[0] == WaveformLevels.Level(low: 0, high: 0, rms: 0))
    #expect(columns[1] == WaveformLevels.Level(low: -1, high: 1, rms: 1))
  }

  @Test("A position far off ends in few steps", .timeLimit(.minutes(1)))
  func farOff() {
    var levels = WaveformLevels()
    levels.add(low: -1, high: 1, energy: 1, at: 0, count: 1, channels: 1)
    levels.add(low: -1, high: 1, energy: 1, at: 1 << 50, count: 1, channels: 1)
    #expect(levels.columns(10).first?.high == 1)
    #expect(levels.columns(10).last?.high == 1)
  }
}
