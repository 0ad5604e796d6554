/// The time for which a page has had no request, after which it ends.
struct IdleTime {
  /// In nanoseconds.
  private let limit: UInt64
  private var start: UInt64

  /// Begins at a moment of a clock that only goes forward, in nanoseconds.
  init(seconds: Int, from now: UInt64) {
    limit = UInt64(max(seconds, 0)) * 1_000_000_000
    start = now
  }

  /// Begins anew, as with each request of the person's page.
  mutating func begin(at now: UInt64) { start = now }

  /// Whether no person is there any more.
  func isOver(at now: UInt64) -> Bool { now >= start && now - start >= limit }
}
