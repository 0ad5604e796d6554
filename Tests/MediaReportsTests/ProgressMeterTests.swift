import MediaModel
import Testing

@testable import MediaReports

struct ProgressMeterTests {
  @Test("The line says source, count, share, rate and time left")
  func line() {
    var meter = ProgressMeter()
    meter.update(source: .camera, done: 24, total: 532, at: 0)
    #expect(meter.line(width: 80) == "camera  24/532  4%")
    meter.update(source: .camera, done: 120, total: 168, at: 2000)
    #expect(meter.line(width: 80) == "camera  120/168  71%  48 files/s  0:01 left")
    meter.update(source: .library, done: 168, total: 168, at: 3000)
    #expect(meter.line(width: 80) == "photo library  168/168  100%  48 files/s")
    meter.update(source: nil, done: 168, total: nil, at: 3000)
    #expect(meter.line(width: 80) == "mediabatch  168 files  48 files/s")
  }

  @Test("The line of a film says its name, its share and how many are over, within the width")
  func film() {
    func line(_ name: String, _ percent: Int, _ done: Int, _ width: Int) -> String {
      ProgressMeter.line(ofFilm: name, percent: percent, done: done, width: width)
    }
    #expect(line("Harbour", 0, 0, 80) == "Converting Harbour  0%")
    #expect(line("Harbour", 43, 1, 80) == "Converting Harbour  43%  1 film done")
    #expect(line("Harbour at dusk", 43, 12, 40) == "Converting Harbour …  43%  12 films done")
    for width in 0...12 { #expect(line("港", 43, 12, width).unicodeScalars.count <= width) }
  }

  @Test("The rate is that of the window, not of the whole run")
  func slidingWindow() {
    var meter = ProgressMeter(windowMilliseconds: 10_000)
    var done = 0
    for second in 0...60 {
      meter.update(source: .camera, done: done, total: 10_000, at: second * 1000)
      done += second < 30 ? 100 : 2
    }
    #expect(meter.line(width: 80).contains("  2.0 files/s  "))
  }

  @Test("A very frequent update keeps few samples and the right rate")
  func frequentUpdates() {
    var meter = ProgressMeter(windowMilliseconds: 10_000)
    for millisecond in 0...100_000 {
      meter.update(source: .camera, done: millisecond / 10, total: 100_000, at: millisecond)
    }
    #expect(meter.line(width: 80).contains("  100 files/s  "), "\(meter.line(width: 80))")
    #expect(meter.sampleCount <= 103)
  }

  @Test("The line is never wider than the terminal, at any width")
  func width() {
    var meter = ProgressMeter()
    meter.update(source: .library, done: 0, total: 100_000, at: 0)
    meter.update(source: .library, done: 48, total: 100_000, at: 1000)
    let whole = meter.line(width: 200)
    #expect(whole == "photo library  48/100000  0%  48 files/s  34:43 left")
    for columns in 0...80 {
      let line = meter.line(width: columns)
      #expect(line.count <= columns)
      #expect(columns < whole.count || line == whole)
    }
  }

  @Test("Plain lines come one an interval")
  func plain() {
    var meter = ProgressMeter(plainIntervalMilliseconds: 5000)
    var times: [Int] = []
    for tick in 0...240 {
      meter.update(source: .camera, done: tick, total: 240, at: tick * 100)
      if meter.plainLine(at: tick * 100) != nil { times.append(tick * 100) }
    }
    #expect(times == [5000, 10_000, 15_000, 20_000])
  }

  @Test("No numbers trap", arguments: [Int.min, -1, 0, 1, Int.max])
  func extremes(value: Int) {
    for other in [Int.min, 0, Int.max] {
      var meter = ProgressMeter(windowMilliseconds: value, plainIntervalMilliseconds: other)
      meter.update(source: .camera, done: value, total: other, at: other)
      meter.update(source: .camera, done: other, total: value, at: value)
      meter.update(source: nil, done: .max, total: .max, at: .max)
      _ = meter.line(width: value)
      _ = meter.plainLine(at: value)
      _ = meter.plainLine(at: other)
    }
  }
}
