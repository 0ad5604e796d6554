internal import Glibc
internal import MediaFileSystem

/// A content that is passed on in pieces, each time that it is asked for.
typealias PiecedContent = (_ body: ([UInt8]) throws -> Void) throws -> Void

/// Bytes of which only the newest are in memory: the others are in a file without a name.
///
/// A confined process makes no such file, so it is made at once. Where none can be made, all is in memory.
final class SpooledBytes {
  private static let pieceLength = 1 << 16

  private let file = try? FileSystem.temporaryFile()
  private var tail: [UInt8] = []
  /// The number of bytes in the file.
  private var written = 0

  /// The number of all bytes.
  var count: Int { written + tail.count }

  /// Adds bytes at the end.
  ///
  /// - Returns: Their range.
  @discardableResult
  func append(_ bytes: [UInt8]) throws(FileSystemError) -> Range<Int> {
    let start = count
    tail += bytes
    let range = start..<count
    guard tail.count >= Self.pieceLength, let file else { return range }
    try file.write(tail)
    written += tail.count
    tail.removeAll(keepingCapacity: true)
    return range
  }

  /// Passes the bytes of a range on, in pieces.
  ///
  /// - Throws: `FileSystemError` when they cannot be read, and what `body` throws.
  func read(_ range: Range<Int>, _ body: ([UInt8]) throws -> Void) throws {
    var position = range.lowerBound
    let end = min(range.upperBound, written)
    while position < end, let file {
      var piece = [UInt8](repeating: 0, count: min(Self.pieceLength, end - position))
      let offset = UInt64(position)
      let count = try piece.withUnsafeMutableBytes { bytes throws(FileSystemError) in
        try file.read(into: bytes, at: offset)
      }
      guard count == piece.count else {
        throw FileSystemError(call: "read", path: file.path, errno: EIO)
      }
      position += count
      try body(piece)
    }
    guard position < range.upperBound else { return }
    try body(Array(tail[(position - written)..<(range.upperBound - written)]))
  }
}
