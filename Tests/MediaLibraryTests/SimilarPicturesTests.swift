import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary

@Suite("Groups of similar pictures")
struct SimilarPicturesTests {
  private func groups(_ bits: [UInt64], within distance: Int) -> [[Int]] {
    SimilarPictures(bits.map { PerceptualHash(bits: $0) }).groups(within: distance).map(\.members)
  }

  private static let first: UInt64 = 0x9A3C_55E1_0F77_B2D4

  @Test("A group is what looks like its best picture, which comes first")
  func distances() {
    let hash = Self.first
    let list = [hash ^ 0b11, ~hash, hash, hash ^ 0b11, hash ^ 0xFF]
    let similar = SimilarPictures(list.map { PerceptualHash(bits: $0) }).groups(within: 6)
    #expect(similar == [SimilarPictures.Group(members: [0, 2, 3, 4], distances: [0, 2, 0, 6])])
    #expect(!similar[0].isExact)
    #expect(groups(list, within: 5) == [[0, 2, 3]])
    let exact = SimilarPictures(list.map { PerceptualHash(bits: $0) }).groups(within: 0)
    #expect(exact.map(\.members) == [[0, 3]])
    #expect(exact.map(\.isExact) == [true])
    #expect(groups([], within: 6).isEmpty && groups([hash], within: 6).isEmpty)
  }

  @Test("A chain of pictures is no group: each member looks like the first")
  func chains() {
    let hash = Self.first
    // Each differs from its neighbors in 4 bits, and in 8 from the next one.
    #expect(groups([hash, hash ^ 0xF, hash ^ 0xFF, hash ^ 0xFFF], within: 4) == [[0, 1], [2, 3]])
  }

  @Test("A picture that is nearly of one color is in no group")
  func plain() {
    #expect(groups([0, 0, Self.first, 0, Self.first], within: 10) == [[2, 4]])
  }

  @Test("The groups are those of comparing each with each, at every distance")
  func agree() {
    var generator = SeededGenerator()
    for distance in [0, 1, 3, 4, 6, 8, 10, 99] {
      // Near the first of each cluster, and with bits that fall into one quarter or all.
      let list: [UInt64] = (0..<400).map { index in
        var bits = Self.first &* UInt64(index % 40 + 1)
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
          bits ^= 1 << UInt64.random(in: 0..<(index % 2 == 0 ? 64 : 16), using: &generator)
        }
        return bits
      }
      let limit = min(distance, SimilarPictures.mostDistance)
      var isTaken = [Bool](repeating: false, count: list.count)
      var expected: [[Int]] = []
      for best in list.indices where !isTaken[best] {
        let members = list.indices.filter { other in
          !isTaken[other] && (list[best] ^ list[other]).nonzeroBitCount <= limit
        }
        for member in members { isTaken[member] = true }
        if members.count > 1 { expected.append(members) }
      }
      #expect(groups(list, within: distance) == expected, "\(distance)")
    }
  }

  @Test("100,000 pictures are grouped within 2 seconds, whatever may differ")
  func many() {
    var generator = SeededGenerator()
    let count = Amount.of(20_000, all: 100_000)
    let list = (0..<count).map { index -> UInt64 in
      let bits = UInt64.random(in: .min ... .max, using: &generator)
      return index % 10 == 0 ? Self.first ^ (bits & 0x0101) : bits
    }
    let hashes = list.map { PerceptualHash(bits: $0) }
    let seconds = processorSeconds {
      #expect(SimilarPictures(hashes).groups(within: 10).first?.members.count ?? 0 >= count / 10)
    }
    #expect(seconds < 2, "\(seconds) s")
  }
}
