internal import Glibc
internal import MediaFileSystem
internal import MediaSandbox
internal import MediaWorkerProtocol

/// One inspection job and its answer, over the socket of a worker of its own.
struct InspectionConversation {
  enum End {
    case finished
    /// The worker ended, or did not answer before its deadline.
    case ended
    case breach(ProtocolError)
  }

  private(set) var answer: InspectionAnswer
  private let job: InspectJob
  private let process: WorkerProcess
  /// The deadline, as for an item of the same length in a run.
  private let seconds: Int64
  private var reader = FrameReader()

  private static let startSeconds: Int64 = 30

  init(_ job: InspectJob, about file: InspectedFile, with process: WorkerProcess) {
    self.job = job
    self.process = process
    answer = InspectionAnswer(job, about: file)
    seconds = min(10 + Int64(clamping: (file.byteCount ?? 0) / 20_000_000), 86_400)
  }

  /// Sends the job with the file's descriptor and receives messages until the last one.
  mutating func run(sending file: Descriptor) -> End {
    try? process.raiseCPULimit(bySeconds: UInt64(clamping: seconds))
    var unsent: (bytes: ArraySlice<UInt8>, file: Descriptor?) = (job.frame[...], file)
    var deadline = MonotonicClock.now + Self.startSeconds * MonotonicClock.second
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if !unsent.bytes.isEmpty {
        let sent = unsent.bytes.withUnsafeBytes { bytes in
          try? DescriptorPassing.send(bytes, descriptor: unsent.file?.raw, over: process.socket)
        }
        // An error means that the worker has ended, which the next read reports.
        if let sent { unsent = (unsent.bytes.dropFirst(sent), nil) }
      }
      let patience = deadline - MonotonicClock.now
      guard patience > 0 else { return .ended }
      let events = unsent.bytes.isEmpty ? POLLIN : POLLIN | POLLOUT
      var entry = pollfd(fd: process.socket, events: Int16(events), revents: 0)
      // In milliseconds, rounded up, so that the loop never spins.
      _ = poll(&entry, 1, Int32(clamping: patience / 1_000_000 + 1))
      guard entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
      let received = buffer.withUnsafeMutableBytes { bytes in
        Result { () throws(SandboxError) in
          try DescriptorPassing.receive(
            into: bytes,
            over: process.socket,
            acceptDescriptor: false
          )
        }
      }
      guard case .success(let part) = received else { return .ended }
      guard let part else { continue }
      guard part.count > 0 else { return .ended }
      buffer.withUnsafeBytes {
        reader.append(UnsafeRawBufferPointer(rebasing: $0[..<part.count]))
      }
      do {
        while let frame = try reader.next() {
          let hadReceivedHello = answer.hasReceivedHello
          try answer.accept(InspectMessage(frame: frame))
          if !hadReceivedHello {
            // While confining itself, the worker lowered its limit below that of the job.
            try? process.raiseCPULimit(bySeconds: UInt64(clamping: seconds))
            deadline = MonotonicClock.now + seconds * MonotonicClock.second
          }
          if answer.isFinished { return .finished }
        }
      } catch {
        return .breach(error)
      }
    }
  }
}
