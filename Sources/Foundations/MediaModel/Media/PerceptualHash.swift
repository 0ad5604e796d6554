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
