internal import MediaImaging
internal import MediaModel
internal import MediaSandbox

/// What `doctor` has a confined worker do; the answer goes over its socket as lines.
package enum WorkerSelfTest {
  /// Waits for the descriptor of one job, then tries every way out.
  ///
  /// - Returns: The exit code.
  package static func run(stage: String) -> Int32 {
    let socket = WorkerProcess.socketInWorker
    var byte: [UInt8] = [0]
    let received = byte.withUnsafeMutableBytes { bytes in
      try? DescriptorPassing.receive(into: bytes, over: socket, acceptDescriptor: true)
    }
    let attempts = SelfTest.workerAttempts(
      SelfTestStage(folder: stage),
      handed: received?.descriptor
    )
    return say(attempts.map(\.line).joined(), over: socket)
  }

  /// Decodes a small sample of each picture format and says which do not decode.
  ///
  /// - Returns: The exit code.
  package static func listDecoders() -> Int32 {
    let missing = Set(ImageThumbnailer().preload())
    var lines = ""
    for format in MediaFormat.allCases where format.mediaType == .image {
      lines += "\(format.rawValue)\t\(missing.contains(format) ? "missing" : "works")\n"
    }
    return say(lines, over: WorkerProcess.socketInWorker)
  }

  private static func say(_ text: String, over socket: Int32) -> Int32 {
    Array(text.utf8).withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        guard let sent = try? DescriptorPassing.send(rest, over: socket) else { return 70 }
        rest = UnsafeRawBufferPointer(rebasing: rest[sent...])
      }
      return 0
    }
  }
}
