import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@testable import MediaWatch

@Suite("The schedule of a watch")
struct WatchScheduleTests {
  private static let second: Int64 = 1_000_000_000

  private func schedule() -> WatchSchedule {
    WatchSchedule(settle: 5 * Self.second, every: 900 * Self.second, now: 0)
  }

  private func report(pending: Int64 = 0, isChanging: Bool = false, in left: Int64? = nil)
    -> RoundReport
  {
    var report = RoundReport()
    (report.pending, report.isChanging, report.settlesIn) = (pending, isChanging, left)
    return report
  }

  /// A schedule that has started its watcher and ended its first run.
  private func begun() -> WatchSchedule {
    var schedule = schedule()
    #expect(schedule.step(at: 0) == .startWatcher)
    #expect(schedule.step(at: 0) == .start(.run))
    schedule.noteEnd(.exited(.success), report(), at: Self.second)
    #expect(schedule.step(at: Self.second) == .wait(until: 900 * Self.second))
    return schedule
  }

  @Test(
    "The first round is a run at once, and without events the next one is a look when it is time"
  )
  func first() {
    var schedule = begun()
    #expect(schedule.step(at: 900 * Self.second) == .start(.look))
    schedule.noteEnd(.exited(.success), report(), at: 901 * Self.second)
    #expect(schedule.step(at: 902 * Self.second) == .wait(until: 1800 * Self.second))
  }

