import Glibc
import MediaFileSystem
import MediaModel
import MediaSandbox
import MediaWorkerProtocol

@testable import MediaWorkerPool

/// The other end of a worker's socket, in this process.
final class FakeWorker: WorkerPeer {
  let socket: Int32
  private let end: Int32
  var processorTime: Int64 = 0
  private(set) var exit: WorkerExit?
  /// The CPU seconds that it was given, in order.
  private(set) var limits: [UInt64] = []
  /// The number of files that came with requests.
  private(set) var files = 0
  /// The bytes that have come.
  private(set) var byteCount = 0
  private var reader = FrameReader()
  private var hasLeft = false

  init() throws(SandboxError) { (socket, end) = try DescriptorPassing.pair() }

  deinit {
    leave()
    close(socket)
  }

  func raiseCPULimit(bySeconds seconds: UInt64) throws(SandboxError) { limits.append(seconds) }

  func kill() { if exit == nil { exit = .signalled(SIGKILL) } }

  func reap(blocking: Bool) throws(SandboxError) -> WorkerExit? { exit }

  func send(_ messages: WorkerMessage...) { send(bytes: messages.flatMap(\.frame)) }

  func send(bytes: [UInt8]) { _ = DescriptorPassing.sendAll(bytes, over: end) }

  func sendHello() {
    send(.hello(protocolVersion: WorkerMessage.protocolVersion, build: BuildInfo.version))
  }

  /// Closes its end, as a process that ends does.
  func leave() {
    if !hasLeft { close(end) }
    hasLeft = true
  }

  /// Takes the bytes that have come.
  func listen() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 0) == 1 else { return }
      let received = try buffer.withUnsafeMutableBytes {
        try DescriptorPassing.receive(into: $0, over: end, acceptDescriptor: true)
      }
      guard let received, received.count > 0 else { return }
      if let file = received.descriptor {
        files += 1
        close(file)
      }
      byteCount += received.count
      buffer.withUnsafeBytes { reader.append(.init(rebasing: $0[..<received.count])) }
    }
  }

  /// The identifiers of the requests that have come since the last call.
  func requests() throws -> [UInt64] {
    try listen()
    var identifiers: [UInt64] = []
    while let frame = try reader.next() {
      identifiers.append(try WorkerRequest(frame: frame).identifier)
    }
    return identifiers
  }
}

/// The workers that pools have started, in order.
final class FakeWorkers {
  private(set) var started: [FakeWorker] = []

  func pool(size: Int) -> WorkerPool {
    WorkerPool(enforcement: .process, size: size) { [self] () throws(SandboxError) in
      let worker = try FakeWorker()
      started.append(worker)
      return worker
    }
  }

  var latest: FakeWorker? { started.last }
}

/// What a command knows of a request: its name, and a plus for each message that was not the last.
typealias Requests = WorkerRequests<String>

extension WorkerRequests where State == String {
  /// Sends a request with an empty file.
  func send(
    _ name: String,
    for purpose: WorkerPurpose = .files(of: .camera, .strip),
    seconds: Int64 = 10
  ) throws -> Bool {
    try send(name, for: purpose, file: FileSystem.temporaryFile(), seconds: seconds) {
      .convert(ConvertJob(identifier: $0, quality: 90))
    }
  }

  /// Takes the messages that have come.
  func receive(isAhead: Bool = false) -> Progress {
    receive(isAhead: { _ in isAhead }) { (name, message) throws(ProtocolError) in
      switch message {
      case .done: return true
      case .failed: throw ProtocolError("a failure")
      default:
        name += "+"
        return false
      }
    }
  }
}
