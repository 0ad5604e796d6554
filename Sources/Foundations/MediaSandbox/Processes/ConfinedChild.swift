private import Glibc
package import MediaWorkerProtocol

/// The end of a conversation with a confined process that belongs to the process that started it.
///
/// The object belongs to the main thread; the process ends with it. Nothing that the process says is trusted:
/// each answer is bounded and checked as it is read.
package final class ConfinedChild<Terms: ServiceTerms> {
  /// The seconds in which a process has to be confined, and to take what it is sent.
  private static var patience: Int { 60 }

  /// The process; nil for one that was started elsewhere.
  package let process: WorkerProcess?
  /// This process's end, which does not block.
  package let socket: Int32
  private var frames = FrameReader(longest: max(Terms.longestAnswer, FrameReader.maximumLength))
  private var isConfined = false

  /// Starts this program again as the process, which waits for its task and is not confined before.
  ///
  /// Must be called on the main thread, before this process is confined.
  ///
  /// - Parameters:
  ///   - nullDevice: `/dev/null`, opened for reading and writing, or a terminal that the process has in its place.
  ///   - arguments: Those of the program; others than those of the terms for tests.
  /// - Throws: `.spawnFailed`, `.notMainThread`.
  package init(
    nullDevice: Int32,
    arguments: [String] = [Terms.argument]
  ) throws(SandboxError) {
    let process = try WorkerProcess.spawn(
      executable: WorkerProcess.ownProgram,
      arguments: arguments,
      nullDevice: nullDevice
    )
    self.process = process
    socket = process.socket
  }

  /// Talks to a process that was started elsewhere.
  ///
  /// - Parameter socket: An end that does not block; it stays the caller's.
  package init(socket: Int32) {
    process = nil
    self.socket = socket
  }

  /// Starts the process with its task, and waits until it is confined.
  ///
  /// - Parameters:
  ///   - task: Its task.
  ///   - files: Descriptors that it gets; they stay open here.
  ///   - nullDevice: As for ``init(nullDevice:arguments:)``.
  /// - Returns: The confined process.
  /// - Throws: As ``init(nullDevice:arguments:)``, ``begin(_:files:)`` and ``next(milliseconds:)``; an error that
  ///   ``SandboxError/isOfConfinement`` says that it could not be confined.
  package static func start(
    _ task: Terms.Task,
    files: [Int32] = [],
    nullDevice: Int32
  ) throws(SandboxError) -> ConfinedChild {
    let child = try ConfinedChild(nullDevice: nullDevice)
    try child.begin(task, files: files)
    while !child.isConfined {
      guard try child.receive(milliseconds: Int32(patience * 1000)) else {
        throw SandboxError(.receiveFailed, number: ETIMEDOUT)
      }
      try child.readConfinement()
    }
    return child
  }

  /// Starts the process so that it tries to escape from its confinement.
  ///
  /// - Parameters:
  ///   - stage: The stage, made before.
  ///   - files: Descriptors for its attempts.
  ///   - nullDevice: `/dev/null`, opened for reading and writing.
  /// - Returns: Its attempts; none when it could not be confined.
  /// - Throws: `.spawnFailed`, `.sendFailed`.
  package static func selfTest(
    _ stage: SelfTestStage,
    files: [Int32],
    nullDevice: Int32
  ) throws(SandboxError) -> [Attempt] {
    let child = try ConfinedChild(nullDevice: nullDevice, arguments: [Terms.argument, stage.folder])
    try child.send(files)
    return Attempt.attempts(fromLines: child.process?.text(seconds: 20) ?? "") ?? []
  }

  /// Gives the process its task; it confines itself then.
  ///
  /// - Throws: `.sendFailed`, EPIPE when it has ended.
  package func begin(_ task: Terms.Task, files: [Int32] = []) throws(SandboxError) {
    try send(files)
    try send(task.frame, nil)
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - file: A descriptor that the process gets; it stays open here.
  /// - Throws: `.sendFailed`, EPIPE when it has ended.
  package func send(_ request: Terms.Request, file: Int32? = nil) throws(SandboxError) {
    try send(request.frame, file)
  }

  /// Sends a request, and waits for an answer.
  ///
  /// - Throws: As ``send(_:file:)`` and ``next(milliseconds:)``; `.receiveFailed`, ETIMEDOUT after a minute.
  package func ask(_ request: Terms.Request) throws(SandboxError) -> Terms.Answer {
    try send(request)
    return try answer(within: Self.patience)
  }

  /// Waits for the next answer.
  ///
  /// - Parameter seconds: The time without a byte after which the process is given up.
  /// - Returns: The answer.
  /// - Throws: As ``next(milliseconds:)``; `.receiveFailed`, ETIMEDOUT.
  package func answer(within seconds: Int) throws(SandboxError) -> Terms.Answer {
    while true {
      if let answer = try read() { return answer }
      guard try receive(milliseconds: Int32(clamping: seconds * 1000)) else {
        throw SandboxError(.receiveFailed, number: ETIMEDOUT)
      }
    }
  }

  /// Waits for the next answer at most so long, or until a part of it has come.
  ///
  /// - Parameter milliseconds: How long; 0 takes what has arrived.
  /// - Returns: The answer; nil when it is not whole.
  /// - Throws: The error of a process that could not be confined (``SandboxError/isOfConfinement``);
  ///   `.receiveFailed`, EPIPE when it has ended, EPROTO when it has said what it must not.
  package func next(milliseconds: Int32) throws(SandboxError) -> Terms.Answer? {
    if let answer = try read() { return answer }
    return try receive(milliseconds: milliseconds) ? try read() : nil
  }

  /// Ends the process at once.
  package func kill() { process?.kill() }

  /// Returns how the process ended, and waits until it has; nil for one that was started elsewhere.
  package func end() -> WorkerExit? { try? process?.reap(blocking: true) }

  // MARK: Bytes

  private func send(_ files: [Int32]) throws(SandboxError) {
    for file in files { try send([FileMark.file], file) }
    try send([FileMark.end], nil)
  }

  private func send(_ bytes: [UInt8], _ file: Int32?) throws(SandboxError) {
    var remaining = bytes[...]
    var file = file
    while !remaining.isEmpty {
      let sent = try remaining.withUnsafeBytes { bytes in
        Result { () throws(SandboxError) in
          try DescriptorPassing.send(bytes, descriptor: file, over: socket)
        }
      }.get()
      if let sent {
        (remaining, file) = (remaining.dropFirst(sent), nil)
      } else if try !wait(for: POLLOUT, Int32(Self.patience * 1000), .sendFailed) {
        throw SandboxError(.sendFailed, number: ETIMEDOUT)
      }
    }
  }

  private func readConfinement() throws(SandboxError) {
    guard !isConfined, let frame = try nextFrame() else { return }
    let confinement = try checked { () throws(ProtocolError) in try Confinement(frame: frame) }
    if let refusal = confinement.refusal { throw refusal }
    isConfined = true
  }

  private func read() throws(SandboxError) -> Terms.Answer? {
    try readConfinement()
    guard isConfined, let frame = try nextFrame() else { return nil }
    return try checked { () throws(ProtocolError) in try Terms.Answer(frame: frame) }
  }

  private func nextFrame() throws(SandboxError) -> ArraySlice<UInt8>? {
    try checked { () throws(ProtocolError) in try frames.next() }
  }

  private func checked<Value>(
    _ body: () throws(ProtocolError) -> Value
  ) throws(SandboxError) -> Value {
    do throws(ProtocolError) {
      return try body()
    } catch {
      throw SandboxError(.receiveFailed, number: EPROTO, subject: error.description)
    }
  }

  /// Receives what has arrived; false when nothing has in the time.
  private func receive(milliseconds: Int32) throws(SandboxError) -> Bool {
    guard try wait(for: POLLIN, milliseconds, .receiveFailed) else { return false }
    let count = try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      Result { () throws(SandboxError) in
        let received = try DescriptorPassing.receive(into: buffer, over: socket, acceptDescriptor: false)
        guard let received else { return -1 }
        frames.append(UnsafeRawBufferPointer(rebasing: buffer[..<received.count]))
        return received.count
      }
    }.get()
    guard count != 0 else { throw SandboxError(.receiveFailed, number: EPIPE) }
    return count > 0
  }

  private func wait(
    for event: Int32,
    _ milliseconds: Int32,
    _ code: SandboxError.Code
  ) throws(SandboxError) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(event), revents: 0)
    while true {
      let ready = poll(&entry, 1, milliseconds)
      if ready >= 0 { return ready > 0 }
      guard errno == EINTR || errno == EAGAIN else { throw SandboxError(code, number: errno) }
    }
  }
}
