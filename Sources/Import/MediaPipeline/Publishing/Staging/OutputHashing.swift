internal import MediaDigest

/// The buffers through which outputs are written a piece at a time, and the digests of their pieces: those of two
/// outputs are computed at once.
package final class OutputHashing {
  /// The bytes of a buffer.
  package let pieceLength: Int
  /// The buffer that no waiting piece is in, and the other one.
  private(set) var buffer: UnsafeMutableRawBufferPointer
  private var other: UnsafeMutableRawBufferPointer
  /// A piece that is written, in `other`, and waits for one of another output.
  private var waiting: (digest: OutputDigest, piece: UnsafeRawBufferPointer)?

  /// Makes two buffers of this length; whole blocks of 64 bytes let two digests be computed at once.
  package init(pieceLength: Int = 1 << 18) {
    self.pieceLength = pieceLength
    buffer = .allocate(byteCount: pieceLength, alignment: 4096)
    other = .allocate(byteCount: pieceLength, alignment: 4096)
  }

  deinit {
    buffer.deallocate()
    other.deallocate()
  }

  /// Adds a piece of an output, which is in the buffer, to its digest: with the next piece of another one.
  func add(_ piece: UnsafeRawBufferPointer, to digest: OutputDigest) {
    if let (first, firstPiece) = waiting, first !== digest {
      waiting = nil
      SHA256.update(&first.hash, firstPiece, &digest.hash, piece)
    } else {
      settle(digest)
      waiting = (digest, piece)
      swap(&buffer, &other)
    }
  }

  /// Returns the SHA-256 of all pieces of an output, 32 bytes.
  func finish(_ digest: OutputDigest) -> [UInt8] {
    settle(digest)
    return digest.hash.finalize()
  }

  private func settle(_ digest: OutputDigest) {
    guard let (first, piece) = waiting, first === digest else { return }
    waiting = nil
    digest.hash.update(piece)
  }
}

/// The digest of an output's pieces, but for one that waits for that of another output.
final class OutputDigest {
  fileprivate var hash = SHA256()
}
