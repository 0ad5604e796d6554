import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("What a zlib stream holds")
struct InflateTests {
  /// Made with Python's zlib, level 9 (a dynamic block) and strategy Z_FIXED.
  static let streams: [(String, [UInt8])] = [
    (
      "dynamic",
      [
        120, 218, 181, 140, 87, 118, 197, 32, 16, 67, 113, 1, 108, 138, 1, 247, 246, 236, 87, 211,
        246, 191, 192, 12, 40, 39, 89, 65, 190, 164, 185, 35, 137, 101, 121, 81, 114, 33, 171, 90,
        105, 195, 254, 231, 208, 214, 5, 145, 21, 92, 214, 218, 86, 202, 52, 158, 203, 188, 20, 209,
        17, 112, 228, 240, 114, 4, 162, 195, 203, 107, 155, 66, 120, 5, 131, 62, 94, 45, 67, 31,
        175, 52, 109, 125, 87, 233, 38, 244, 202, 230, 60, 153, 218, 184, 150, 76, 33, 162, 25, 148,
        245, 209, 148, 146, 76, 55, 234, 38, 25, 4, 39, 131, 6, 130, 51, 67, 3, 65, 147, 161, 129,
        233, 46, 23, 170, 105, 199, 181, 182, 97, 48, 190, 47, 164, 118, 221, 180, 17, 138, 160,
        172, 8, 205, 187, 118, 41, 195, 35, 90, 46, 6, 25, 212, 14, 134, 12, 106, 109, 134, 76, 66,
        238, 119, 186, 233, 102, 63, 172, 69, 101, 219, 105, 191, 41, 215, 155, 48, 110, 101, 164,
        151, 187, 246, 137, 114, 162, 203, 241, 48, 160, 66, 83, 252, 124, 50, 80, 25, 227, 215, 57,
        3, 77, 241, 126, 201, 65, 255, 166, 135, 237, 246, 174, 252, 232, 72, 75, 210, 253, 254,
        161, 67, 82, 174, 195, 116, 121, 124, 26, 168, 48, 237, 124, 60, 191, 24, 84, 218, 110, 57,
        95, 71, 6, 173, 154, 126, 189, 46, 103, 158, 244, 173, 166, 41, 210, 34, 234, 207, 244, 55,
        8, 88, 31, 152,
      ]
    ),
    (
      "fixed",
      [
        120, 1, 99, 96, 100, 98, 102, 97, 101, 99, 231, 224, 228, 226, 230, 97, 160, 13, 135, 155,
        151, 95, 144, 141, 145, 153, 149, 157, 147, 155, 151, 131, 139, 135, 79, 128, 149, 157, 137,
        133, 13, 196, 2, 10, 240, 3, 89, 16, 41, 126, 160, 0, 136, 5, 145, 18, 224, 230, 5, 43, 130,
        72, 9, 242, 64, 244, 67, 164, 132, 24, 32, 250, 33, 82, 96, 163, 121, 5, 132, 57, 184, 249,
        4, 69, 184, 120, 153, 88, 193, 12, 78, 30, 126, 33, 32, 131, 153, 13, 196, 16, 229, 226, 21,
        0, 49, 88, 216, 129, 12, 97, 49, 110, 62, 48, 3, 162, 80, 156, 7, 162, 3, 162, 80, 130, 1,
        162, 3, 162, 144, 135, 17, 162, 3, 98, 180, 48, 19, 27, 23, 159, 144, 152, 20, 39, 175, 160,
        40, 143, 128, 8, 51, 59, 55, 191, 176, 184, 52, 80, 8, 36, 192, 194, 1, 20, 146, 144, 225,
        230, 7, 171, 97, 5, 9, 73, 202, 242, 64, 212, 64, 180, 201, 49, 64, 212, 64, 180, 9, 49, 66,
        212, 128, 133, 248, 225, 70, 243, 9, 75, 8, 136, 74, 49, 115, 240, 10, 137, 203, 40, 114,
        241, 139, 240, 8, 138, 73, 179, 128, 68, 101, 149, 184, 5, 192, 162, 172, 64, 81, 73, 57,
        101, 30, 136, 40, 27, 55, 80, 185, 188, 10, 3, 68, 148, 29, 164, 92, 65, 130, 17, 34, 10,
        86, 46, 34, 201, 4, 17, 69, 24, 45, 42, 173, 168, 206, 37, 32, 198, 15, 164, 89, 128, 180,
        140, 146, 6, 183, 32, 152, 102, 229, 22, 20, 151, 85, 214, 228, 129, 208, 108, 60, 66, 18,
        114, 42, 90, 12, 16, 154, 157, 87, 88, 82, 94, 85, 142, 17, 66, 115, 240, 137, 72, 41, 72,
        202, 51, 129, 105, 53, 78, 160, 81, 64, 154, 25, 68, 67, 141, 6, 0, 8, 88, 31, 152,
      ]
    ),
  ]

