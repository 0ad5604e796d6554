package import MediaModel

/// Finds pictures that look alike among many, by their perceptual hashes.
///
/// Of two hashes that differ in few bits one of the four quarters differs in at most a fourth of these: only those
/// pictures are compared that have such a quarter, so that 100,000 take 0.4 s at 6 bits, and 1.6 s at 10.
///
/// Source: M. Norouzi, A. Punjani, D. J. Fleet, "Fast exact search in Hamming space with multi-index hashing",
/// IEEE TPAMI 36 (2014).
package struct SimilarPictures {
  /// Pictures that look like the first of them, the best.
  package struct Group: Sendable, Hashable {
    /// The places of the pictures in the list, the best first.
    package var members: [Int]
    /// The number of bits in which each differs from the first; 0 is the same picture to a person.
    package var distances: [Int]

    /// Whether all have the same hash.
    package var isExact: Bool { distances.allSatisfy { $0 == 0 } }
  }

  /// The most bits in which hashes of one group may differ from that of its best picture.
  package static let mostDistance = 10

  /// The hashes, each once, in the order of the list.
  private var hashes: [PerceptualHash] = []
  /// The pictures of each hash.
  private var pictures: [[Int]] = []

  /// - Parameter list: The hash of each picture, the best picture first; ``PerceptualHash/plain`` for one that is
  ///   like no other.
  package init(_ list: [PerceptualHash]) {
    var indexes: [PerceptualHash: Int] = [:]
    for (picture, hash) in list.enumerated() where hash != .plain {
      if let index = indexes[hash] {
        pictures[index].append(picture)
      } else {
        indexes[hash] = hashes.count
        hashes.append(hash)
        pictures.append([picture])
      }
    }
  }

  /// Groups the pictures.
  ///
  /// The best picture that is in no group yet takes all that look like it and are in none: a group has no chain in
  /// which the last looks like the first no more, and a picture is in one group at most.
  ///
  /// - Parameter distance: The most bits in which a hash may differ, 0 to ``mostDistance``.
  /// - Returns: The groups of at least two pictures, in the order of their best ones.
  package func groups(within distance: Int) -> [Group] {
    let distance = min(max(distance, 0), Self.mostDistance)
    let quarters = distance == 0 ? [] : (0..<4).map { Quarter(of: hashes, shift: 16 * $0) }
    // Were each of the first quarters further away than that, and each other one as far, the sum would be above the
    // distance.
    let masks = (0..<4).map { number in
      let radius = distance / 4 - (number <= distance % 4 ? 0 : 1)
      return (UInt16.min...UInt16.max).filter { $0.nonzeroBitCount <= radius }
    }
    var isTaken = [Bool](repeating: false, count: hashes.count)
    var groups: [Group] = []
    for best in hashes.indices where !isTaken[best] {
      isTaken[best] = true
      var taken = [best]
      for (number, quarter) in quarters.enumerated() {
        for mask in masks[number] {
          for index in quarter.range(of: quarter.value(hashes[best]) ^ mask) {
            let other = Int(quarter.sorted[index])
            if isTaken[other] || hashes[best].distance(to: hashes[other]) > distance { continue }
            isTaken[other] = true
            taken.append(other)
          }
        }
      }
      let members = taken.flatMap { index in
        let away = hashes[best].distance(to: hashes[index])
        return pictures[index].map { (picture: $0, away: away) }
      }.sorted { $0.picture < $1.picture }
      guard members.count > 1 else { continue }
      groups.append(Group(members: members.map(\.picture), distances: members.map(\.away)))
    }
    return groups
  }

  /// The places of hashes by 16 of their bits.
  private struct Quarter {
    private let shift: Int
    /// The places, sorted by the value of these bits.
    private(set) var sorted: [Int32]
    /// The first place of each value in ``sorted``, and the end.
    private var starts: [Int32]

    init(of hashes: [PerceptualHash], shift: Int) {
      self.shift = shift
      starts = [Int32](repeating: 0, count: 1 << 16 + 1)
      sorted = [Int32](repeating: 0, count: hashes.count)
      for hash in hashes { starts[Int(value(hash)) + 1] += 1 }
      for index in 1..<starts.count { starts[index] += starts[index - 1] }
      var next = starts
      for (index, hash) in hashes.enumerated() {
        let value = Int(value(hash))
        sorted[Int(next[value])] = Int32(truncatingIfNeeded: index)
        next[value] += 1
      }
    }

    func value(_ hash: PerceptualHash) -> UInt16 { UInt16(truncatingIfNeeded: hash.bits >> shift) }

    /// Where the places of a value are in ``sorted``.
    func range(of value: UInt16) -> Range<Int> {
      Int(starts[Int(value)])..<Int(starts[Int(value) + 1])
    }
  }
}
