internal import MediaImaging
internal import MediaModel
internal import MediaSandbox

/// The self-test that a confined worker performs for `doctor`; it sends its results as lines.
package enum WorkerSelfTest {
  /// Waits for the descriptor of one job, then makes every attempt of ``SelfTest``.
  ///
  /// - Returns: The exit code.
  package static func run(stage: String) -> Int32 {
    let socket = WorkerProcess.socketInWorker
    let attempts = SelfTest.workerAttempts(
      SelfTestStage(folder: stage),
      handed: DescriptorPassing.receiveAll(1, over: socket)?.descriptor
    )
    return send(attempts.map(\.line).joined(), over: socket)
  }

  /// Loads each format's decoder, decodes a sample with most of them, and reports which fail and
  /// why.
  ///
  /// - Returns: The exit code.
  package static func listDecoders() -> Int32 {
    let missing = ImageThumbnailer().missingDecoders()
    var lines = ""
    for format in MediaFormat.allCases {
      let reason = missing[format].map { EscapedText.printable($0, limit: 200) }
      lines += "\(format.rawValue)\t\(reason.map { "missing\t" + $0 } ?? "works")\n"
    }
    return send(lines, over: WorkerProcess.socketInWorker)
  }

  private static func send(_ text: String, over socket: Int32) -> Int32 {
    DescriptorPassing.sendAll(Array(text.utf8), over: socket) ? 0 : 70
  }
}
