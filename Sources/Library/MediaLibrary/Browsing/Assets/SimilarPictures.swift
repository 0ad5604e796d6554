package import MediaModel

/// Finds pictures that look alike among many, by their perceptual hashes.
///
/// Of two hashes that differ in few bits one of the four quarters differs in at most a fourth of these: only those
/// pictures are compared that have such a quarter, so that 100,000 take 0.4 s at 6 bits, and 1.6 s at 10.
///
/// A copy that is turned or mirrored has another hash, which its own tells only nearly. So ``turnedCandidates()`` says
/// which pictures may be one, and for each the hash of the picture turned back is added before groups are made.
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
    /// How each is turned against the first; nil of one that is not.
    package var turns: [PictureTurn?]

    /// Whether all have the same hash, and none is turned.
    package var isExact: Bool { distances.allSatisfy { $0 == 0 } && turns.allSatisfy { $0 == nil } }
  }

  /// A picture as it may be turned against a better one.
  package struct Turned: Sendable, Hashable {
    /// Its place in the list.
    package var picture: Int
    package var turn: PictureTurn

    package init(picture: Int, turn: PictureTurn) { (self.picture, self.turn) = (picture, turn) }
  }

  /// The most bits in which hashes of one group may differ from that of its best picture.
  package static let mostDistance = 10

  /// The hash of each picture.
  private let list: [PerceptualHash]
  /// The hashes, each once, in the order of the list.
  private var hashes: [PerceptualHash] = []
  /// The place of each hash in ``hashes``.
  private var indexes: [PerceptualHash: Int] = [:]
  /// The pictures of each hash, also as they are turned.
  private var pictures: [[(picture: Int, turn: PictureTurn?)]] = []

  /// - Parameter list: The hash of each picture, the best picture first; ``PerceptualHash/plain`` for one that is
  ///   like no other.
  package init(_ list: [PerceptualHash]) {
    self.list = list
    for (picture, hash) in list.enumerated() { enter(hash, of: picture, turn: nil) }
  }

  /// Adds the hash of a picture turned back.
  package mutating func add(_ hash: PerceptualHash, of turned: Turned) {
    enter(hash, of: turned.picture, turn: turned.turn)
  }

  private mutating func enter(_ hash: PerceptualHash, of picture: Int, turn: PictureTurn?) {
    if hash == .plain { return }
    if let index = indexes[hash] {
      pictures[index].append((picture, turn))
    } else {
      indexes[hash] = hashes.count
      hashes.append(hash)
      pictures.append([(picture, turn)])
    }
  }

  // MARK: Groups

  /// Groups the pictures.
  ///
  /// The best picture that is in no group yet takes all that look like it and are in none: a group has no chain in
  /// which the last looks like the first no more, and a picture is in one group at most.
  ///
  /// - Parameters:
  ///   - distance: The most bits in which a hash may differ, 0 to ``mostDistance``.
  ///   - distinguished: For a picture those that a person called another one: no group has two of them, but the
  ///     nearest to its best picture.
  /// - Returns: The groups of at least two pictures, in the order of their best ones.
  package func groups(within distance: Int, distinguished: [Int: Set<Int>] = [:]) -> [Group] {
    let search = Search(hashes, within: min(max(distance, 0), Self.mostDistance))
    var isTaken = [Bool](repeating: false, count: list.count)
    // How many pictures of each hash are in no group.
    var left = pictures.map(\.count)
    var groups: [Group] = []
    for best in list.indices where !isTaken[best] && list[best] != .plain {
      // One that has no group has met all that is like it.
      isTaken[best] = true
      var alike: [Int: (distance: Int, turn: PictureTurn?)] = [:]
      search.forEach(near: list[best]) { index in
        if left[index] == 0 { return }
        let away = list[best].distance(to: hashes[index])
        left[index] = 0
        for (picture, turn) in pictures[index] where !isTaken[picture] {
          left[index] += 1
          if let met = alike[picture] {
            // What looks alike upright is told as it is.
            if met.turn == nil || turn != nil && met.distance <= away { continue }
          }
          alike[picture] = (away, turn)
        }
      }
      let members = Self.members(alike, of: best, distinguished)
      if members.isEmpty { continue }
      for picture in members { isTaken[picture] = true }
      groups.append(
        Group(
          members: [best] + members,
          distances: [0] + members.map { alike[$0]?.distance ?? 0 },
          turns: [nil] + members.map { alike[$0]?.turn }
        )
      )
    }
    return groups
  }

  /// The pictures of a group behind its best one, in the order of the list.
  private static func members(
    _ alike: [Int: (distance: Int, turn: PictureTurn?)],
    of best: Int,
    _ distinguished: [Int: Set<Int>]
  ) -> [Int] {
    if distinguished.isEmpty { return alike.keys.sorted() }
    var taken: Set = [best]
    let nearest = alike.sorted { ($0.value.distance, $0.key) < ($1.value.distance, $1.key) }
    for (picture, _) in nearest where distinguished[picture]?.isDisjoint(with: taken) != false {
      taken.insert(picture)
    }
    return taken.subtracting([best]).sorted()
  }

  // MARK: Turned copies

  /// Finds the pictures that may be turned copies of better ones, and the ways in which they may be.
  ///
  /// - Parameters:
  ///   - distance: As of ``groups(within:distinguished:)``: what is that near upright is not looked for.
  ///   - sizes: The size of each picture as it is shown; nil where it is not known. A copy has the same proportions,
  ///     but for 3 %.
  /// - Returns: Each once.
  package func turnedCandidates(within distance: Int, sizes: [PixelSize?]) -> [Turned] {
    let search = Search(hashes, within: PerceptualHash.mostTurnedError)
    // Of a swap of rows and columns the hash is exact.
    let exact = Search(hashes, within: min(max(distance, 0), Self.mostDistance))
    var candidates: Set<Turned> = []
    for hash in hashes {
      guard let ownIndex = indexes[hash] else { continue }
      for turn in PictureTurn.all {
        let turned = hash.turned(by: turn)
        (turn == .transposition ? exact : search).forEach(near: turned) { index in
          // Those that are alike upright are in a group anyway.
          if hash.distance(to: hashes[index]) <= distance { return }
          for (picture, _) in pictures[index] {
            let isBehind = pictures[ownIndex].contains { better, _ in
              better < picture && Self.fits(sizes[better], sizes[picture], turn)
            }
            if isBehind { candidates.insert(Turned(picture: picture, turn: turn)) }
          }
        }
      }
    }
    return candidates.sorted { ($0.picture, $0.turn.text) < ($1.picture, $1.turn.text) }
  }

  /// Whether a picture turned so has the proportions of another one.
  private static func fits(_ one: PixelSize?, _ other: PixelSize?, _ turn: PictureTurn) -> Bool {
    guard let one, let other else { return true }
    let (width, height) = turn.swapsSides ? (one.height, one.width) : (one.width, one.height)
    let (left, right) = (width * other.height, height * other.width)
    return 100 * abs(left - right) <= 3 * max(left, right)
  }

  // MARK: Search

  /// The hashes by their quarters.
  private struct Search {
    private let distance: Int
    private let quarters: [Quarter]
    /// For each quarter what may be another bit of it.
    private let masks: [[UInt16]]

    init(_ hashes: [PerceptualHash], within distance: Int) {
      self.distance = distance
      quarters = (0..<4).map { Quarter(of: hashes, shift: 16 * $0) }
      // Were each of the first quarters further away than that, and each other one as far, the sum would be above the
      // distance.
      masks = (0..<4).map { number in
        let radius = distance / 4 - (number <= distance % 4 ? 0 : 1)
        return (UInt16.min...UInt16.max).filter { $0.nonzeroBitCount <= radius }
      }
    }

    /// Calls `body` with the place of each hash that is near, at least once.
    func forEach(near hash: PerceptualHash, _ body: (Int) -> Void) {
      for (number, quarter) in quarters.enumerated() {
        let value = quarter.value(hash)
        for mask in masks[number] {
          for place in quarter.range(of: value ^ mask)
          where hash.distance(to: quarter.hashes[place]) <= distance {
            body(Int(quarter.sorted[place]))
          }
        }
      }
    }
  }

  /// The places of hashes by 16 of their bits.
  private struct Quarter {
    private let shift: Int
    /// The places, sorted by the value of these bits.
    private(set) var sorted: [Int32]
    /// The hash of each of them, side by side: most are only looked at.
    private(set) var hashes: [PerceptualHash]
    /// The first place of each value in ``sorted``, and the end.
    private var starts: [Int32]

    init(of hashes: [PerceptualHash], shift: Int) {
      self.shift = shift
      starts = [Int32](repeating: 0, count: 1 << 16 + 1)
      sorted = [Int32](repeating: 0, count: hashes.count)
      self.hashes = hashes
      for hash in hashes { starts[Int(value(hash)) + 1] += 1 }
      for index in 1..<starts.count { starts[index] += starts[index - 1] }
      var next = starts
      for (index, hash) in hashes.enumerated() {
        let value = Int(value(hash))
        sorted[Int(next[value])] = Int32(truncatingIfNeeded: index)
        self.hashes[Int(next[value])] = hash
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
