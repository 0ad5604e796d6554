import MediaTestSupport
import MediaWorkerProtocol
import Testing

@Suite("Frames")
struct FrameReaderTests {
  private func frame(_ content: [UInt8]) -> [UInt8] {
    little(content.count) + content
  }

  private func append(_ bytes: some Collection<UInt8>, to reader: inout FrameReader) {
    Array(bytes).withUnsafeBytes { reader.append($0) }
  }

  @Test("Frames come out whole, however the stream is cut", arguments: 1...40)
  func anyCut(_ pieceLength: Int) throws {
    let contents: [[UInt8]] = [[1], Array(repeating: 2, count: 30), [3, 3], Array(0..<100), [5]]
    let stream = contents.flatMap(frame)
    var reader = FrameReader()
    var frames: [[UInt8]] = []
    var remaining = stream[...]
    while !remaining.isEmpty {
      append(remaining.prefix(pieceLength), to: &reader)
      remaining = remaining.dropFirst(pieceLength)
      while let next = try reader.next() { frames.append(Array(next)) }
    }
    #expect(frames == contents)
    #expect(try reader.next() == nil)
  }

  @Test("A length of nothing or over the maximum is refused before its bytes have come")
  func lengths() throws {
    for length in [UInt32(0), UInt32(FrameReader.maximumLength) + 1, .max, 1 << 31] {
      var reader = FrameReader()
      append(little(Int(length)), to: &reader)
      #expect(throws: ProtocolError.self, "\(length)") { try reader.next() }
    }
    for length in [1, FrameReader.maximumLength - 1, FrameReader.maximumLength] {
      var reader = FrameReader()
      let whole = frame(Array(repeating: 7, count: length))
      append(whole.dropLast(), to: &reader)
      #expect(try reader.next() == nil)
      append([7], to: &reader)
      #expect(try reader.next()?.count == length)
    }
  }

  @Test("Many large frames need no more memory than a few")
  func manyFrames() throws {
    var reader = FrameReader()
    let whole = frame(Array(repeating: 1, count: 1 << 19))
    for _ in 0..<40 {
      append(whole, to: &reader)
      #expect(try reader.next()?.count == 1 << 19)
      #expect(try reader.next() == nil)
    }
  }
}
