import Foundation
import MediaSandbox
import MediaTestSupport
import Testing

@Suite("Passing descriptors")
struct DescriptorPassingTests {
  /// Two ends of a stream, closed at the end; the first does not block.
  private final class Pair {
    let ends: [Int32]

    init() {
      var ends: [Int32] = [-1, -1]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      self.ends = ends
    }

    deinit { for end in ends { close(end) } }
  }

  private func send(
    _ text: String,
    descriptor: Int32? = nil,
    over socket: Int32
  ) throws -> Int? {
    try Array(text.utf8).withUnsafeBytes {
      try DescriptorPassing.send($0, descriptor: descriptor, over: socket)
    }
  }

  private func receive(
    over socket: Int32,
    acceptDescriptor: Bool
  ) throws -> (text: String, descriptor: Int32?)? {
    var buffer = [UInt8](repeating: 0, count: 64)
    let received = try buffer.withUnsafeMutableBytes {
      try DescriptorPassing.receive(into: $0, over: socket, acceptDescriptor: acceptDescriptor)
    }
    return received.map {
      (String(decoding: buffer.prefix($0.count), as: UTF8.self), $0.descriptor)
    }
  }

  private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  @Test("A descriptor arrives with the bytes, close-on-exec, and reads the same file")
  func roundTrip() throws {
    let pair = Pair()
    let folder = TemporaryFolder()
    try Data("photo".utf8).write(to: URL(fileURLWithPath: folder.path + "/a"))
    let file = open(folder.path + "/a", O_RDONLY | O_CLOEXEC)
    #expect(try send("job", descriptor: file, over: pair.ends[0]) == 3)
    close(file)
    let received = try #require(try receive(over: pair.ends[1], acceptDescriptor: true))
    #expect(received.text == "job")
    let descriptor = try #require(received.descriptor)
    defer { close(descriptor) }
    #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(read(descriptor, &buffer, 16) == 5)
    #expect(write(descriptor, buffer, 1) == -1)
  }

  @Test("Bytes without a descriptor bring none")
  func bytesOnly() throws {
    let pair = Pair()
    #expect(try send("answer", over: pair.ends[1]) == 6)
    let received = try #require(try receive(over: pair.ends[0], acceptDescriptor: true))
    #expect(received.text == "answer")
    #expect(received.descriptor == nil)
  }

  @Test("A side that accepts no descriptor gets the bytes, and the kernel closes what was sent")
  func notAccepted() throws {
    let pair = Pair()
    // The kernel's own witness: a pipe's reader sees the end when its last writer is closed.
    var pipeEnds: [Int32] = [-1, -1]
    #expect(pipe(&pipeEnds) == 0)
    #expect(try send("x", descriptor: pipeEnds[1], over: pair.ends[1]) == 1)
    close(pipeEnds[1])
    let received = try #require(try receive(over: pair.ends[0], acceptDescriptor: false))
    #expect(received.text == "x")
    #expect(received.descriptor == nil)
    var entry = pollfd(fd: pipeEnds[0], events: 0, revents: 0)
    #expect(poll(&entry, 1, 60_000) == 1)
    #expect(entry.revents & Int16(POLLHUP) != 0)
    close(pipeEnds[0])
  }

  @Test("More than one descriptor is an error and none stays open", arguments: [2, 3, 10])
  func tooMany(count: Int) throws {
    let pair = Pair()
    var pipeEnds: [Int32] = [-1, -1]
    #expect(pipe(&pipeEnds) == 0)
    #expect(sendMany([Int32](repeating: pipeEnds[1], count: count), over: pair.ends[0]) == 1)
    close(pipeEnds[1])
    let error = #expect(throws: SandboxError.self) {
      try receive(over: pair.ends[1], acceptDescriptor: true)
    }
    #expect(error?.code == .unexpectedDescriptors)
    var entry = pollfd(fd: pipeEnds[0], events: 0, revents: 0)
    #expect(poll(&entry, 1, 60_000) == 1)
    #expect(entry.revents & Int16(POLLHUP) != 0)
    close(pipeEnds[0])
  }

  @Test("An end that does not block answers nil; the other side's end is 0 bytes")
  func emptyAndEnd() throws {
    let pair = Pair()
    #expect(try receive(over: pair.ends[0], acceptDescriptor: false) == nil)
    shutdown(pair.ends[1], Int32(SHUT_RDWR))
    let received = try #require(try receive(over: pair.ends[0], acceptDescriptor: false))
    #expect(received.text.isEmpty)
  }

  @Test("A full socket answers nil and takes what is left later, byte for byte")
  func backPressure() throws {
    let pair = Pair()
    let message = [UInt8](repeating: 7, count: 1 << 20)
    var sent = 0
    while let count = try message.withUnsafeBytes({
      try DescriptorPassing.send($0, over: pair.ends[0])
    }) { sent += count }
    #expect(sent > 0)
    var received = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while received < sent { received += max(0, read(pair.ends[1], &buffer, buffer.count)) }
    #expect(received == sent)
    #expect(try send("x", over: pair.ends[0]) == 1)
  }

  @Test("Sending to a side that has ended is EPIPE and no signal")
  func ended() throws {
    let pair = Pair()
    shutdown(pair.ends[1], Int32(SHUT_RDWR))
    let error = #expect(throws: SandboxError.self) { try send("x", over: pair.ends[0]) }
    #expect(error?.code == .sendFailed)
    #expect(error?.number == EPIPE)
  }

  @Test("No bytes, no message: an error on both sides")
  func noBytes() {
    let pair = Pair()
    #expect(throws: SandboxError.self) { try send("", over: pair.ends[0]) }
    #expect(throws: SandboxError.self) {
      try DescriptorPassing.receive(
        into: UnsafeMutableRawBufferPointer(start: nil, count: 0),
        over: pair.ends[1],
        acceptDescriptor: true
      )
    }
  }

  /// What a program that does not use this module could send. Source: cmsg(3), struct cmsghdr.
  private func sendMany(_ descriptors: [Int32], over socket: Int32) -> Int {
    let dataSize = descriptors.count * MemoryLayout<Int32>.size
    let headerSize = MemoryLayout<cmsghdr>.size
    var control = [UInt8](repeating: 0, count: (headerSize + dataSize + 7) / 8 * 8)
    var byte: UInt8 = 120
    return control.withUnsafeMutableBytes { control in
      control.storeBytes(of: headerSize + dataSize, as: Int.self)
      control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      control.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
      for (index, descriptor) in descriptors.enumerated() {
        control.storeBytes(of: descriptor, toByteOffset: headerSize + index * 4, as: Int32.self)
      }
      return withUnsafeMutablePointer(to: &byte) { byte in
        var part = iovec(iov_base: byte, iov_len: 1)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return sendmsg(socket, &message, 0)
        }
      }
    }
  }
}
