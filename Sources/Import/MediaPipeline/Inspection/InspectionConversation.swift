internal import Glibc
internal import MediaFileSystem
internal import MediaSandbox
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// One inspection job and its answer, over the socket of a worker of its own.
struct InspectionConversation {
  enum End {
    case finished
    /// The worker ended before its answer did.
    case ended
    /// The worker did not answer before its deadline.
    case late
    case breach(ProtocolError)
  }

  private(set) var answer: InspectionAnswer
  private let job: InspectJob
  private var channel: WorkerChannel
  /// The deadline, as for an item of the same length in a run.
  private let seconds: Int64

  init(_ job: InspectJob, about file: InspectedFile, with process: WorkerProcess) {
    self.job = job
    channel = WorkerChannel(process)
    answer = InspectionAnswer(job, about: file)
    seconds = min(10 + Int64(clamping: (file.byteCount ?? 0) / 20_000_000), 86_400)
  }

  /// Sends the job with the file's descriptor and receives messages until the last one.
  mutating func run(sending file: Descriptor) -> End {
    raiseCPULimit()
    channel.send(job.frame, file: file)
    var deadline = WorkerChannel.startDeadline
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let patience = deadline - MonotonicClock.now
      guard patience > 0 else { return .late }
      let events = channel.wantsToSend ? POLLIN | POLLOUT : POLLIN
      var entry = pollfd(fd: channel.process.socket, events: Int16(events), revents: 0)
      // In milliseconds, rounded up, so that the loop never spins.
      _ = poll(&entry, 1, Int32(clamping: patience / 1_000_000 + 1))
      channel.flush()
      guard entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
      if buffer.withUnsafeMutableBytes({ channel.receive(into: $0) }) { return .ended }
      do {
        while let frame = try channel.next() {
          let hadReceivedHello = answer.hasReceivedHello
          try answer.accept(InspectMessage(frame: frame))
          if !hadReceivedHello {
            // While confining itself, the worker lowered its limit below that of the job.
            raiseCPULimit()
            deadline = MonotonicClock.now + seconds * MonotonicClock.second
          }
          if answer.isFinished { return .finished }
        }
      } catch {
        return .breach(error)
      }
    }
  }

  private func raiseCPULimit() {
    try? channel.process.raiseCPULimit(bySeconds: UInt64(clamping: seconds))
  }
}