  @Test("A change is followed by a look after the settle time, and by a run only if there is work")
  func change() {
    var schedule = begun()
    let now = 100 * Self.second
    schedule.noteChange(at: now)
    schedule.noteChange(at: now + Self.second)
    #expect(schedule.step(at: now) == .wait(until: now + 5 * Self.second))
    #expect(schedule.step(at: now + 5 * Self.second) == .start(.look))
    schedule.noteEnd(.exited(.success), report(pending: 7), at: now + 6 * Self.second)
    #expect(schedule.step(at: now + 6 * Self.second) == .start(.run))
    schedule.noteEnd(.exited(.itemsFailed), report(), at: now + 7 * Self.second)
    // An item that failed is tried again at the next listing, and not at each event.
    schedule.noteChange(at: now + 8 * Self.second)
    #expect(schedule.step(at: now + 13 * Self.second) == .start(.look))
    schedule.noteEnd(.exited(.success), report(pending: 7), at: now + 13 * Self.second)
    let listing = schedule.step(at: now + 13 * Self.second)
    guard case .wait(let time) = listing else { return #expect(Bool(false), "\(listing)") }
    #expect(schedule.step(at: time) == .start(.look))
    schedule.noteEnd(.exited(.success), report(pending: 7), at: time)
    #expect(schedule.step(at: time) == .start(.run))
  }

  @Test("A change while a round goes on leads to another round")
  func changeMeanwhile() {
    var schedule = begun()
    schedule.noteChange(at: 10 * Self.second)
    #expect(schedule.step(at: 15 * Self.second) == .start(.look))
    schedule.noteChange(at: 15 * Self.second)
    schedule.noteEnd(.exited(.success), report(), at: 16 * Self.second)
    #expect(schedule.step(at: 16 * Self.second) == .wait(until: 21 * Self.second))
  }

  @Test(
    "A file that may still be written brings the next look forward, at most a tenth of the time"
  )
  func settling() {
    var schedule = begun()
    schedule.noteChange(at: 10 * Self.second)
    #expect(schedule.step(at: 15 * Self.second) == .start(.look))
    // The look took two seconds.
    schedule.noteEnd(.exited(.success), report(isChanging: true, in: 3 * Self.second), at: 17 * Self.second)
    #expect(schedule.step(at: 17 * Self.second) == .wait(until: 37 * Self.second))
    #expect(schedule.step(at: 37 * Self.second) == .start(.look))
    schedule.noteEnd(.exited(.success), report(pending: 1), at: 37 * Self.second)
    #expect(schedule.step(at: 37 * Self.second) == .start(.run))
    schedule.noteEnd(.exited(.success), report(isChanging: true), at: 38 * Self.second)
    #expect(schedule.step(at: 38 * Self.second) == .wait(until: 43 * Self.second))
  }

  @Test("Each end of a round ends the watch or is tried again, as docs/ci.md has it")
  func ends() {
    let retried: Set<RunExitCode> = [
      .libraryHeld, .cannotWrite, .sourceUnavailable, .interrupted, .terminated,
    ]
    for code in RunExitCode.allCases where code != .success && code != .itemsFailed {
      var schedule = begun()
      schedule.noteChange(at: 10 * Self.second)
      _ = schedule.step(at: 15 * Self.second)
      let delay = schedule.noteEnd(.exited(code), nil, at: 16 * Self.second)
      let next = schedule.step(at: 16 * Self.second)
      if retried.contains(code) {
        #expect(delay ?? 0 > 0 && next == .wait(until: 16 * Self.second + (delay ?? 0)), "\(code)")
        #expect(schedule.step(at: 16 * Self.second + (delay ?? 0)) == .start(.run), "\(code)")
      } else {
        #expect(delay == nil && next == .end(code), "\(code)")
      }
    }
    var start = schedule()
    _ = start.step(at: 0)
    _ = start.step(at: 0)
    start.noteEnd(.exited(.sourceUnavailable), nil, at: 1)
    #expect(start.step(at: 1) == .end(.sourceUnavailable), "a disk that was never there")
  }

  @Test("Tries are less and less frequent, up to the time between listings")
  func backOff() {
    var schedule = begun()
    var now = 900 * Self.second
    var delays: [Int64] = []
    for _ in 0..<12 {
      #expect(schedule.step(at: now) != .wait(until: now))
      let delay = schedule.noteEnd(.exited(.cannotWrite), nil, at: now) ?? 0
      delays.append(delay / Self.second)
      schedule.noteChange(at: now)
      now += delay
    }
    #expect(delays == [10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900, 900])
  }

  @Test("A watcher that ends is started again, less and less often")
  func watcher() {
    var schedule = begun()
    var now = 10 * Self.second
    var delays: [Int64] = []
    for _ in 0..<11 {
      let delay = schedule.noteWatcherEnd(at: now, isWanted: false)
      delays.append(delay / Self.second)
      now += delay
      var step = schedule.step(at: now)
      // Rounds go on meanwhile.
      if case .start = step {
        schedule.noteEnd(.exited(.success), report(), at: now)
        step = schedule.step(at: now)
      }
      #expect(step == .startWatcher)
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    #expect(schedule.noteWatcherEnd(at: now, isWanted: true) == 0)
    #expect(schedule.step(at: now) == .startWatcher)
  }

  @Test("A stop waits for the round, and starts nothing more")
  func stop() {
    var schedule = begun()
    schedule.noteChange(at: 10 * Self.second)
    #expect(schedule.step(at: 15 * Self.second) == .start(.look))
    schedule.stop(.terminated)
    #expect(schedule.step(at: 16 * Self.second) == .wait(until: .max))
    schedule.noteWatcherEnd(at: 16 * Self.second, isWanted: false)
    #expect(schedule.step(at: 20 * Self.second) == .wait(until: .max))
    schedule.noteEnd(.exited(.success), report(pending: 3), at: 21 * Self.second)
    #expect(schedule.step(at: 21 * Self.second) == .end(.terminated))
  }

  @Test("Other decisions lead to a look at once, also while tries wait")
  func access() {
    var schedule = begun()
    schedule.noteAccessChange(at: 20 * Self.second)
    #expect(schedule.step(at: 20 * Self.second) == .start(.look))
    schedule.noteEnd(.exited(.cannotWrite), nil, at: 20 * Self.second)
    schedule.noteAccessChange(at: 21 * Self.second)
    #expect(schedule.step(at: 21 * Self.second) == .start(.run))
  }

  @Test("In 24 hours of random events no file waits longer than it must, and the work is bounded")
  func day() {
    var schedule = schedule()
    var random = SeededGenerator()
    let day = 86_400 * Self.second
    var now: Int64 = 0
    var nextEvent: Int64 = 0
    // The time since when a file waits that the watcher has told of, and one that was lost.
    var (noticed, lost): (Int64?, Int64?) = (nil, nil)
    var (looks, runs, longestNoticed, longestLost): (Int, Int, Int64, Int64) = (0, 0, 0, 0)
    while now < day {
      if now >= nextEvent {
        if Int.random(in: 0..<10, using: &random) == 0 {
          lost = lost ?? now
        } else {
          noticed = noticed ?? now
          schedule.noteChange(at: now)
        }
        nextEvent = now + Int64.random(in: 1...120, using: &random) * Self.second
      }
      switch schedule.step(at: now) {
      case .startWatcher: break
      case .end(let code): return #expect(Bool(false), "\(code)")
      case .wait(let time): now = max(now + 1, min(time, nextEvent))
      case .start(let round):
        if round == .look { looks += 1 } else { runs += 1 }
        longestNoticed = max(longestNoticed, noticed.map { now - $0 } ?? 0)
        longestLost = max(longestLost, lost.map { now - $0 } ?? 0)
        let hasWork = noticed != nil || lost != nil
        if round == .run { (noticed, lost) = (nil, nil) }
        now += Self.second / 10
        schedule.noteEnd(.exited(.success), report(pending: hasWork ? now : 0), at: now)
      }
    }
    #expect(longestNoticed <= 6 * Self.second && longestLost <= 901 * Self.second)
    // An event each minute or so, each with one look and one run.
    #expect((1000...2000).contains(runs) && (1000...2000).contains(looks), "\(runs) \(looks)")
    // A value of numbers alone: it holds nothing that could grow.
    #expect(MemoryLayout<WatchSchedule>.size < 256)
  }

  @Test("What a round reports is read back, and nothing else is")
  func reports() {
    var report = report(pending: -3, isChanging: true, in: 12)
    report.counts = ["imported": 2, "failed": 0]
    report.problems = ["A \"problem\"."]
    #expect(RoundReport(report.object.serialized) == report)
    #expect(report.line == "imported 2, waiting for files that may still be written")
    #expect(RoundReport().line == nil)
    for bytes in [[], Array("{}".utf8), Array("[1]".utf8), report.object.serialized.dropLast()] {
      #expect(RoundReport(Array(bytes)) == nil)
    }
  }
}
