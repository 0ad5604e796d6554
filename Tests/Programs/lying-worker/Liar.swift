internal import Glibc
internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerProtocol

/// A worker that serves each file honestly, or with the lie that the file names.
struct Liar {
  let socket = WorkerProcess.socketInWorker

  /// Serves jobs until the coordinator has none left, or a deadline ends the process.
  func run() -> Int32 {
    guard sendHello() else { return 0 }
    var reader = FrameReader()
    var descriptors: [Int32] = []
    var drawn = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      while let frame = try? reader.next() {
        guard let request = try? WorkerRequest(frame: frame), !descriptors.isEmpty else {
          return 70
        }
        let file = descriptors.removeFirst()
        let bytes = Self.content(of: file)
        switch request {
        case .job(let job): answer(job, bytes: bytes, file: file)
        case .convert(let job): answer(job, bytes: bytes)
        case .sheet(let job): answer(job, bytes: bytes, drawn: &drawn)
        case .inspect, .archive, .embed, .location, .film: return 70
        }
        close(file)
      }
      let received = buffer.withUnsafeMutableBytes { bytes in
        try? DescriptorPassing.receive(into: bytes, over: socket, acceptDescriptor: true)
      }
      guard let received, received.count > 0 else { return 0 }
      if let descriptor = received.descriptor { descriptors.append(descriptor) }
      buffer.withUnsafeBytes {
        reader.append(UnsafeRawBufferPointer(rebasing: $0[..<received.count]))
      }
    }
  }

  /// Sends hello; returns false when no other message must follow.
  private func sendHello() -> Bool {
    let lie = ownLie()
    var version = WorkerMessage.protocolVersion
    var build = BuildInfo.version
    switch lie {
    case .endsAtOnce: return false
    case .noHello: return true
    case .otherVersion: version += 1
    case .otherBuild: build += "-other"
    case .helloHostile: build = Hostile.text
    case .jobBeforeHello: send(WorkerMessage.done(job: 1))
    case .noiseFirst: send([UInt8](repeating: 0xA5, count: 4096))
    case nil: break
    }
    send(WorkerMessage.hello(protocolVersion: version, build: build))
    return true
  }

  /// The lie at the end of this program's own file, which the coordinator's rules allow it to read.
  private func ownLie() -> StartLie? {
    // The kernel passes the path of the program; /proc is closed, and Glibc's module lacks the
    // function. Source: getauxval(3), AT_EXECFN.
    typealias GetAuxiliary = @convention(c) (UInt) -> UInt
    guard let symbol = dlsym(nil, "getauxval"),
      let path = UnsafePointer<CChar>(bitPattern: unsafeBitCast(symbol, to: GetAuxiliary.self)(31))
    else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let end = lseek(file, 0, SEEK_END)
    var tail = [UInt8](repeating: 0, count: 64)
    guard pread(file, &tail, 64, end - 64) == 64 else { return nil }
    let text = String(decoding: tail, as: UTF8.self)
    return StartLie.allCases.first { text.hasSuffix("START:" + $0.rawValue) }
  }

  /// Sends bytes unchanged, waiting for room; ends the process when the socket is closed.
  func send(_ bytes: [UInt8], descriptor: Int32? = nil) {
    bytes.withUnsafeBytes { bytes in
      var remaining = bytes
      var descriptor = descriptor
      while !remaining.isEmpty {
        guard
          let sent = try? DescriptorPassing.send(remaining, descriptor: descriptor, over: socket)
        else { exit(0) }
        descriptor = nil
        remaining = UnsafeRawBufferPointer(rebasing: remaining[sent...])
      }
    }
  }

  func send(_ message: WorkerMessage) { send(message.frame) }

  private static func content(of file: Int32) -> [UInt8] {
    let length = Int(lseek(file, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(length, 0))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        pread(file, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(done))
      }
      guard count > 0 else { break }
      done += count
    }
    return Array(bytes[..<done])
  }
}