  @Test("A stream of each kind of block is read, and its length told", arguments: 0..<3)
  func kinds(index: Int) throws {
    let expected = Self.plain
    let stream = index < 2 ? Self.streams[index].1 : Zlib.stored(expected)
    #expect(try content(stream + [9, 9, 9], limit: 10_000) == expected)
    #expect(try content(stream, limit: expected.count) == expected)
    #expect(code { _ = try content(stream, limit: expected.count - 1) } == .overLimit)
    let reader = try #require(ZlibStream(ByteSource(stream + [9, 9, 9])))
    #expect(reader.count(limit: expected.count) == expected.count)
    #expect(reader.state == .ended)
    #expect(reader.position == stream.count)
  }

  private func content(_ stream: [UInt8], limit: Int) throws(MetadataError) -> [UInt8] {
    try ZlibStream.content(of: ByteSource(stream), limit: limit)
  }

  @Test("A stream that is cut, or has one byte changed, is refused or ends", arguments: 0..<2)
  func broken(index: Int) {
    let stream = Self.streams[index].1
    for length in stream.indices {
      #expect(code { _ = try content(Array(stream[..<length]), limit: 10_000) } == .damaged)
    }
    for offset in stream.indices {
      for flip in [UInt8(1), 0x10, 0x80, 0xFF] {
        var changed = stream
        changed[offset] ^= flip
        let result = try? content(changed, limit: 10_000)
        #expect(result == nil || result == Self.plain)
      }
    }
  }

  @Test(
    "A stored stream of every block boundary is read back",
    arguments: [
      0, 1, 65_534, 65_535, 65_536, 200_000,
    ]
  )
  func stored(length: Int) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let stream = Zlib.stored(bytes)
    #expect(try content(stream, limit: length) == bytes)
    #expect(ZlibStream(ByteSource(stream))?.count(limit: length) == length)
  }

  @Test("A header with another method or a preset dictionary is refused")
  func headers() {
    let raw = Self.streams[0].1.dropFirst(2)
    // Method 7; a dictionary; a check that is no multiple of 31.
    for header: [UInt8] in [[0x77, 0x85], [0x78, 0xBB], [0x78, 0xDB]] {
      #expect(code { _ = try content(header + raw, limit: 10_000) } == .damaged)
    }
    #expect(code { _ = try content([], limit: 10_000) } == .damaged)
  }

  @Test("A wrong checksum is an error only where checksums are checked; a missing one ends, too")
  func checksums() throws {
    let stream = Self.streams[0].1
    let wrong = stream.dropLast() + [stream[stream.count - 1] ^ 1]
    #expect(code { _ = try content(Array(wrong), limit: 10_000) } == .damaged)
    for bytes in [stream, Array(wrong), Array(stream.dropLast(3)), Array(stream.dropLast(4))] {
      let reader = try #require(ZlibStream(ByteSource(bytes), checksAdler: false))
      #expect(reader.count(limit: 10_000) == Self.plain.count)
      #expect(reader.state == .ended)
      #expect(reader.position == stream.count)
    }
  }

  @Test("A stream is inflated no further than the limit and a piece")
  func bomb() throws {
    // 64 MiB of zeros: the block's header, then codes for 258 zeros of one bit each.
    let stored = Zlib.stored([UInt8](repeating: 0, count: 64 << 20))
    let reader = try #require(ZlibStream(ByteSource(stored)))
    let count = reader.count(limit: 1000)
    #expect(count > 1000 && count <= 1 << 20)
    #expect(reader.state == .running)
    #expect(reader.position <= 1 << 20)
  }

  @Test("A stream is read across the ends of what holds it, into buffers of every length")
  func pieces() throws {
    let stream = Self.streams[1].1
    let source = ByteSource([0] + stream)
    for length in 1...7 {
      let parts = stride(from: 1, to: source.length, by: length).map {
        $0..<min($0 + length, source.length)
      }
      let reader = try #require(ZlibStream(ByteSource(joining: parts, of: source)))
      var content: [UInt8] = []
      while reader.state == .running {
        content += [UInt8](unsafeUninitializedCapacity: length) { room, count in
          count = reader.read(into: UnsafeMutableBufferPointer(rebasing: room[..<length]))
        }
      }
      #expect(content == Self.plain)
      #expect(reader.state == .ended)
    }
  }

  /// 600 bytes with repetitions near and far.
  static let plain: [UInt8] = (0..<600).map { (index: Int) -> UInt8 in
    let far = index % 7 * (index / 100)
    return UInt8(far + index % 13)
  }
}
