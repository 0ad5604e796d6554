package import MediaFileSystem
import MediaModel

/// The entries of a folder, in the order in which a walk visits all paths in the order of their bytes: a
/// folder's name is compared with the `/` after it.
///
/// The names are in one block of memory: to allocate, and count references to, each of 100,000 of them
/// takes longer than to compare them.
package struct FolderEntries: RandomAccessCollection {
  private struct Span {
    var start: UInt32
    var count: UInt16
    var kind: FileStatus.Kind?
  }

  private var names: [UInt8] = []
  private var spans: [Span] = []

  /// - Throws: `FileSystemError` when the folder cannot be listed.
  package init(of folder: Descriptor) throws(FileSystemError) {
    try FileSystem.forEachEntry(of: folder) { (entry) throws(FileSystemError) in append(entry) }
    sort()
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { spans.count }

  package subscript(index: Int) -> FileSystem.Entry {
    let span = spans[index]
    let start = Int(span.start)
    return FileSystem.Entry(name: Array(names[start..<(start + Int(span.count))]), kind: span.kind)
  }

  private mutating func append(_ entry: FileSystem.Entry) {
    spans.append(Span(start: UInt32(names.count), count: UInt16(entry.name.count), kind: entry.kind))
    names += entry.name
  }

  private mutating func sort() {
    let names = names
    names.withUnsafeBufferPointer { names in
      spans.sort { Self.precedes($0, $1, names) }
    }
  }

  private static func precedes(
    _ left: Span,
    _ right: Span,
    _ names: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let count = Swift.min(left.count, right.count)
    for offset in 0..<Int(count) {
      let (byte, rightByte) = (names[Int(left.start) + offset], names[Int(right.start) + offset])
      if byte != rightByte { return byte < rightByte }
    }
    if left.count < right.count {
      return left.kind != .folder || UInt8.slash < names[Int(right.start) + Int(count)]
    }
    if left.count > right.count {
      return right.kind == .folder && names[Int(left.start) + Int(count)] < UInt8.slash
    }
    return false
  }
}
