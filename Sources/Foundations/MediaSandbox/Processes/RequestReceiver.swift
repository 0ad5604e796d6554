private import Glibc
internal import MediaWorkerProtocol

/// Receives the requests of a process, each with the file that came with its first byte, by one call where it fits.
struct RequestReceiver {
  private let socket: Int32
  private let acceptDescriptor: Bool
  private var reader = FrameReader()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// Whole requests that came behind the one that was returned last.
  private var waiting: [(content: ArraySlice<UInt8>, file: Int32?)] = []
  /// The file of a request of which only the beginning has come.
  private var file: Int32?

  init(socket: Int32, acceptDescriptor: Bool) {
    self.socket = socket
    self.acceptDescriptor = acceptDescriptor
  }

  /// Returns the next request, and its file, which the caller owns; nil when the other process has ended.
  ///
  /// - Throws: `ProtocolError` for what is no message, one without an end, and a file within one.
  mutating func next() throws(ProtocolError) -> (content: ArraySlice<UInt8>, file: Int32?)? {
    while waiting.isEmpty {
      let received = buffer.withUnsafeMutableBytes { bytes in
        try? DescriptorPassing.receive(into: bytes, over: socket, acceptDescriptor: acceptDescriptor)
      }
      guard let received, received.count > 0 else {
        if let file { close(file) }
        if !reader.isEmpty { throw ProtocolError("no whole message") }
        return nil
      }
      try take(received)
    }
    return waiting.removeFirst()
  }

  /// Enters received bytes and their file.
  ///
  /// The kernel ends a read behind the bytes that a file came with, and a request is sent by calls of its own. So the
  /// file is that of the last request that begins here. Source: unix(7), SCM_RIGHTS.
  private mutating func take(_ received: DescriptorPassing.Received) throws(ProtocolError) {
    let beginsHere = reader.isEmpty
    buffer.withUnsafeBytes { reader.append(.init(rebasing: $0[..<received.count])) }
    do throws(ProtocolError) {
      while let content = try reader.next() {
        waiting.append((content, file))
        file = nil
      }
      guard let descriptor = received.descriptor else { return }
      if !reader.isEmpty, beginsHere || !waiting.isEmpty {
        file = descriptor
      } else if reader.isEmpty, let last = waiting.indices.last, beginsHere || last > 0 {
        waiting[last].file = descriptor
      } else {
        throw ProtocolError("a file within a message")
      }
    } catch {
      for descriptor in waiting.map(\.file) + [file, received.descriptor] {
        if let descriptor { close(descriptor) }
      }
      throw error
    }
  }
}
