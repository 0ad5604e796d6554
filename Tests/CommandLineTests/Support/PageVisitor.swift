import Foundation
import Glibc
import MediaTestSupport
import Testing

/// A browser's part in a conversation with a page, over a socket of its own: it can also say what no browser
/// says.
struct PageVisitor {
  struct Response {
    var status = 0
    var head = ""
    var body = ""
  }

  enum Address {
    case port(UInt16)
    case socket(String)
  }

  let address: Address
  let authority: String
  /// The token of the address that was printed.
  let token: String
  var accepted: String?

  /// Waits for the address that a program prints to standard error.
  init(of program: RunningProgram, socket: String? = nil) throws {
    var link = ""
    let isThere = program.waits {
      let lines = String(decoding: program.error, as: UTF8.self).split(separator: "\n")
      link =
        lines.last { $0.contains("http://127.0.0.1:") && $0.contains("/#") }
        .map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
      return !link.isEmpty
    }
    try #require(isThere, "\(program.result)")
    let url = try #require(URL(string: link))
    token = try #require(url.fragment)
    let port = try #require(url.port)
    authority = "127.0.0.1:\(port)"
    address = socket.map { .socket($0) } ?? .port(UInt16(port))
  }

  /// Opens a connection; −1 when it is refused.
  func connection() -> Int32 {
    switch address {
    case .port(let port):
      let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return connect(descriptor, &name)
    case .socket(let path):
      let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      return connect(descriptor, &name)
    }
  }

  private func connect<Name>(_ descriptor: Int32, _ name: inout Name) -> Int32 {
    var time = timeval(tv_sec: 240, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    let isOpen = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size)) == 0
      }
    }
    if isOpen { return descriptor }
    close(descriptor)
    return -1
  }

  /// Sends bytes as they are, and reads until the other side closes.
  func sendRaw(_ text: String) -> Response? {
    let descriptor = connection()
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      return nil
    }
    return Self.response(from: descriptor)
  }

  static func response(from descriptor: Int32) -> Response? {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received += buffer.prefix(count)
    }
    let text = String(decoding: received, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let head = String(text[..<end.lowerBound])
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return Response(status: status ?? 0, head: head.lowercased(), body: String(text[end.upperBound...]))
  }

  /// Asks as the page's own script does; `change` makes the headers what an attacker sends.
  func ask(
    _ method: String,
    _ target: String,
    body: String = "",
    _ change: (inout [String: String]) -> Void = { _ in }
  ) -> Response? {
    var headers = ["Host": authority, "Content-Length": "\(body.utf8.count)"]
    if method == "POST" { headers["Origin"] = "http://" + authority }
    if let accepted { headers["Mediabatch-Token"] = accepted }
    change(&headers)
    let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    return sendRaw("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n\(body)")
  }

  /// Exchanges the token of the address, as the page does when it is opened.
  mutating func enter(_ token: String? = nil) throws {
    accepted = nil
    let response = try #require(ask("POST", "/session", body: token ?? self.token))
    try #require(response.status == 200, "\(response)")
    accepted = response.body
  }
}
