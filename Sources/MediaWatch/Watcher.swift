internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPipeline
package import MediaSandbox
internal import MediaSyntax

/// The supervisor's end of the process that notices changes, see ``WatcherProcess``.
package final class Watcher {
  /// The words of the process since the last call.
  struct News: Sendable, Hashable {
    var hasChanged = false
    var isWatching = false
    var lacksWatches = false
    /// The process has ended, or has said what it must not.
    var hasEnded = false
  }

  /// The milliseconds after which a process that does not answer is given up.
  private static let patience: Int32 = 10_000

  private let process: WorkerProcess

  private init(_ process: WorkerProcess) { self.process = process }

  /// The socket, for poll(2).
  var socket: Int32 { process.socket }
  var pid: Int32 { process.pid }

  private static func spawn(_ arguments: [String], nullDevice: Int32) throws(SandboxError)
    -> Watcher
  {
    Watcher(
      // The very program, even if its file was replaced since. Source: proc(5).
      try WorkerProcess.spawn(
        executable: Array("/proc/self/exe".utf8),
        arguments: [WatcherProcess.argument] + arguments,
        nullDevice: nullDevice
      )
    )
  }

  /// Starts the process with the folders that it may list; it confines itself before it opens one.
  ///
  /// - Throws: `SandboxError` when it cannot be started, or does not take what it is given.
  static func start(
    _ sources: [WatchedSource],
    nullDevice: Int32,
    enforcesByKernel: Bool
  ) throws(SandboxError) -> Watcher {
    let watcher = try spawn([], nullDevice: nullDevice)
    for source in sources {
      try watcher.send([WatcherProcess.Order.root.rawValue], descriptor: source.root.raw)
      // Each has an answer, so that no two descriptors come together.
      guard try watcher.receiveOne() == WatcherProcess.Word.rootTaken.rawValue else {
        throw SandboxError(.receiveFailed, number: EPROTO)
      }
    }
    let rules = JSONValue.array(
      sources.map { source in
        [
          "defaults": .bool(source.ignoresDefaults),
          "ignored": .array(source.ignored.map { .string($0) }),
        ]
      }
    ).serialized
    let order: WatcherProcess.Order = enforcesByKernel ? .watch : .watchByProcessAlone
    let length = UInt32(rules.count)
    let header = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * UInt32($0))) }
    try watcher.send([order.rawValue] + header + rules)
    return watcher
  }

  /// Starts the process so that it tries to escape from its confinement.
  ///
  /// - Parameters:
  ///   - stage: The stage, made before.
  ///   - folder: The descriptor of its granted folder.
  ///   - nullDevice: `/dev/null`, opened for reading and writing.
  /// - Returns: The lines of its attempts.
  /// - Throws: `.spawnFailed`, `.sendFailed`.
  package static func selfTest(
    _ stage: SelfTestStage,
    folder: Int32,
    nullDevice: Int32
  ) throws(SandboxError) -> String {
    let watcher = try spawn([stage.folder], nullDevice: nullDevice)
    try watcher.send([WatcherProcess.Order.selfTest.rawValue], descriptor: folder)
    return watcher.process.text(seconds: 20)
  }

  /// Reads what has arrived, without waiting.
  func news() -> News {
    var news = News()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let received = buffer.withUnsafeMutableBytes { bytes in
        Result { () throws(SandboxError) in
          try DescriptorPassing.receive(into: bytes, over: process.socket, acceptDescriptor: false)
        }
      }
      guard case .success(let some) = received else {
        news.hasEnded = true
        return news
      }
      guard let some else { return news }
      if some.count == 0 { news.hasEnded = true }
      for byte in buffer.prefix(some.count) {
        switch WatcherProcess.Word(rawValue: byte) {
        case .watching: news.isWatching = true
        case .changed: news.hasChanged = true
        case .lacksWatches: news.lacksWatches = true
        case .rootTaken, nil: news.hasEnded = true
        }
      }
      if news.hasEnded { return news }
    }
  }

  /// Ends the process at once, and waits until it is gone.
  ///
  /// - Returns: How it ended.
  @discardableResult
  func end() -> WorkerExit? {
    process.kill()
    return (try? process.reap(blocking: true)) ?? nil
  }

  private func send(_ bytes: [UInt8], descriptor: Int32? = nil) throws(SandboxError) {
    var rest = bytes[...]
    var descriptor = descriptor
    while !rest.isEmpty {
      let sent = try rest.withUnsafeBytes { bytes in
        Result { () throws(SandboxError) in
          try DescriptorPassing.send(bytes, descriptor: descriptor, over: process.socket)
        }
      }.get()
      guard let sent else {
        try wait(for: POLLOUT, .sendFailed)
        continue
      }
      rest = rest.dropFirst(sent)
      descriptor = nil
    }
  }

  private func receiveOne() throws(SandboxError) -> UInt8 {
    var byte: [UInt8] = [0]
    while true {
      try wait(for: POLLIN, .receiveFailed)
      let received = try byte.withUnsafeMutableBytes { bytes in
        Result { () throws(SandboxError) in
          try DescriptorPassing.receive(into: bytes, over: process.socket, acceptDescriptor: false)
        }
      }.get()
      guard let received else { continue }
      guard received.count == 1 else { throw SandboxError(.receiveFailed, number: EPIPE) }
      return byte[0]
    }
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
