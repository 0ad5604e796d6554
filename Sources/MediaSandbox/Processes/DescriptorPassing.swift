private import CSandbox
private import Glibc

/// Bytes, and at most one descriptor, over a stream of UNIX sockets.
///
/// Both calls do as the socket does: the coordinator's end does not block, the worker's does. A
/// signal is never an error.
///
/// Source: sendmsg(2), recvmsg(2), SCM_RIGHTS in unix(7).
package enum DescriptorPassing {
  /// Sends what fits now; the descriptor travels with the first byte of `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: At least 1; a descriptor cannot travel without one.
  ///   - descriptor: What the other side shall get, or nil. It stays open here. After a result that
  ///     is not nil it was sent: the rest of the bytes go without it.
  ///   - socket: One end of a stream.
  /// - Returns: How many bytes were taken, or nil when the socket is full.
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

  /// What one ``receive(into:over:acceptDescriptor:)`` brought.
  package struct Received: Sendable, Hashable {
    /// Bytes; 0 when the other side has ended.
    package var count: Int
    /// Close-on-exec; the caller closes it.
    package var descriptor: Int32?
  }

  /// Receives what is there, up to the size of `buffer`.
  ///
  /// - Parameters:
  ///   - buffer: At least 1 byte.
  ///   - socket: One end of a stream.
  ///   - acceptDescriptor: False gives the kernel no room for descriptors: one that is sent is
  ///     closed by the kernel and never reaches this process.
  /// - Returns: nil when nothing is there yet.
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
    throw SandboxError(
      count == -Int(EBADMSG) ? .unexpectedDescriptors : .receiveFailed,
      result: count
    )
  }
}
