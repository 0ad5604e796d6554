internal import Glibc
internal import MediaModel
internal import MediaPicking
internal import MediaSandbox
internal import MediaWorkerProtocol

/// The names of a source as a picker gets them from its viewer, with the times when items were taken; nothing else is
/// accepted.
struct ViewerNames {
  /// The time after which a person is told what they wait for.
  private static let quietMilliseconds: Int32 = 1_000
  /// The time for which the list waits for the times, so that it is sorted by them: at a terminal it stays as it is.
  private static let timesMilliseconds: Int64 = 3_000

  private(set) var candidates: [PickCandidate] = []
  /// Folders that could not be listed.
  private(set) var unlistedCount = 0

  private let socket: Int32
  private var frames = FrameReader()

  /// Makes an empty list.
  ///
  /// - Parameter socket: An end of a viewer's socket; it may block or not.
  init(from socket: Int32) { self.socket = socket }

  /// Asks for the names, and reads all of them, and the times that come soon.
  ///
  /// - Parameter onWaiting: Called once when nothing has come for a second.
  /// - Throws: The code of a viewer that cannot list; `.pickerFailed` for one that has ended, or says something else.
  mutating func read(onWaiting: () -> Void) throws(ConsentError) {
    guard DescriptorPassing.sendAll(ViewerRequest.list.frame, over: socket) else {
      throw ConsentError(.pickerFailed)
    }
    var isNoticeShown = false
    while true {
      while let message = try nextMessage() {
        switch message {
        case .names(let batch) where candidates.count + batch.count <= PickList.maximumCount:
          candidates += batch
        case .listed(let count):
          unlistedCount = count
          return try readTimes()
        case .failed(let code): throw ConsentError(code)
        default: throw ConsentError(.pickerFailed)
        }
      }
      if try !receive(milliseconds: isNoticeShown ? -1 : Self.quietMilliseconds) {
        isNoticeShown = true
        onWaiting()
      }
    }
  }

  private mutating func readTimes() throws(ConsentError) {
    let deadline = TerminalStream.now() + Self.timesMilliseconds
    while true {
      while let message = try nextMessage() {
        guard case .times(let times, let isLast) = message,
          times.allSatisfy({ candidates.indices.contains($0.index) })
        else { throw ConsentError(.pickerFailed) }
        for time in times { candidates[time.index].taken = time.taken }
        if isLast { return }
      }
      let remaining = deadline - TerminalStream.now()
      // A viewer that has ended has told the names.
      guard remaining > 0, (try? receive(milliseconds: Int32(clamping: remaining))) == true else {
        return
      }
    }
  }

  private mutating func nextMessage() throws(ConsentError) -> ViewerMessage? {
    do throws(ProtocolError) {
      return try frames.next().map { (frame) throws(ProtocolError) in
        try ViewerMessage(frame: frame)
      }
    } catch {
      throw ConsentError(.pickerFailed)
    }
  }

  /// Receives what has arrived.
  ///
  /// - Returns: False when nothing has in the time.
  private mutating func receive(milliseconds: Int32) throws(ConsentError) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    let ready = poll(&entry, 1, milliseconds)
    if ready == 0 { return false }
    if ready < 0, errno == EINTR { return true }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    // A descriptor that came along would be closed: the filter has no call that takes one.
    let count = ready > 0 ? Glibc.read(socket, &buffer, buffer.count) : -1
    guard count > 0 else { throw ConsentError(.pickerFailed) }
    buffer.withUnsafeBytes { frames.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    return true
  }
}
