internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking

/// Makes sockets that listen, before this process is confined.
enum ListeningSocket {
  /// Connections that wait to be accepted.
  private static let backlog: Int32 = 128

  /// A free port of 127.0.0.1, and the host that a browser names for it.
  ///
  /// - Throws: `.pageUnavailable`.
  static func onLoopback() throws(ConsentError) -> (Descriptor, authority: String) {
    let socket = try make(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    // 127.0.0.1
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket.raw, address, length) == 0 && listen(socket.raw, backlog) == 0
          && getsockname(socket.raw, address, &length) == 0
      }
    }
    guard isBound else { throw failure("127.0.0.1") }
    return (socket, "127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
  }

  /// A socket at a path where nothing is yet, or a socket on which no process listens any more, which only
  /// its owner can connect to.
  ///
  /// - Throws: `.pageUnavailable`, also for a path that is too long.
  static func at(_ path: [UInt8]) throws(ConsentError) -> Descriptor {
    let socket = try make(AF_UNIX)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = EscapedText.percentEscaped(path)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard !path.isEmpty, path.count < capacity, !path.contains(0) else {
      throw ConsentError(.pageUnavailable, "\(name): a socket's path has at most \(capacity - 1) bytes")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let mask = umask(0o177)
    defer { umask(mask) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = try withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Result { () throws(ConsentError) in
          var result = bind(socket.raw, address, length)
          if result != 0, errno == EADDRINUSE, try isStale(path, address, length) {
            _ = withUnsafeBytes(of: pointer.pointee.sun_path) { path in
              path.baseAddress.map { unlink($0.assumingMemoryBound(to: CChar.self)) }
            }
            result = bind(socket.raw, address, length)
          }
          return result == 0 && listen(socket.raw, backlog) == 0
        }
      }
    }.get()
    guard isBound else { throw failure(name) }
    return socket
  }

  /// Whether an address is that of a socket whose process has ended, such as by SIGKILL. Leaves errno as it
  /// is for one that is in use or no socket.
  private static func isStale(
    _ path: [UInt8],
    _ address: UnsafePointer<sockaddr>,
    _ length: socklen_t
  ) throws(ConsentError) -> Bool {
    defer { errno = EADDRINUSE }
    // To connect to any other file is refused too.
    var status = stat()
    let isSocket = (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { name in
      name.baseAddress.map { lstat($0, &status) == 0 } == true
        && status.st_mode & S_IFMT == S_IFSOCK
    }
    guard isSocket else { return false }
    let probe = try make(AF_UNIX)
    return connect(probe.raw, address, length) != 0 && errno == ECONNREFUSED
  }

  private static func make(_ family: Int32) throws(ConsentError) -> Descriptor {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let opened = socket(family, kind, 0)
    guard opened >= 0 else { throw failure("socket") }
    return Descriptor(owning: opened, path: [])
  }

  private static func failure(_ subject: String) -> ConsentError {
    ConsentError(.pageUnavailable, "\(subject): \(String(cString: strerror(errno)))")
  }
}
