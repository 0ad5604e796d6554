private import Glibc

/// The coordinator's end of the process that sets the modification times of staged files.
///
/// The coordinator's own filter refuses every call that sets times, since a descriptor of a source's
/// file would suffice for one. The process is started before confinement and has one descriptor, the
/// staging folder as a place: it can set times beneath that folder and do nothing else, see
/// ``FileTimesProcess``.
package final class FileTimes {
  /// A file and the time that it gets.
  package struct Entry: Sendable, Hashable {
    /// The path beneath the staging folder.
    package var path: [UInt8]
    /// The time in nanoseconds since 1970-01-01T00:00:00Z.
    package var nanoseconds: Int64

    /// Makes an entry.
    package init(path: [UInt8], nanoseconds: Int64) {
      (self.path, self.nanoseconds) = (path, nanoseconds)
    }
  }

  /// The files whose times could not be set.
  package struct Failures: Sendable, Hashable {
    /// The number of files.
    package var count = 0
    /// The errno of the first one.
    package var number: Int32 = 0
    /// The symbol of that errno.
    package var reason: String { errorName(number) }

    /// Makes no failures.
    package init() {}
  }

  /// The first bytes to the process: how it confines itself.
  enum Mode: UInt8 {
    case kernel = 1
    case process = 2
    /// The process tries to escape, says the results, and ends.
    case selfTest = 3
  }

  /// The bytes of a message without its length.
  static let maximumLength = 1 << 20
  /// The milliseconds after which a process that does not answer is given up.
  private static let patience: Int32 = 60_000

  private let process: WorkerProcess

  private init(_ process: WorkerProcess) { self.process = process }

  /// Starts this program again as the process, and waits until it is confined.
  ///
  /// Must be called on the main thread, before this process is confined.
  ///
  /// - Parameters:
  ///   - folder: The staging folder; O_PATH suffices.
  ///   - nullDevice: `/dev/null`, opened for reading and writing.
  ///   - enforcesByKernel: False only under `"enforcement": "process"`: then features that the kernel
  ///     lacks are omitted.
  /// - Returns: The confined process.
  /// - Throws: `.spawnFailed`, `.sendFailed`; `.layerRefused` when it could not be confined;
  ///   `.receiveFailed` when it ended otherwise.
  package static func start(
    folder: Int32,
    nullDevice: Int32,
    enforcesByKernel: Bool
  ) throws(SandboxError) -> FileTimes {
    let times = FileTimes(
      try begin(
        enforcesByKernel ? .kernel : .process,
        [FileTimesProcess.argument],
        folder: folder,
        nullDevice: nullDevice
      )
    )
    do throws(SandboxError) {
      guard try times.receive(1) == [1] else { throw SandboxError(.receiveFailed, number: EPROTO) }
    } catch {
      // A process that has not ended yet is of no use either.
      times.process.kill()
      let exit = try? times.process.reap(blocking: true)
      guard exit == .exited(FileTimesProcess.notConfined) else { throw error }
      throw SandboxError(.layerRefused, number: EPERM)
    }
    return times
  }

  /// Starts the process so that it tries to escape from its confinement.
  ///
  /// - Returns: The process; ``WorkerProcess/text(seconds:)`` has the lines of its attempts.
  /// - Throws: `.spawnFailed`, `.sendFailed`.
  package static func startSelfTest(
    _ stage: SelfTestStage,
    folder: Int32,
    nullDevice: Int32
  ) throws(SandboxError) -> WorkerProcess {
    try begin(
      .selfTest,
      [FileTimesProcess.argument, stage.folder],
      folder: folder,
      nullDevice: nullDevice
    )
  }

  private static func begin(
    _ mode: Mode,
    _ arguments: [String],
    folder: Int32,
    nullDevice: Int32
  ) throws(SandboxError) -> WorkerProcess {
    // The very program, even if its file was replaced since. Source: proc(5).
    let process = try WorkerProcess.spawn(
      executable: Array("/proc/self/exe".utf8),
      arguments: arguments,
      nullDevice: nullDevice
    )
    _ = try [mode.rawValue].withUnsafeBytes { bytes in
      Result { () throws(SandboxError) in
        try DescriptorPassing.send(bytes, descriptor: folder, over: process.socket)
      }
    }.get()
    return process
  }

  /// Sets the times of files, in as few messages as fit, and waits until all are set.
  ///
  /// - Returns: The files whose file system refused it, or that are not there.
  /// - Throws: `.sendFailed`, `.receiveFailed` when the process has ended or does not answer.
  package func set(_ entries: [Entry]) throws(SandboxError) -> Failures {
    var failures = Failures()
    var message: [UInt8] = []
    func finish() throws(SandboxError) {
      if message.isEmpty { return }
      try send(UInt32(message.count).littleEndianBytes + message)
      message.removeAll(keepingCapacity: true)
      let answer = try receive(8)
      let count = Int(UInt32(littleEndian: answer[..<4]))
      if failures.count == 0 { failures.number = Int32(UInt32(littleEndian: answer[4...])) }
      failures.count += count
    }
    for entry in entries {
      if message.count + 10 + entry.path.count > Self.maximumLength { try finish() }
      message += UInt64(bitPattern: entry.nanoseconds).littleEndianBytes
      message += UInt16(clamping: entry.path.count).littleEndianBytes
      message += entry.path
    }
    try finish()
    return failures
  }

  private func send(_ bytes: [UInt8]) throws(SandboxError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = try rest.withUnsafeBytes { bytes in
        Result { () throws(SandboxError) in
          try DescriptorPassing.send(bytes, over: process.socket)
        }
      }.get()
      if let sent { rest = rest.dropFirst(sent) } else { try wait(for: POLLOUT, .sendFailed) }
    }
  }

  private func receive(_ count: Int) throws(SandboxError) -> [UInt8] {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: count)
    while received.count < count {
      try wait(for: POLLIN, .receiveFailed)
      let one = try buffer.withUnsafeMutableBytes { bytes in
        Result { () throws(SandboxError) in
          try DescriptorPassing.receive(
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<(count - received.count)]),
            over: process.socket,
            acceptDescriptor: false
          )
        }
      }.get()
      guard let one else { continue }
      guard one.count > 0 else { throw SandboxError(.receiveFailed, number: EPIPE) }
      received += buffer.prefix(one.count)
    }
    return received
  }

  private func wait(for event: Int32, _ code: SandboxError.Code) throws(SandboxError) {
    var entry = pollfd(fd: process.socket, events: Int16(event), revents: 0)
    while true {
      let ready = poll(&entry, 1, Self.patience)
      if ready > 0 { return }
      if ready == 0 { throw SandboxError(code, number: ETIMEDOUT) }
      guard errno == EINTR || errno == EAGAIN else { throw SandboxError(code, number: errno) }
    }
  }
}

extension FixedWidthInteger {
  var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

  /// Reads a number from as many bytes as it has.
  init(littleEndian bytes: ArraySlice<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
  }
}
