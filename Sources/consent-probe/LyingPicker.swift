import Glibc
import MediaSandbox

/// A picker that was taken over: it says what no picker says, and nobody has picked anything.
enum LyingPicker {
  static func run(_ arguments: [String]) -> Int32 {
    var buffer = [UInt8](repeating: 0, count: 4096)
    _ = buffer.withUnsafeMutableBytes { bytes in
      try? DescriptorPassing.receive(
        into: bytes,
        over: WorkerProcess.socketInWorker,
        acceptDescriptor: true
      )
    }
    switch arguments.first ?? "" {
    case "silent": return 0
    case "killed":
      kill(getpid(), SIGKILL)
      return 0
    case "garbage": send(Array("What?".utf8))
    case "endless": while send([UInt8](repeating: UInt8(ascii: "P"), count: 1 << 16)) {}
    case "nothing": send(Array("P\0\0".utf8))
    case "unended": send(Array("Pa.jpg\0".utf8))
    case "unknownFailure": send(Array("Fwhatever".utf8))
    case let paths: send(Array("P".utf8) + paths.utf8.map { $0 == 0x7C ? 0 : $0 } + [0, 0])
    }
    return 0
  }

  @discardableResult
  private static func send(_ bytes: [UInt8]) -> Bool {
    let sent = bytes.withUnsafeBytes {
      try? DescriptorPassing.send($0, over: WorkerProcess.socketInWorker)
    }
    return sent == bytes.count
  }
}
