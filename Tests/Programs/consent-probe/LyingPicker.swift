import Glibc
import MediaSandbox
import MediaWorkerProtocol

/// A picker that was taken over: it says what no picker says, and nobody has picked anything.
enum LyingPicker {
  static func run(_ arguments: [String]) -> Int32 {
    takeTask()
    switch arguments.first ?? "" {
    case "silent": return 0
    case "killed":
      kill(getpid(), SIGKILL)
      return 0
    default: emitConfined()
    }
    switch arguments.first ?? "" {
    case "garbage": sendFrame(Array("What?".utf8))
    case "endless": while send([UInt8](repeating: 0xFF, count: 1 << 16)) {}
    case "nothing": sendFrame(picked([]))
    case "unended": sendFrame(picked(["a.jpg", "sub/b.jpg"]).dropLast())
    case "twice": sendFrame(picked(["a.jpg"]) + picked(["a.jpg"]))
    case "unknownFailure":
      var writer = WireWriter()
      writer.put(UInt8(4))
      writer.put("whatever")
      sendFrame(writer.bytes)
    case let paths:
      sendFrame(picked(paths.split(separator: "|", omittingEmptySubsequences: false).map { $0 }))
    }
    return 0
  }

  /// What is not read would end the conversation before the lie.
  private static func takeTask() {
    let socket = WorkerProcess.socketInWorker
    while let (mark, _) = DescriptorPassing.receiveAll(1, over: socket), mark != [0] {}
    guard let (length, _) = DescriptorPassing.receiveAll(4, over: socket) else { return }
    var reader = WireReader(length[...])
    if let count = try? reader.count(limit: 1 << 20) {
      _ = DescriptorPassing.receiveAll(count, over: socket)
    }
  }

  private static func emitConfined() {
    var writer = WireWriter()
    writer.put(false)
    send(writer.frame)
  }

  /// The content of a message that says that these paths were picked.
  private static func picked(_ paths: [Substring]) -> [UInt8] {
    var writer = WireWriter()
    writer.put(UInt8(1))
    writer.put(UInt32(paths.count))
    for path in paths { writer.put(Array(path.utf8)) }
    return writer.bytes
  }

  private static func sendFrame(_ content: some Sequence<UInt8>) {
    let content = Array(content)
    var writer = WireWriter()
    writer.put(content)
    send(writer.bytes)
  }

  @discardableResult
  private static func send(_ bytes: [UInt8]) -> Bool {
    DescriptorPassing.sendAll(bytes, over: WorkerProcess.socketInWorker)
  }
}
