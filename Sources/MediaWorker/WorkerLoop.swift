internal import Glibc
internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerProtocol

/// The main loop of a worker: send hello, perform jobs, end when the coordinator closes the socket.
package enum WorkerLoop {
  /// Serves jobs from the socket until its other end closes.
  ///
  /// Call it after confinement; the process has nothing else to do.
  ///
  /// - Returns: The exit code: 0 at an orderly end, 70 after a message that breaks the protocol.
  package static func run() -> Int32 {
    let socket = WorkerProcess.socketInWorker
    let runner = JobRunner()
    let inspector = InspectRunner()
    let converter = ConvertRunner()
    let sheet = SheetRunner()
    var inbox = Inbox(socket: socket)
    let hello = WorkerMessage.hello(
      protocolVersion: WorkerMessage.protocolVersion,
      build: BuildInfo.version
    )
    guard DescriptorPassing.sendAll(hello.frame, over: socket) else { return 0 }
    while true {
      let next: (request: WorkerRequest, descriptor: Int32)?
      do {
        next = try inbox.next()
      } catch {
        return 70
      }
      guard let (request, descriptor) = next else { return 0 }
      var isConnected = true
      func answer(_ frame: [UInt8]) {
        isConnected = isConnected && DescriptorPassing.sendAll(frame, over: socket)
      }
      do throws(JobRunner.Failure) {
        guard let file = MappedFile(descriptor: descriptor) else {
          throw JobRunner.Failure(step: .read, reason: .cannotRead, detail: "it cannot be mapped")
        }
        switch request {
        case .job(let job): try runner.run(job, file, answer: answer)
        case .inspect(let job): try inspector.run(job, file.bytes, answer: answer)
        case .convert(let job): try converter.run(job, file.bytes, answer: answer)
        case .archive(let job): try ArchiveRunner.run(job, file.bytes, answer: answer)
        case .track(let job): try TrackRunner.run(job, file.bytes, answer: answer)
        case .sheet(let job): try sheet.run(job, file.bytes, answer: answer)
        }
      } catch {
        answer(
          WorkerMessage.failed(
            job: request.identifier,
            step: error.step,
            reason: error.reason,
            detail: error.detail
          ).frame
        )
      }
      guard isConnected else { return 0 }
    }
  }
}

/// The jobs and the descriptors that were received with them, in order.
private struct Inbox {
  private let socket: Int32
  private var reader = FrameReader()
  private var descriptors: [Int32] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(socket: Int32) {
    self.socket = socket
  }

  /// Returns the next job and its file, or nil after the last one.
  ///
  /// - Throws: `ProtocolError` and `SandboxError` for a message that breaks the protocol.
  mutating func next() throws -> (request: WorkerRequest, descriptor: Int32)? {
    while true {
      if let frame = try reader.next() {
        let request = try WorkerRequest(frame: frame)
        guard !descriptors.isEmpty else { throw ProtocolError("a job without a file") }
        return (request, descriptors.removeFirst())
      }
      let socket = socket
      let received = try buffer.withUnsafeMutableBytes { bytes in
        try DescriptorPassing.receive(into: bytes, over: socket, acceptDescriptor: true)
      }
      guard let received else { continue }
      if received.count == 0 { return nil }
      if let descriptor = received.descriptor { descriptors.append(descriptor) }
      buffer.withUnsafeBytes { bytes in
        reader.append(UnsafeRawBufferPointer(rebasing: bytes[..<received.count]))
      }
    }
  }
}
