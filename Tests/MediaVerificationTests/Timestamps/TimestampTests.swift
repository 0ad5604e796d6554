import MediaTestSupport
import Testing

@testable import MediaVerification

@Suite("Timestamps")
struct TimestampTests {
  private let imprint = (0..<32).map { UInt8($0) }

  @Test("A request has the digest and a nonce of its own, and is read back")
  func request() throws {
    let first = try TimestampRequest(imprint: imprint)
    let second = try TimestampRequest(imprint: imprint)
    #expect(first.imprint == imprint && first.nonce.utf8.count == 16)
    #expect(first.nonce != second.nonce)
    #expect(try TimestampRequest(first.bytes) == first)
    #expect(throws: TimestampError.self) { try TimestampRequest(imprint: [1, 2, 3]) }
  }

  @Test("What is no response, or no request, is refused with a reason, whatever its bytes are")
  func hostile() throws {
    var generator = SeededGenerator(seed: 3161)
    let request = try TimestampRequest(imprint: imprint).bytes
    var inputs: [[UInt8]] = [[], [0x30], [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]]
    inputs.append([UInt8](repeating: 0x30, count: 100_000))
    inputs.append([UInt8](repeating: 0, count: Timestamp.maximumByteCount + 1))
    for _ in 0..<2_000 {
      var bytes = request
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      inputs.append(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))))
    }
    for input in inputs {
      do {
        _ = try Timestamp(input)
        Issue.record("\(input) was taken for a response")
      } catch {
        #expect(!error.description.isEmpty && error.kind == .invalid)
      }
      _ = try? TimestampRequest(input)
    }
    #expect(throws: TimestampError.self) { try TimestampRequest(request + [0]) }
  }

  @Test("Whether the library is missing is no matter of the words of a reason")
  func kinds() {
    let words = "OpenSSL's libcrypto.so.3 cannot be loaded; install the Debian package libssl3"
    #expect(TimestampError(reason: words, isAvailable: true).kind == .invalid)
    #expect(TimestampError(reason: "", isAvailable: false).kind == .unavailable)
  }
}
