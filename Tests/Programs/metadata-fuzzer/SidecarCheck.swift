internal import MediaContainers
internal import MediaMetadata
internal import MediaModel
internal import MediaWorkerProtocol

/// Reads a sidecar as a worker does, and takes its message as the coordinator does.
enum SidecarCheck {
  static func check(_ source: ByteSource, _ format: SidecarFormat) {
    guard let description = try? SidecarReader.description(of: source, format: format) else {
      return
    }
    let digest = [UInt8](repeating: 0, count: 32)
    MessageCheck.check(.sidecar(job: 1, description, sourceSHA256: digest))
  }
}

/// Checks that the coordinator accepts what a worker says of a file.
enum MessageCheck {
  static func check(_ message: WorkerMessage) {
    var frames = FrameReader()
    message.frame.withUnsafeBytes { frames.append($0) }
    do {
      guard let frame = try frames.next() else { return finding("half a message") }
      if try WorkerMessage(frame: frame) != message { finding("another message") }
    } catch {
      finding("the coordinator refuses a message: \(error)")
    }
  }
}
