package import MediaFileSystem
import MediaModel

/// The list of the files of a folder that was made from a library, as it lies in that folder.
///
/// Records end with NUL, which no path has: three words about the folder, then one for each
/// file. Of each file, 16 bytes are in memory: what is asked for is read again.
package struct ExportList: Sendable {
  /// The name of the list in the folder.
  static let name = [UInt8](".mediabatch-export".utf8)
  private static let version = "mediabatch-export/1"

  /// The values by which a written file is known again.
  package struct File: Sendable, Hashable {
    /// The digest of the content, in hexadecimal digits; empty when it is written anew each time.
    package var sha256: String
    /// Bytes.
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// Whether it is a symbolic link.
    package var isLink = false
  }

  /// The command that made the folder.
  package var kind: String
  /// The digest of the library's state and the options, so that an equal one means that nothing is new.
  package var state: String
  private let source: Source
  /// The places of the files' records, by the hashes of their paths; those of one hash in their order in the list.
  private var entries: [Entry] = []

  /// The number of files.
  package var count: Int { entries.count }

  private struct Entry {
    var hash: UInt32
    var length: UInt32
    var offset: Int
  }

  private enum Source {
    case bytes([UInt8])
    case file(Descriptor)

    /// Returns at most so many bytes, less only at the end.
    func bytes(at offset: Int, most count: Int) throws(FileSystemError) -> [UInt8] {
      switch self {
      case .bytes(let all): return Array(all.dropFirst(offset).prefix(count))
      case .file(let file):
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { buffer in
          Result { () throws(FileSystemError) in try file.read(into: buffer, at: UInt64(offset)) }
        }
        let read = try result.get()
        return read == count ? bytes : Array(bytes[..<read])
      }
    }
  }

  /// The most bytes that are read at once.
  private static let pieceLength = 1 << 16
  /// The most bytes of a record; a path has some thousands.
  private static let mostRecordBytes = 1 << 20

  init(kind: String, state: String) {
    (self.kind, self.state) = (kind, state)
    source = .bytes([])
  }

  /// Reads a list; nil when the bytes are none.
  package init?(_ bytes: [UInt8]) {
    guard let list = try? Self(of: .bytes(bytes)) else { return nil }
    self = list
  }

  /// Reads the list in a file, which stays as it is as long as the list is used; nil when it is none.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - isHeadAlone: Whether its files are not wanted.
  /// - Throws: `FileSystemError`.
  init?(of file: Descriptor, isHeadAlone: Bool = false) throws(FileSystemError) {
    try self.init(of: .file(file), isHeadAlone: isHeadAlone)
  }

  private init?(of source: Source, isHeadAlone: Bool = false) throws(FileSystemError) {
    var words: [Substring] = []
    var entries: [Entry] = []
    let isWhole = try Self.forEachRecord(of: source) { record, offset in
      if words.isEmpty {
        words = String(decoding: record, as: UTF8.self).split(
          separator: " ",
          omittingEmptySubsequences: false
        )
        return words.count == 3 && words[0] == Self.version && !isHeadAlone
      }
      guard let (path, _) = Self.parsed(record) else { return false }
      entries.append(Entry(hash: Self.hash(path), length: UInt32(record.count), offset: offset))
      return true
    }
    guard isWhole || isHeadAlone, words.count == 3, words[0] == Self.version else { return nil }
    self.source = source
    (kind, state) = (String(words[1]), String(words[2]))
    entries.sort { ($0.hash, $0.offset) < ($1.hash, $1.offset) }
    self.entries = entries
  }

  /// Calls `body` with each record and its offset, in their order, until it returns false.
  ///
  /// - Returns: Whether the source ends behind a record, and none is too long.
  private static func forEachRecord(
    of source: Source,
    _ body: (_ record: ArraySlice<UInt8>, _ offset: Int) -> Bool
  ) throws(FileSystemError) -> Bool {
    // The record that is not read to its end, and where it begins.
    var (begun, start): ([UInt8], Int) = ([], 0)
    while true {
      let piece = try source.bytes(at: start + begun.count, most: pieceLength)
      if piece.isEmpty { return begun.isEmpty }
      begun += piece
      var position = 0
      while let end = begun[position...].firstIndex(of: 0) {
        guard body(begun[position..<end], start + position) else { return false }
        position = end + 1
      }
      begun.removeFirst(position)
      start += position
      guard begun.count <= mostRecordBytes else { return false }
    }
  }

  /// The file of a path below the folder, the last one of several; nil when the list does not have it.
  ///
  /// - Throws: `FileSystemError`.
  package func file(at path: [UInt8]) throws(FileSystemError) -> File? {
    let hash = Self.hash(path)
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].hash <= hash { low = middle + 1 } else { high = middle }
    }
    while low > 0, entries[low - 1].hash == hash {
      low -= 1
      if let (own, file) = try record(of: entries[low]), own == path { return file }
    }
    return nil
  }

  /// Calls `body` with each file, in the order of the list, until it returns false.
  ///
  /// - Throws: `FileSystemError`.
  package func forEach(_ body: (_ path: [UInt8], File) -> Bool) throws(FileSystemError) {
    var isHead = true
    _ = try Self.forEachRecord(of: source) { record, _ in
      if isHead {
        isHead = false
        return true
      }
      return Self.parsed(record).map(body) ?? true
    }
  }

  /// Calls `body` with each record as it is written, in an order that does not tell which was written first: that of the
  /// hashes of their paths.
  ///
  /// - Throws: What reading and `body` throw.
  func forEachByHash(_ body: (_ record: [UInt8]) throws -> Void) throws {
    // NUL is behind a record.
    for entry in entries { try body(source.bytes(at: entry.offset, most: Int(entry.length) + 1)) }
  }

  private func record(
    of entry: Entry
  ) throws(FileSystemError) -> (path: [UInt8], file: File)? {
    Self.parsed(try source.bytes(at: entry.offset, most: Int(entry.length))[...])
  }

  private static func parsed(_ record: ArraySlice<UInt8>) -> (path: [UInt8], file: File)? {
    let words = record.split(separator: UInt8.space, maxSplits: 4, omittingEmptySubsequences: false)
    guard words.count == 5, let size = number(words[2]), let modified = number(words[3]) else {
      return nil
    }
    let file = File(
      sha256: String(decoding: words[1], as: UTF8.self),
      size: size,
      modified: modified,
      isLink: words[0].elementsEqual("l".utf8)
    )
    return (Array(words[4]), file)
  }

  /// The lower half of the 64-bit FNV-1a hash, in which each bit depends on all bytes.
  private static func hash(_ path: [UInt8]) -> UInt32 {
    let hash = path.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    Int64(String(decoding: digits, as: UTF8.self))
  }

  /// The first record.
  package var head: [UInt8] { Array("\(Self.version) \(kind) \(state)\0".utf8) }

  /// The record of a file.
  package static func record(_ path: [UInt8], _ file: File) -> [UInt8] {
    Array("\(file.isLink ? "l" : "f") \(file.sha256) \(file.size) \(file.modified) ".utf8) + path
      + [0]
  }
}
