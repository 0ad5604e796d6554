import MediaModel
import MediaTestSupport
import Testing

@Suite("The search for bytes")
struct ByteSearchTests {
  /// Where some bytes first stand in others, by comparing them at every place.
  private static func offset(of bytes: [UInt8], in all: [UInt8]) -> Int? {
    (0...max(0, all.count)).first { all.dropFirst($0).starts(with: bytes) }
  }

  @Test("Bytes are found where they first stand, as by a comparison at every place")
  func sameAsComparing() {
    var random = SeededGenerator()
    for _ in 0..<20_000 {
      // Of few letters, so that beginnings are repeated.
      let all = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 97...99, using: &random)
      }
      let bytes = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        UInt8.random(in: 97...99, using: &random)
      }
      let offset = all.withUnsafeBytes { ByteSearch(bytes).offset(in: $0) }
      #expect(offset == Self.offset(of: bytes, in: all))
    }
  }

  @Test("More bytes than a step has are found", arguments: [254, 255, 256, 257, 1000])
  func long(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let all = [UInt8](repeating: 7, count: 3000) + bytes + [1]
    #expect(all.withUnsafeBytes { ByteSearch(bytes).offset(in: $0) } == Self.offset(of: bytes, in: all))
  }
}
