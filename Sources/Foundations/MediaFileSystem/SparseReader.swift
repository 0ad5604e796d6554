/// Reads a file a piece at a time, and its long holes as zeros that the kernel is not asked for.
///
/// Reading a hole through the kernel's cache takes about three times as long as hashing its zeros, and
/// fills the cache. The file's own offset is moved. Source: lseek(2), SEEK_DATA and SEEK_HOLE.
package struct SparseReader {
  /// The bytes of a hole from which on it is jumped over: a shorter one costs fewer calls as data.
  package static let smallestHole: UInt64 = 1 << 20

  /// A run of data, or a long hole, of the file.
  private struct Extent {
    var range: Range<UInt64>
    var isHole: Bool
  }

  private let file: Descriptor
  private var lastExtent = Extent(range: 0..<0, isHole: false)

  /// Makes a reader, which reads nothing yet.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - status: What is known of it; nil has the kernel asked. A file that has no room for a long hole is not
  ///     searched for one.
  package init(_ file: Descriptor, _ status: FileStatus? = nil) {
    self.file = file
    if let status, let allocated = status.allocated, status.size > 0,
      status.size - allocated < Self.smallestHole
    {
      lastExtent = Extent(range: 0..<UInt64(status.size), isHole: false)
    }
  }

  /// Fills the start of `buffer` with the bytes at `offset`, or less of it where data, a hole or the file
  /// ends.
  ///
  /// - Returns: The number of bytes, 0 only at the end of the file, and whether they are zeros of a hole.
  /// - Throws: `FileSystemError` when the file cannot be read.
  package mutating func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(FileSystemError) -> (count: Int, isHole: Bool) {
    let (length, isHole) = try run(at: offset)
    let count = Int(min(UInt64(buffer.count), length))
    let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    guard isHole else { return (try file.read(into: piece, at: offset), false) }
    piece.initializeMemory(as: UInt8.self, repeating: 0)
    return (count, true)
  }

  /// Returns how many bytes the run of data, or the long hole, has from `offset` on; at the end of the file
  /// data without an end, of which nothing can be read.
  ///
  /// - Throws: `FileSystemError` when the file's length cannot be told.
  mutating func run(
    at offset: UInt64
  ) throws(FileSystemError) -> (length: UInt64, isHole: Bool) {
    if !lastExtent.range.contains(offset) { lastExtent = try extent(at: offset) }
    return (lastExtent.range.upperBound - offset, lastExtent.isHole)
  }

  private func extent(at offset: UInt64) throws(FileSystemError) -> Extent {
    let length = UInt64(clamping: try file.status().size)
    guard offset < length else { return Extent(range: offset..<UInt64.max, isHole: false) }
    let holeEnd = file.endOfHole(at: offset, length: length) ?? offset
    if holeEnd - offset >= Self.smallestHole {
      return Extent(range: offset..<holeEnd, isHole: true)
    }
    let end = max(file.endOfData(at: holeEnd, length: length), holeEnd + 1)
    return Extent(range: offset..<end, isHole: false)
  }
}
