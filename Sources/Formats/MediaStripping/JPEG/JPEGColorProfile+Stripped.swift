import MediaContainers

extension JPEGColorProfile {
  /// Appends the segments of the cleaned profile. Ranges of its chunks are copied if `mayCopy` is
  /// true, which requires that they ascend and that nothing before them is copied later.
  ///
  /// - Throws: `overLimit` for more than 4 MiB.
  func append(
    to builder: inout EditListBuilder,
    from source: ByteSource,
    mayCopy: Bool
  ) throws(MetadataError) {
    guard let bytes = try bytes(in: source) else { return }
    guard let pieces = ICCProfile.cleanedPieces(bytes) else {
      return builder.remove("APP2 ICC_PROFILE", count: parts.count)
    }
    if excess > 0 { builder.remove("bytes after the ICC profile") }
    if pieces.flatMap({ $0.bytes(of: bytes) }) != bytes { builder.remove("ICC profile details") }
    let length = pieces.reduce(0) { $0 + $1.length }
    let count = (length + Self.maximumChunkLength - 1) / Self.maximumChunkLength
    guard count <= 255 else { throw MetadataError(.overLimit, "an ICC profile of 256 segments") }
    var position = 0
    for piece in pieces {
      var done = 0
      while done < piece.length {
        let within = position % Self.maximumChunkLength
        if within == 0 {
          let chunkLength = min(Self.maximumChunkLength, length - position)
          let number = position / Self.maximumChunkLength + 1
          try builder.literal(Self.segmentHead(length: chunkLength, number: number, count: count))
        }
        let step = min(piece.length - done, Self.maximumChunkLength - within)
        try append(piece, done..<(done + step), of: bytes, to: &builder, mayCopy: mayCopy)
        done += step
        position += step
      }
    }
  }

  /// Returns whether ``append(to:from:mayCopy:)`` would leave the profile as it is.
  func isClean(in source: ByteSource) throws(MetadataError) -> Bool {
    guard excess == 0, let bytes = try bytes(in: source) else { return false }
    return ICCProfile.cleaned(bytes) == bytes
  }

  private func append(
    _ piece: ICCProfile.Piece,
    _ range: Range<Int>,
    of bytes: [UInt8],
    to builder: inout EditListBuilder,
    mayCopy: Bool
  ) throws(MetadataError) {
    switch piece {
    case .written(let written): try builder.literal(Array(written[range]))
    case .copied(let piece):
      let source = (piece.lowerBound + range.lowerBound)..<(piece.lowerBound + range.upperBound)
      // Write a small profile as one literal instead of three operations.
      guard mayCopy, declared > 1 << 16 else { return try builder.literal(Array(bytes[source])) }
      for part in sourceRanges(of: source) { try builder.copy(part) }
    }
  }
}
