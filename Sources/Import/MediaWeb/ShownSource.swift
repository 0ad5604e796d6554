internal import MediaModel
internal import MediaPicking
internal import MediaWorkerProtocol

/// The names and pictures of a source, as far as its viewer has told them.
struct ShownSource {
  /// The bytes of pictures that are kept, in memory alone.
  private static let cacheLength = 64 << 20
  /// The pictures that may wait for a viewer, at most.
  private static let maximumWaiting = 128

  private enum State {
    /// Nobody has asked for it.
    case unasked
    case asked([PickCandidate])
    case listed
    /// The viewer has ended, or cannot list.
    case failed
  }

  private let sort: PickOrder
  private var state = State.unasked
  /// Why there is no list, where there never will be one.
  private(set) var failure = ConsentError.Code.folderUnreadable
  /// All names; empty before they are known.
  private(set) var list = PickList([], unlistedCount: 0)
  /// The albums of the list with the number of items in each.
  private(set) var albums: [(album: PickAlbum, count: Int)] = []
  /// The capture times that have come since the list was sorted, by the items' indexes.
  private var times: [Int: Int64] = [:]
  /// Whether no other time follows.
  private var hasAllTimes = false
  /// Whether the list was sorted, so that it is shown.
  private var isSorted = false
  /// The requests that the viewer has to get now, oldest first.
  private var requests: [ViewerRequest] = []
  /// The pictures that wait until the viewer has made others, oldest first.
  private var waiting: [Int] = []
  /// The pictures that the viewer was asked for.
  private var sent: Set<Int> = []
  /// The pictures that have not come in the time for which somebody waits.
  private var late: Set<Int> = []
  /// The pictures that are known, empty for a file that has none.
  private var pictures: [Int: [UInt8]] = [:]
  /// The pictures that are known, in the order in which they came.
  private var order: [Int] = []
  private var length = 0

  /// Makes a source of which nothing is known.
  init(sort: PickOrder = .newestFirst) { self.sort = sort }

  /// The state of the list: nil while it is not known or waits for capture times, false when it never will be.
  ///
  /// The first question begins it: before, nothing is listed.
  mutating func hasList() -> Bool? {
    switch state {
    case .listed: return isSorted ? true : nil
    case .failed: return false
    case .asked: return nil
    case .unasked:
      state = .asked([])
      requests.append(.list)
      return nil
    }
  }

  /// Sorts the list by what is known now, if that is more than when it was sorted.
  ///
  /// The list calls it once, before the first names: an order that changes meanwhile would show some items twice
  /// and others never.
  mutating func sortByTimes() {
    guard case .listed = state, !isSorted || !times.isEmpty else { return }
    let answered = times
    list.update { for (index, taken) in answered { $0[index].taken = taken } }
    (isSorted, times) = (true, [:])
  }

  /// The picture of an item of the list, empty when it has none; nil while it is not known.
  mutating func picture(of index: Int) -> [UInt8]? {
    if let cached = pictures[index] { return cached }
    if case .failed = state { return [] }
    if sent.contains(index) || waiting.contains(index) { return nil }
    guard waiting.count < Self.maximumWaiting else { return [] }
    waiting.append(index)
    next()
    return nil
  }

  /// Notes that somebody has waited for a picture long enough.
  mutating func noteLate(_ index: Int) {
    if pictures[index] == nil { late.insert(index) }
  }

  /// Whether somebody has waited for a picture long enough before, and it has not come since.
  func isLate(_ index: Int) -> Bool { late.contains(index) }

  /// Leaves out the pictures that no request waits for any more and that are not begun.
  mutating func leaveOut(except awaited: Set<Int>) {
    waiting.removeAll { !awaited.contains($0) }
  }

  /// The requests that are to be sent, once.
  mutating func takeRequests() -> [ViewerRequest] {
    defer { requests = [] }
    return requests
  }

  /// Notes that the viewer has ended: what is not known never will be.
  mutating func fail() {
    if case .listed = state {} else { state = .failed }
    hasAllTimes = true
    if !isSorted { sortByTimes() }
    for index in sent.union(waiting) { keep([], of: index) }
    (sent, waiting, requests) = ([], [], [])
  }

  /// Takes a message of the viewer.
  ///
  /// - Throws: `ProtocolError` for one that was not asked for.
  mutating func take(_ message: ViewerMessage) throws(ProtocolError) {
    switch (message, state) {
    case (.names(let more), .asked(let names)):
      guard names.count + more.count <= PickList.maximumCount else {
        throw ProtocolError("more names than a list has")
      }
      state = .asked(names + more)
    case (.listed(let count), .asked(let names)):
      list = PickList(names, unlistedCount: count, sort: sort)
      albums = list.albums
      state = .listed
    case (.times(let more, let isLast), .listed):
      try take(more, isLast: isLast)
    case (.picture(let index, let bytes), .listed):
      guard sent.remove(index) != nil else { throw ProtocolError("a picture of something else") }
      keep(bytes, of: index)
      next()
    case (.failed(let code), .asked):
      failure = code
      fail()
    default: throw ProtocolError("an answer that was not requested")
    }
  }

  private mutating func take(
    _ more: [ViewerMessage.CaptureTime],
    isLast: Bool
  ) throws(ProtocolError) {
    guard !hasAllTimes else { throw ProtocolError("a time behind the last one") }
    for time in more {
      guard list.items.indices.contains(time.index), list.items[time.index].taken == nil,
        times.updateValue(time.taken, forKey: time.index) == nil
      else { throw ProtocolError("the time of something else") }
    }
    hasAllTimes = isLast
    if isLast, !isSorted { sortByTimes() }
  }

  private mutating func next() {
    while sent.count < ViewerRequest.maximumPictures, let index = waiting.first {
      waiting.removeFirst()
      sent.insert(index)
      requests.append(.picture(index))
    }
  }

  private mutating func keep(_ bytes: [UInt8], of index: Int) {
    late.remove(index)
    guard pictures[index] == nil else { return }
    pictures[index] = bytes
    order.append(index)
    // A file without a picture takes room, too.
    length += bytes.count + 64
    while length > Self.cacheLength, let oldest = order.first {
      order.removeFirst()
      length -= (pictures.removeValue(forKey: oldest)?.count ?? 0) + 64
    }
  }
}
