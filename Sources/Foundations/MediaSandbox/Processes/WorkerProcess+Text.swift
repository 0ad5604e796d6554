private import Glibc

extension WorkerProcess {
  /// Reads all output of a worker until it ends, as text, for the self-test.
  ///
  /// - Parameter seconds: The time without output after which the worker is killed.
  /// - Returns: At most 1 MiB; bytes that are not UTF-8 are replaced.
  package func text(seconds: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var output: [UInt8] = []
    while output.count < 1 << 20 {
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, seconds * 1000) > 0 else { break }
      // The socket is ready, so nil is an error here and treated like the end.
      let received = buffer.withUnsafeMutableBytes { bytes in
        try? DescriptorPassing.receive(into: bytes, over: socket, acceptDescriptor: false)
      }
      guard let received, received.count > 0 else { break }
      output += buffer.prefix(received.count)
    }
    kill()
    _ = try? reap(blocking: true)
    return String(decoding: output, as: UTF8.self)
  }
}
