package import MediaModel

/// The files of a tar that gzip has compressed, and the content of one. To list them is to inflate all of it; to read
/// one is to inflate it from the ``InflatePoint`` before.
package struct TGZArchive {
  private static let pieceLength = 256 << 10
  private let source: ByteSource

  package init(_ source: ByteSource) { self.source = source }

  /// Calls `body` with each file and with what is none, in the order of the archive, and reads gzip to its end, so that
  /// its checksums have been compared.
  ///
  /// - Parameters:
  ///   - body: Gets a file once all of it was read.
  ///   - onPoint: Gets the points from which files can be read.
  /// - Throws: `damaged` for an archive that is not whole, after `body` got the files before; what `body` throws.
  package func forEachFile(
    _ body: (ArchiveEntry) throws(MetadataError) -> Void,
    onPoint: (InflatePoint) -> Void
  ) throws(MetadataError) {
    let stream = try begin(at: nil, findsPoints: true)
    var parser = TARParser()
    try forEachPiece(of: stream) { (piece) throws(MetadataError) in
      if let point = stream.takePoint() { onPoint(point) }
      try parser.take(piece, body)
      return true
    }
    guard stream.state == .ended else { throw Self.malformed }
    try parser.finish()
  }

  /// Calls `body` with the content of a file, a piece after the other.
  ///
  /// - Parameters:
  ///   - entry: The file, as it was listed.
  ///   - point: One before it; nil for the beginning of the archive.
  ///   - body: Gets the pieces.
  /// - Throws: `damaged` when it does not have the listed checksum.
  package func content(
    of entry: ArchiveEntry,
    from point: InflatePoint?,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(MetadataError) {
    let (end, overflows) = entry.header.addingReportingOverflow(entry.size)
    guard !overflows, entry.method == 0, (point?.output ?? 0) <= entry.header else {
      throw MetadataError(.damaged, "the file is not where the archive's list says")
    }
    let stream = try begin(at: point)
    var sum = CRC32()
    var offset = stream.output
    if entry.size > 0 {
      try forEachPiece(of: stream) { (piece) throws(MetadataError) in
        let wanted = max(entry.header, offset)..<max(entry.header, min(end, offset + Int64(piece.count)))
        if !wanted.isEmpty {
          let part = piece[Int(wanted.lowerBound - offset)..<Int(wanted.upperBound - offset)]
          sum.update(UnsafeRawBufferPointer(rebasing: part))
          body(UnsafeRawBufferPointer(rebasing: part))
        }
        offset += Int64(piece.count)
        return offset < end
      }
    }
    guard offset >= end || entry.size == 0 else { throw Self.malformed }
    guard sum.value == entry.checksum else {
      throw MetadataError(.damaged, "its content has another checksum than the list")
    }
  }

  private static let malformed = MetadataError(.damaged, "its compressed data are damaged or cut off")

  private func begin(
    at point: InflatePoint?,
    findsPoints: Bool = false
  ) throws(MetadataError) -> GzipStream {
    guard let stream = GzipStream(source, from: point, findsPoints: findsPoints) else {
      throw MetadataError(.overLimit, "there is no memory to unpack it")
    }
    return stream
  }

  /// Calls `body` with what is inflated, as long as it returns true.
  private func forEachPiece(
    of stream: GzipStream,
    _ body: (UnsafeRawBufferPointer) throws(MetadataError) -> Bool
  ) throws(MetadataError) {
    let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.pieceLength)
    defer { piece.deallocate() }
    while stream.state == .running {
      let count = stream.read(into: piece)
      guard try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<count])) else {
        return
      }
    }
  }
}
