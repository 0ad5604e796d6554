import Foundation
import MediaWorkerProtocol
import Testing

@testable import MediaSandbox

@Suite("Requests with files")
struct RequestReceiverTests {
  /// A process's end of a socket, and the receiver of the other process.
  private final class Conversation {
    private let ends: [Int32]
    private var isOpen = true
    var receiver: RequestReceiver

    init() {
      ends = Self.pair()
      receiver = RequestReceiver(socket: ends[1], acceptDescriptor: true)
    }

    deinit {
      end()
      close(ends[1])
    }

    static func pair() -> [Int32] {
      var ends: [Int32] = [-1, -1]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
      return ends
    }

    func send(_ bytes: some Sequence<UInt8>, file: Int32? = nil) throws {
      let bytes = Array(bytes)
      let sent = try bytes.withUnsafeBytes {
        try DescriptorPassing.send($0, descriptor: file, over: ends[0])
      }
      try #require(sent == bytes.count)
    }

    func end() {
      if isOpen { close(ends[0]) }
      isOpen = false
    }

    /// The next request as text, and its file.
    func next() throws -> (text: String, file: Int32?)? {
      try receiver.next().map { (String(decoding: $0.content, as: UTF8.self), $0.file) }
    }
  }

  private func frame(_ text: String) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: text.utf8.count >> ($0 * 8)) } + Array(text.utf8)
  }

  /// A file to send, of which the other side tells when nobody has it open any more.
  private final class Sent {
    private let watched: Int32
    let file: Int32

    init() {
      let ends = Conversation.pair()
      (watched, file) = (ends[0], ends[1])
    }

    deinit { close(watched) }

    /// Whether nobody has the file open, once this process has closed its own; waits for a child that is just starting.
    func isClosedElsewhere() -> Bool {
      close(file)
      var look = pollfd(fd: watched, events: Int16(POLLIN), revents: 0)
      return poll(&look, 1, 5000) == 1 && Int32(look.revents) & Int32(POLLHUP) != 0
    }

    /// Whether a descriptor is this file: what is written to it arrives.
    func isSame(_ descriptor: Int32?) -> Bool {
      guard let descriptor, write(descriptor, "x", 1) == 1 else { return false }
      var byte: UInt8 = 0
      return recv(watched, &byte, 1, Int32(MSG_DONTWAIT)) == 1
    }
  }

  @Test("A file is that of the request that it was sent with, though two requests are received at once")
  func last() throws {
    let conversation = Conversation()
    let sent = Sent()
    try conversation.send(frame("first"))
    try conversation.send(frame("second"), file: sent.file)
    try conversation.send(frame("third"))
    let first = try #require(try conversation.next())
    #expect(first.text == "first" && first.file == nil)
    let second = try #require(try conversation.next())
    #expect(second.text == "second" && sent.isSame(second.file))
    let third = try #require(try conversation.next())
    #expect(third.text == "third" && third.file == nil)
    if let file = second.file { close(file) }
    conversation.end()
    let end = try conversation.next()
    #expect(end == nil)
    #expect(sent.isClosedElsewhere())
  }

  @Test("A request that arrives in parts has the file that came with its first bytes")
  func parts() throws {
    let conversation = Conversation()
    let sent = Sent()
    try conversation.send(frame("before") + frame("request").prefix(6), file: sent.file)
    let before = try #require(try conversation.next())
    #expect(before.text == "before" && before.file == nil)
    try conversation.send(frame("request").dropFirst(6))
    let request = try #require(try conversation.next())
    #expect(request.text == "request" && sent.isSame(request.file))
    if let file = request.file { close(file) }
    #expect(sent.isClosedElsewhere())
    // The next one's, though the end of another one came with it.
    let other = Sent()
    try conversation.send(frame("before") + frame("request").prefix(6))
    #expect(try conversation.next()?.text == "before")
    try conversation.send(frame("request").dropFirst(6) + frame("next"), file: other.file)
    let whole = try #require(try conversation.next())
    #expect(whole.text == "request" && whole.file == nil)
    let next = try #require(try conversation.next())
    #expect(next.text == "next" && other.isSame(next.file))
    if let file = next.file { close(file) }
    #expect(other.isClosedElsewhere())
  }

  @Test("A file within a request is a breach, as is a request without its end, and no file stays open")
  func breaches() throws {
    let within = Conversation()
    let inner = Sent()
    try within.send(frame("before") + frame("request").prefix(6))
    #expect(try within.next()?.text == "before")
    try within.send(frame("request").dropFirst(6), file: inner.file)
    #expect(throws: ProtocolError.self) { try within.next() }
    #expect(inner.isClosedElsewhere())
    let cut = Conversation()
    let lost = Sent()
    try cut.send(frame("request").prefix(6), file: lost.file)
    cut.end()
    #expect(throws: ProtocolError.self) { try cut.next() }
    #expect(lost.isClosedElsewhere())
    let long = Conversation()
    let second = Sent()
    try long.send([0xFF, 0xFF, 0xFF, 0xFF, 1], file: second.file)
    #expect(throws: ProtocolError.self) { try long.next() }
    #expect(second.isClosedElsewhere())
  }
}
