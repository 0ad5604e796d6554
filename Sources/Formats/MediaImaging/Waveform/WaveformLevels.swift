/// The levels of audio over time, in a few thousand bins for any duration.
///
/// When all bins are full, pairs of bins are merged into bins of twice the length: the duration
/// need not be known in advance, and no level is estimated.
struct WaveformLevels {
  /// The extent and the loudness of a stretch of audio; 1 is full scale.
  struct Level: Hashable {
    var low: Float = 0
    var high: Float = 0
    /// The root mean square.
    var rms: Float = 0
  }

  private struct Bin {
    var low: Float = 0
    var high: Float = 0
    var energy = 0.0
    /// The number of samples of all channels.
    var count = 0

    mutating func add(_ other: Bin) {
      guard other.count > 0 else { return }
      low = count > 0 ? min(low, other.low) : other.low
      high = count > 0 ? max(high, other.high) : other.high
      energy += other.energy
      count += other.count
    }
  }

  /// The number of bins; even, so that merging leaves none over, and four per column of a large
  /// thumbnail.
  private static let binCount = 8192

  private var bins = [Bin](repeating: Bin(), count: binCount)
  /// The number of samples of one channel per bin.
  private var binLength = 1
  /// The end of the audio so far, in samples of one channel.
  private(set) var end = 0

  var isEmpty: Bool { end == 0 }

  /// Returns the number of samples from `position` on that belong to the same bin.
  func run(at position: Int) -> Int { binLength - position % binLength }

  /// Adds a run of samples that lies in one bin.
  ///
  /// - Parameters:
  ///   - low: The lowest of all its samples.
  ///   - high: The highest of all its samples.
  ///   - energy: The sum of their squares.
  ///   - position: The position of its first sample, in samples of one channel.
  ///   - count: The number of samples of one channel, at most ``run(at:)``.
  ///   - channels: The number of channels.
  mutating func add(
    low: Float,
    high: Float,
    energy: Double,
    at position: Int,
    count: Int,
    channels: Int
  ) {
    while position / binLength >= Self.binCount { merge() }
    // A decoder may return NaN or values far above full scale.
    let most = Double(count * channels)
    let bin = Bin(
      low: low.isFinite ? min(max(low, -1), 1) : 0,
      high: high.isFinite ? min(max(high, -1), 1) : 0,
      energy: energy.isFinite ? min(max(energy, 0), most) : 0,
      count: count * channels
    )
    bins[position / binLength].add(bin)
    end = max(end, position + count)
  }

  private mutating func merge() {
    for index in 0..<(Self.binCount / 2) {
      var bin = bins[2 * index]
      bin.add(bins[2 * index + 1])
      bins[index] = bin
    }
    for index in (Self.binCount / 2)..<Self.binCount { bins[index] = Bin() }
    binLength *= 2
  }

  /// Returns the levels of the audio in `count` equal stretches.
  func columns(_ count: Int) -> [Level] {
    let used = (end + binLength - 1) / binLength
    guard used > 0 else { return Array(repeating: Level(), count: count) }
    return (0..<count).map { index in
      // Bins are not divided: if there are fewer bins than columns, one bin serves several columns.
      let first = min(index * end / count / binLength, used - 1)
      let last = max(first + 1, ((index + 1) * end / count + binLength - 1) / binLength)
      var bin = Bin()
      for index in first..<min(last, used) { bin.add(bins[index]) }
      // No samples were measured here: use the nearest bin with samples.
      var distance = 1
      while bin.count == 0, distance < used {
        if first >= distance { bin.add(bins[first - distance]) }
        if first + distance < used { bin.add(bins[first + distance]) }
        distance += 1
      }
      guard bin.count > 0 else { return Level() }
      let rms = Float((bin.energy / Double(bin.count)).squareRoot())
      return Level(low: bin.low, high: bin.high, rms: rms)
    }
  }
}
