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
    #expect(similar.map(\.members) == [[0, 2, 3, 4]])
    #expect(similar.map(\.distances) == [[0, 2, 0, 6]])
    #expect(similar.map(\.turns) == [[nil, nil, nil, nil]])
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

  @Test("A copy that is turned is found by its hash turned back, and told with how it is turned")
  func turned() throws {
    let best = PerceptualHash(bits: Self.first)
    let quarter = try #require(PictureTurn.all.first)
    // What a turned picture's hash is is not known to the bit.
    let copy = PerceptualHash(bits: best.turned(by: quarter).bits ^ 0b1001_0110)
    let other = PerceptualHash(bits: ~best.turned(by: quarter).bits)
    let (wide, high) = (PixelSize(width: 400, height: 300), PixelSize(width: 300, height: 400))
    var similar = SimilarPictures([best, other, copy])
    #expect(similar.groups(within: 10).isEmpty)
    let candidates = similar.turnedCandidates(within: 8, sizes: [wide, high, high])
    let turned = SimilarPictures.Turned(picture: 2, turn: quarter)
    #expect(candidates == [turned])
    // A quarter turn swaps the sides; of a picture whose size is not known any may be.
    #expect(!similar.turnedCandidates(within: 8, sizes: [wide, wide, wide]).contains(turned))
    #expect(similar.turnedCandidates(within: 8, sizes: [wide, nil, nil]).contains(turned))
    similar.add(PerceptualHash(bits: best.bits ^ 1), of: turned)
    let groups = similar.groups(within: 8)
    #expect(groups.map(\.members) == [[0, 2]])
    #expect(groups.map(\.distances) == [[0, 1]])
    #expect(groups.map(\.turns) == [[nil, quarter]])
    similar = SimilarPictures([best, copy])
    similar.add(best, of: SimilarPictures.Turned(picture: 1, turn: quarter))
    #expect(similar.groups(within: 0).map(\.isExact) == [false])
  }

  @Test("What looks alike upright is not told as turned")
  func symmetric() {
    let best = PerceptualHash(bits: Self.first)
    let near = PerceptualHash(bits: Self.first ^ 0b111)
    var similar = SimilarPictures([best, near])
    similar.add(best, of: SimilarPictures.Turned(picture: 1, turn: .transposition))
    #expect(similar.groups(within: 8).map(\.turns) == [[nil, nil]])
    #expect(similar.groups(within: 8).map(\.distances) == [[0, 3]])
    #expect(similar.groups(within: 2).map(\.turns) == [[nil, .transposition]])
  }

  @Test("Two pictures that a person called different are in no group together; the nearer one is")
  func distinguished() {
    let hash = Self.first
    let list = [hash, hash ^ 0b1111, hash ^ 0b1, hash ^ 0b11].map { PerceptualHash(bits: $0) }
    let similar = SimilarPictures(list)
    func groups(_ pairs: [(Int, Int)]) -> [[Int]] {
      var distinguished: [Int: Set<Int>] = [:]
      for (one, other) in pairs {
        distinguished[one, default: []].insert(other)
        distinguished[other, default: []].insert(one)
      }
      return similar.groups(within: 6, distinguished: distinguished).map(\.members)
    }
    #expect(groups([]) == [[0, 1, 2, 3]])
    #expect(groups([(0, 1)]) == [[0, 2, 3]])
    // The second is further away than the third, and with the fourth it may still be.
    #expect(groups([(1, 2)]) == [[0, 2, 3]])
    #expect(groups([(0, 1), (0, 2), (0, 3)]) == [[1, 2, 3]])
    #expect(groups([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]).isEmpty)
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

  @Test("Turned copies are found, of 4,000 pictures within 2 seconds, of 20,000 within 10")
  func manyTurned() {
    var generator = SeededGenerator()
    let count = Amount.of(4_000, all: 20_000)
    var list = (0..<count).map { _ in
      PerceptualHash(bits: UInt64.random(in: .min ... .max, using: &generator))
    }
    for (index, turn) in PictureTurn.all.enumerated() {
      list[count - 1 - index] = list[index].turned(by: turn)
    }
    let similar = SimilarPictures(list)
    let sizes = [PixelSize?](repeating: nil, count: count)
    var candidates: [SimilarPictures.Turned] = []
    let seconds = processorSeconds {
      candidates = similar.turnedCandidates(within: 8, sizes: sizes)
    }
    for (index, turn) in PictureTurn.all.enumerated() {
      #expect(candidates.contains(SimilarPictures.Turned(picture: count - 1 - index, turn: turn)))
    }
    #expect(seconds < (Amount.isAll ? 10 : 2), "\(seconds) s")
  }
}
