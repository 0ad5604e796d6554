package import MediaFileSystem
internal import MediaSandbox
package import MediaWorkerProtocol

/// The coordinator's end of a worker's socket, which sends and receives frames.
package struct WorkerChannel {
  package let process: any WorkerPeer
  private var reader = FrameReader()
  /// Frames that wait for room in the socket, with the file that is sent with each; it stays open
  /// until its frame is sent.
  private var unsent: [(bytes: [UInt8], file: Descriptor?)] = []

  package init(_ process: any WorkerPeer) { self.process = process }

  /// The time until which a worker that is started now has to send its hello.
  package static var startDeadline: Int64 { MonotonicClock.now + 30 * MonotonicClock.second }

  /// Sends a frame with the descriptor of its file, as far as the socket takes it now.
  package mutating func send(_ frame: [UInt8], file: Descriptor) {
    unsent.append((frame, file))
    flush()
  }

  /// Whether something waits for room in the socket.
  package var wantsToSend: Bool { !unsent.isEmpty }

  /// Sends the waiting frames, as far as the socket takes them now.
  package mutating func flush() {
    while let first = unsent.first {
      let sent = first.bytes.withUnsafeBytes { bytes in
        try? DescriptorPassing.send(bytes, descriptor: first.file?.raw, over: process.socket)
      }
      // An error means that the worker has ended, which the next read reports.
      guard let count = sent else { return }
      if count == first.bytes.count {
        unsent.removeFirst()
      } else {
        unsent[0] = (Array(first.bytes[count...]), nil)
      }
    }
  }

  /// Reads the bytes that have arrived; ``next()`` returns them message by message.
  ///
  /// - Returns: Whether the worker has ended.
  package mutating func receive(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    let received: DescriptorPassing.Received?
    do {
      received = try DescriptorPassing.receive(into: buffer, over: process.socket, acceptDescriptor: false)
    } catch {
      return true
    }
    guard let received else { return false }
    if received.count == 0 { return true }
    reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<received.count]))
    return false
  }

  /// Returns the next whole frame, or nil until more bytes arrive.
  package mutating func next() throws(ProtocolError) -> ArraySlice<UInt8>? { try reader.next() }
}
