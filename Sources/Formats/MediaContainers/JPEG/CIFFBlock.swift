/// The records of a CIFF, which some of Canon's first digital cameras put into APP0 of a JPEG in place of Exif,
/// and of which their raw files consist.
///
/// A heap has its data in front, then a directory of records, and at its end where that directory begins; a
/// record may be a heap itself.
///
/// Source: Canon, CIFF Specification on Image Data File 1.0, revision 4; ExifTool, CanonRaw.pm.
package struct CIFFBlock {
  /// A value of a directory.
  package struct Record {
    /// The tag with its data type, without the bits that say where the value is.
    package let tag: Int
    /// The tag of the heap that it is in; 0 for the outermost one.
    package let parent: Int
    /// The range of the value in the source.
    package let value: Range<Int>
  }

  /// The outermost heap of a JPEG; that of a raw file has another subtype.
  private static let identifier = "HEAPJPGM"
  private static let maximumHeaps = 32
  private static let maximumRecords = 1024

  /// The source of the block.
  package let source: ByteSource
  /// The byte order of all numbers.
  package let order: ByteOrder
  private let heap: Range<Int>

  /// Returns whether a block in `range` begins like a CIFF.
  static func isFound(in range: Range<Int>, of source: ByteSource) -> Bool {
    let start = range.lowerBound
    return range.count > 14 && source.holds(identifier, at: start + 6)
      && (source.holds("II", at: start) || source.holds("MM", at: start))
  }

  /// Reads the header of a block; nil for another one.
  package init?(_ source: ByteSource, _ range: Range<Int>) {
    guard Self.isFound(in: range, of: source) else { return nil }
    let order: ByteOrder = source.holds("II", at: range.lowerBound) ? .little : .big
    guard let length = source.uint32(at: range.lowerBound + 2, order: order), length <= range.count
    else { return nil }
    (self.source, self.order) = (source, order)
    heap = range.dropFirst(length)
  }

  /// Reads the header of a raw file, a CRW; nil for another file.
  package init?(raw source: ByteSource) {
    guard source.holds("II", at: 0) || source.holds("MM", at: 0), source.holds("HEAPCCDR", at: 6) else {
      return nil
    }
    let order: ByteOrder = source.holds("II", at: 0) ? .little : .big
    guard let length = source.uint32(at: 2, order: order), length >= 14, length < source.length,
      let version = source.uint32(at: 14, order: order), version >> 16 == 1
    else { return nil }
    (self.source, self.order) = (source, order)
    heap = length..<source.length
  }

  /// Whether the directory of the outermost heap, which its last bytes lead to, lies within it.
  package var hasDirectory: Bool {
    guard let (start, count) = directory(of: heap) else { return false }
    return count > 0 && 10 * count + 2 <= heap.upperBound - start
  }

  /// Where the directory of a heap begins, and the number of its records; nil for one that lies outside of it.
  private func directory(of heap: Range<Int>) -> (start: Int, count: Int)? {
    guard heap.count >= 6, let offset = source.uint32(at: heap.upperBound - 4, order: order),
      offset <= heap.count - 6, let count = source.uint16(at: heap.lowerBound + offset, order: order)
    else { return nil }
    return (heap.lowerBound + offset, count)
  }

  /// Calls `body` with each record that is no heap; those whose values lie outside of their heap are passed
  /// over.
  package func forEachRecord(_ body: (Record) -> Void) {
    var heaps = [(tag: 0, range: heap)]
    var (heapCount, recordCount) = (0, 0)
    while let (parent, range) = heaps.popLast(), heapCount < Self.maximumHeaps {
      heapCount += 1
      guard let (start, count) = directory(of: range) else { continue }
      for index in 0..<count {
        let position = start + 2 + 10 * index
        guard position + 10 <= range.upperBound, recordCount < Self.maximumRecords else { break }
        recordCount += 1
        guard let record = record(at: position, in: range, parent) else { continue }
        let isHeap = [0x2800, 0x3000].contains(record.tag & 0x3800) && record.value.count > 8
        if isHeap { heaps.append((record.tag, record.value)) } else { body(record) }
      }
    }
  }

  private func record(at position: Int, in heap: Range<Int>, _ parent: Int) -> Record? {
    guard let type = source.uint16(at: position, order: order), type & 0x8000 == 0 else { return nil }
    let tag = type & 0x3FFF
    // The value is in the directory.
    if type & 0x4000 != 0 {
      return Record(tag: tag, parent: parent, value: (position + 2)..<(position + 10))
    }
    guard let length = source.uint32(at: position + 2, order: order),
      let offset = source.uint32(at: position + 6, order: order), offset <= heap.count,
      length <= heap.count - offset
    else { return nil }
    let start = heap.lowerBound + offset
    return Record(tag: tag, parent: parent, value: start..<(start + length))
  }
}
