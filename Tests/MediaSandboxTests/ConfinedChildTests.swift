import Glibc
import MediaWorkerProtocol
import Testing

@testable import MediaSandbox

@Suite("A conversation with a confined process")
struct ConfinedChildTests {
  /// The terms of a process that is played by each test.
  private enum Echo: ServiceTerms {
    struct Word: WireValue, Hashable {
      var text: String

      init(_ text: String) { self.text = text }
      func put(into writer: inout WireWriter) { writer.put(text) }
      init(from reader: inout WireReader) throws(ProtocolError) {
        text = try reader.text(limit: 100)
      }
    }
    typealias Task = Word
    typealias Request = Word
    typealias Answer = Word

    static let argument = "echo"
    static let fileCounts = 0...2
  }

  /// The ends of a conversation; a blocking one is the process's.
  private final class Ends {
    let child: ConfinedChild<Echo>
    let process: Int32
    private let own: Int32

    init() throws {
      let ends = try DescriptorPassing.pair()
      (own, process) = (ends.unblocking, ends.blocking)
      child = ConfinedChild(socket: own)
    }

    deinit {
      close(own)
      close(process)
    }

    func send(_ bytes: [UInt8]) { #expect(DescriptorPassing.sendAll(bytes, over: process)) }
    func greet() { send(Confinement(refusal: nil).frame) }
  }

  private static func code(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "none"
    } catch let error as SandboxError {
      return "\(error.code.rawValue) \(error.numberName)"
    } catch {
      return "\(error)"
    }
  }

  @Test("Answers come one by one, also when they arrive together or in parts")
  func answers() throws {
    let ends = try Ends()
    #expect(try ends.child.next(milliseconds: 0) == nil)
    ends.greet()
    #expect(try ends.child.next(milliseconds: 1000) == nil)
    let frames = Echo.Word("a").frame + Echo.Word("b").frame
    ends.send(Array(frames.dropLast()))
    #expect(try ends.child.answer(within: 60) == Echo.Word("a"))
    #expect(try ends.child.next(milliseconds: 0) == nil)
    ends.send([frames[frames.count - 1]])
    #expect(try ends.child.answer(within: 60) == Echo.Word("b"))
  }

  @Test("A process that could not be confined says why, and nothing else that it says is read")
  func refusal() throws {
    let ends = try Ends()
    let refusal = SandboxError(.ruleRefused, number: ENOENT, subject: "a folder")
    #expect(refusal.isOfConfinement)
    ends.send(Confinement(refusal: refusal).frame + Echo.Word("a").frame)
    #expect(throws: refusal) { try ends.child.answer(within: 60) }
  }

  @Test("What no such process says ends the conversation", arguments: [false, true])
  func breaches(isConfined: Bool) throws {
    for bytes in [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [2, 0, 0, 0, 7, 7]] as [[UInt8]] {
      let ends = try Ends()
      if isConfined { ends.greet() }
      ends.send(bytes)
      #expect(Self.code { _ = try ends.child.answer(within: 60) } == "receiveFailed EPROTO")
    }
    let ends = try Ends()
    if isConfined { ends.greet() }
    ends.send(Array(Echo.Word("a").frame.dropLast()))
    shutdown(ends.process, Int32(SHUT_WR))
    #expect(Self.code { _ = try ends.child.answer(within: 60) } == "receiveFailed EPIPE")
  }

  @Test("A process that says nothing is given up")
  func silence() throws {
    let ends = try Ends()
    ends.greet()
    #expect(Self.code { _ = try ends.child.answer(within: 0) } == "receiveFailed ETIMEDOUT")
  }

  @Test("Files come before a task, each by itself, and a request may have one")
  func files() throws {
    let ends = try Ends()
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(null) }
    try ends.child.begin(Echo.Word("task"), files: [null, null])
    for mark in [1, 1, 0] as [UInt8] {
      let (bytes, file) = try #require(DescriptorPassing.receiveAll(1, over: ends.process))
      #expect(bytes == [mark] && (file != nil) == (mark == 1))
      if let file { close(file) }
    }
    let task = Echo.Word("task").frame
    #expect(DescriptorPassing.receiveAll(task.count, over: ends.process)?.bytes == task)
    try ends.child.send(Echo.Word("request"), file: null)
    let (_, file) = try #require(DescriptorPassing.receiveAll(4, over: ends.process))
    #expect(file != nil)
    if let file { close(file) }
  }
}
