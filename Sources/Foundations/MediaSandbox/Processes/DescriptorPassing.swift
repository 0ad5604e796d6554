private import CSandbox
private import Glibc

/// Passes bytes, and at most one descriptor, over a stream of UNIX sockets.
///
/// Whether a call blocks depends on the socket: the coordinator's end does not, the worker's does.
/// A signal is never an error.
///
/// Source: sendmsg(2), recvmsg(2), SCM_RIGHTS in unix(7).
package enum DescriptorPassing {
  /// Sends as many bytes as fit now; the descriptor is sent with the first byte.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, at least 1, because a descriptor cannot be sent without one.
  ///   - descriptor: The descriptor to send, or nil. It stays open here. If the result is not nil,
  ///     it was sent, and the rest of the bytes must be sent without it.
  ///   - socket: One end of a stream.
  /// - Returns: The number of bytes that were sent, or nil when the socket is full.
  /// - Throws: `.sendFailed`, EPIPE when the other side has ended. No SIGPIPE is raised.
  package static func send(
    _ bytes: UnsafeRawBufferPointer,
    descriptor: Int32? = nil,
    over socket: Int32
  ) throws(SandboxError) -> Int? {
    guard let address = bytes.baseAddress, !bytes.isEmpty else {
      throw SandboxError(.sendFailed, number: EINVAL)
    }
    let sent = csandbox_send(socket, address, bytes.count, descriptor ?? -1)
    if sent >= 0 { return sent }
    if sent == -Int(EAGAIN) { return nil }
    throw SandboxError(.sendFailed, result: sent)
  }

  /// Sends all bytes over a socket that blocks, as the end in a started process does.
  ///
  /// - Returns: False when the other side has ended.
  package static func sendAll(_ bytes: [UInt8], over socket: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var remaining = bytes
      while !remaining.isEmpty {
        guard let sent = try? send(remaining, over: socket) else { return false }
        remaining = UnsafeRawBufferPointer(rebasing: remaining[sent...])
      }
      return true
    }
  }

  /// Makes two connected streams, which two processes are then given.
  ///
  /// - Returns: An end that does not block and one that does; the caller closes both.
  /// - Throws: `.spawnFailed`. Source: socketpair(2).
  package static func pair() throws(SandboxError) -> (unblocking: Int32, blocking: Int32) {
    var ends: [Int32] = [-1, -1]
    let result = csandbox_socket_pair(&ends)
    guard result == 0 else {
      throw SandboxError(.spawnFailed, result: result, subject: "socketpair")
    }
    return (ends[0], ends[1])
  }

  /// Receives exactly so many bytes over a socket that blocks, and the descriptor that came with the first.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - socket: One end of a stream.
  ///   - acceptDescriptor: As for ``receive(into:over:acceptDescriptor:)``.
  /// - Returns: Nil when the other side has ended before, or sent what it must not.
  package static func receiveAll(
    _ count: Int,
    over socket: Int32,
    acceptDescriptor: Bool = true
  ) -> (bytes: [UInt8], descriptor: Int32?)? {
    var bytes: [UInt8] = []
    var descriptor: Int32?
    var buffer = [UInt8](repeating: 0, count: count)
    while bytes.count < count {
      let remaining = count - bytes.count
      let chunk = buffer.withUnsafeMutableBytes { buffer in
        try? receive(
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<remaining]),
          over: socket,
          acceptDescriptor: acceptDescriptor && bytes.isEmpty
        )
      }
      guard let chunk, chunk.count > 0 else {
        if let descriptor { close(descriptor) }
        return nil
      }
      if let received = chunk.descriptor { descriptor = received }
      bytes += buffer.prefix(chunk.count)
    }
    return (bytes, descriptor)
  }

  /// The result of one ``receive(into:over:acceptDescriptor:)``.
  package struct Received: Sendable, Hashable {
    /// The number of bytes; 0 when the other side has ended.
    package var count: Int
    /// A close-on-exec descriptor, which the caller closes.
    package var descriptor: Int32?
  }

  /// Receives the bytes that have arrived, at most as many as `buffer` holds.
  ///
  /// - Parameters:
  ///   - buffer: At least 1 byte.
  ///   - socket: One end of a stream.
  ///   - acceptDescriptor: False gives the kernel no room for descriptors: the kernel then closes a
  ///     descriptor that is sent, and this process never gets it.
  /// - Returns: Nil when no byte has arrived.
  /// - Throws: `.receiveFailed`; `.unexpectedDescriptors`: all are closed, the bytes are lost.
  package static func receive(
    into buffer: UnsafeMutableRawBufferPointer,
    over socket: Int32,
    acceptDescriptor: Bool
  ) throws(SandboxError) -> Received? {
    guard let address = buffer.baseAddress, !buffer.isEmpty else {
      throw SandboxError(.receiveFailed, number: EINVAL)
    }
    var descriptor: Int32 = -1
    let count =
      acceptDescriptor
      ? csandbox_receive(socket, address, buffer.count, &descriptor)
      : csandbox_receive(socket, address, buffer.count, nil)
    if count >= 0 {
      return Received(count: count, descriptor: descriptor >= 0 ? descriptor : nil)
    }
    if count == -Int(EAGAIN) { return nil }
    throw SandboxError(count == -Int(EBADMSG) ? .unexpectedDescriptors : .receiveFailed, result: count)
  }
}
