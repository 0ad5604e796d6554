package import MediaModel

/// The progress of a run as one line of text: a pure function of its updates and their times.
///
///     camera  120/532  22%  48 files/s  0:08 left
package struct ProgressMeter: Sendable {
  private struct Sample {
    var milliseconds: Int
    var done: Int
  }

  private let windowMilliseconds: Int
  private let plainIntervalMilliseconds: Int
  private var samples: [Sample] = []
  private var source: SourceID?
  private var done = 0
  private var total: Int?
  private var lastPlain: Int?

  /// A meter whose rate is that of the last `windowMilliseconds`, and which has a plain line every
  /// `plainIntervalMilliseconds`.
  package init(windowMilliseconds: Int = 10_000, plainIntervalMilliseconds: Int = 10_000) {
    self.windowMilliseconds = max(1, windowMilliseconds)
    self.plainIntervalMilliseconds = max(1, plainIntervalMilliseconds)
  }

  /// Takes note of how many items have an outcome, at a time that never goes back.
  ///
  /// `source` is the one at work, nil between two; `total` is nil while it is not known. Both counts
  /// are of the whole run. `milliseconds` counts from any fixed instant of a steady clock.
  package mutating func update(
    source: SourceID?,
    done: Int,
    total: Int?,
    at milliseconds: Int
  ) {
    self.source = source
    self.done = max(0, done)
    self.total = total.map { max(0, $0) }
    // A sample each hundredth of the window bounds what is kept, however often this is called.
    let step = max(1, windowMilliseconds / 100)
    if let last = samples.last, samples.count > 1,
      Self.difference(milliseconds, samples[samples.count - 2].milliseconds) < step
    {
      samples[samples.count - 1] = Sample(
        milliseconds: max(last.milliseconds, milliseconds),
        done: self.done
      )
    } else {
      let time = max(samples.last?.milliseconds ?? milliseconds, milliseconds)
      samples.append(Sample(milliseconds: time, done: self.done))
    }
    let newest = samples[samples.count - 1].milliseconds
    let old =
      samples.dropLast().prefix {
        Self.difference(newest, $0.milliseconds) > windowMilliseconds
      }.count
    samples.removeFirst(old)
  }

  /// The line for a terminal, without a newline: never wider than `width` columns; what does not fit
  /// is left out from the right, a whole field at a time.
  package func line(width: Int) -> String {
    var fields = [source?.displayName ?? "mediabatch"]
    if let total {
      fields.append("\(done)/\(total)")
      fields.append("\(percent(of: total))%")
    } else {
      fields.append("\(done) file\(done == 1 ? "" : "s")")
    }
    if let tenths = tenthsPerSecond {
      fields.append("\(Quantity.rate(tenths: tenths)) files/s")
      if let total, done < total, tenths > 0, let seconds = secondsLeft(total, tenths) {
        fields.append("\(Quantity.clock(seconds)) left")
      }
    }
    var line = TextLayout.cut(fields[0], to: width)
    for field in fields.dropFirst() {
      guard TextLayout.width(line) + 2 + TextLayout.width(field) <= width else { break }
      line += "  " + field
    }
    return line
  }

  /// The line for a terminal about a film that is converted, without a newline: never wider than `width` columns, for
  /// which the name is cut.
  ///
  ///     Converting Harbour at dusk  43%  2 films done
  package static func line(
    ofFilm name: String,
    percent: Int,
    done: Int,
    width: Int
  ) -> String {
    let end = "  \(percent)%" + (done > 0 ? "  \(Quantity.text(done, "film")) done" : "")
    let beginning = TextLayout.cut("Converting \(name)", to: width - TextLayout.width(end))
    return TextLayout.cut(beginning + end, to: width)
  }

  /// The line for a file or a CI log, without a newline; nil while the last one is not old enough.
  ///
  /// The first waits for a whole interval, so that a short run says nothing but its summary.
  package mutating func plainLine(at milliseconds: Int) -> String? {
    guard let last = lastPlain else {
      lastPlain = milliseconds
      return nil
    }
    guard Self.difference(milliseconds, last) >= plainIntervalMilliseconds else {
      return nil
    }
    lastPlain = milliseconds
    return line(width: 1000)
  }

  var sampleCount: Int { samples.count }

  private var tenthsPerSecond: Int? {
    guard let first = samples.first, let last = samples.last else { return nil }
    let span = Self.difference(last.milliseconds, first.milliseconds)
    let (scaled, overflows) = max(0, Self.difference(last.done, first.done))
      .multipliedReportingOverflow(by: 10_000)
    return span > 0 && !overflows ? scaled / span : nil
  }

  private func percent(of total: Int) -> Int {
    guard total > 0 else { return 100 }
    // Never 100 before the end, and no overflow at any count.
    return done >= total ? 100 : min(99, Int(Double(done) / Double(total) * 100))
  }

  private func secondsLeft(_ total: Int, _ tenths: Int) -> Int? {
    let (scaled, overflows) = (total - done).multipliedReportingOverflow(by: 10)
    guard !overflows else { return nil }
    let seconds = scaled / tenths + (scaled % tenths == 0 ? 0 : 1)
    return seconds < 360_000 ? seconds : nil
  }

  private static func difference(_ minuend: Int, _ subtrahend: Int) -> Int {
    let (value, overflows) = minuend.subtractingReportingOverflow(subtrahend)
    return overflows ? (minuend > subtrahend ? .max : .min) : value
  }
}
