/// What a picture looks like, in 64 bits: pictures that look alike differ in few of them.
///
/// It is the pHash of the upright picture. A bit tells whether one of the 8 × 8 lowest frequencies of its
/// brightness, reduced to 32 × 32, is above the median of all; the first row and column come first, in the
/// highest bit. Another size, format or quality changes few of the bits; a turn or a mirror changes many.
///
/// Source: `phash` of PyPI's imagehash 4.3, whose text in hexadecimal has the same digits.
package struct PerceptualHash: Sendable, Hashable {
  package let bits: UInt64

  /// Creates a hash of its bits.
  package init(bits: UInt64) { self.bits = bits }

  /// Creates the hash that a catalogue has as an integer of SQLite, which knows no unsigned ones.
  package init(stored: Int64) { bits = UInt64(bitPattern: stored) }

  package var stored: Int64 { Int64(bitPattern: bits) }

  /// The hash of every picture that is nearly of one color, which is like no other.
  package static let plain = PerceptualHash(bits: 0)

  /// The number of bits in which two hashes differ, 0 to 64.
  package func distance(to other: PerceptualHash) -> Int {
    (bits ^ other.bits).nonzeroBitCount
  }

  /// The columns of odd frequency of each row: those whose signs a swap of left and right changes.
  private static let oddColumns: UInt64 = 0x5555_5555_5555_5555
  /// The rows of odd frequency: those whose signs a swap of top and bottom changes.
  private static let oddRows: UInt64 = 0x00FF_00FF_00FF_00FF

  /// The hash of the picture with its rows and columns swapped, bit for bit.
  package var transposed: PerceptualHash {
    // Source: H. S. Warren, "Hacker's Delight", 2nd edition, section 7-3.
    var x = bits
    for (mask, shift): (UInt64, UInt64) in [
      (0x00AA_00AA_00AA_00AA, 7), (0x0000_CCCC_0000_CCCC, 14), (0x0000_0000_F0F0_F0F0, 28),
    ] {
      let swapped = (x ^ (x >> shift)) & mask
      x ^= swapped ^ (swapped << shift)
    }
    return PerceptualHash(bits: x)
  }

  /// Nearly the hash of the picture turned: up to ``mostTurnedError`` bits differ from it.
  ///
  /// A swap of left and right gives every other frequency the opposite sign. A bit tells whether a frequency is
  /// above the median, which is not 0 and is another one then: the frequencies in between have another bit, and
  /// which these are, the hash does not tell. Only the swap of rows and columns leaves the median as it is.
  package func turned(by turn: PictureTurn) -> PerceptualHash {
    var hash = self
    if turn.isMirrored { hash = PerceptualHash(bits: hash.bits ^ Self.oddColumns) }
    switch turn.degrees {
    case 90: return PerceptualHash(bits: hash.transposed.bits ^ Self.oddColumns)
    case 180: return PerceptualHash(bits: hash.bits ^ Self.oddColumns ^ Self.oddRows)
    case 270: return PerceptualHash(bits: hash.transposed.bits ^ Self.oddRows)
    default: return hash
    }
  }

  /// The most bits in which ``turned(by:)`` differed from the hash of the turned picture: 12 of 102 different
  /// pictures turned in each of the seven ways, and 12 where they were also reduced by half and written as JPEG of
  /// quality 60. Nine in ten differed in at most 8.
  package static let mostTurnedError = 12
}

/// The way in which a copy of a picture is turned: mirrored or not, then by quarter turns.
package struct PictureTurn: Sendable, Hashable {
  /// Whether left and right are swapped, before the turn.
  package let isMirrored: Bool
  /// Clockwise: 0, 90, 180 or 270.
  package let degrees: Int

  private init(isMirrored: Bool, degrees: Int) { (self.isMirrored, self.degrees) = (isMirrored, degrees) }

  /// The seven ways in which a copy is not upright.
  package static let all = [false, true].flatMap { isMirrored in
    [0, 90, 180, 270].map { PictureTurn(isMirrored: isMirrored, degrees: $0) }
  }.filter { $0.isMirrored || $0.degrees != 0 }

  /// Rows and columns are swapped.
  package static let transposition = PictureTurn(isMirrored: true, degrees: 270)

  /// Whether rows become columns.
  package var swapsSides: Bool { degrees % 180 != 0 }

  /// Such as `turned 90` or `mirrored, turned 90`.
  package var text: String {
    [isMirrored ? "mirrored" : "", degrees == 0 ? "" : "turned \(degrees)"].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  /// How the hash of a copy, turned back, is found exactly: that of the copy turned clockwise by so many degrees, and
  /// transposed if it is mirrored.
  package var readingDegrees: Int { isMirrored ? (270 - degrees) : 360 - degrees }
}

/// The hashes that are made of a picture together with a thumbnail.
package struct PictureHashes: Sendable, Hashable {
  /// Of the thumbnail, with its crop.
  package var thumb: ThumbHash
  /// Of the whole picture.
  package var perceptual: PerceptualHash

  /// Creates the hashes of one picture.
  package init(thumb: ThumbHash, perceptual: PerceptualHash) {
    (self.thumb, self.perceptual) = (thumb, perceptual)
  }
}
