internal import MediaFileSystem
package import MediaLibrary

/// A list of which only the newest part is in memory: the rest is in a temporary file.
///
/// A library may have a million findings, as after its thumbnails' folder was removed.
package final class Spool<Element: Spooled> {
  package private(set) var count = 0
  package var isEmpty: Bool { count == 0 }

  /// Records that are not in the file: each with its length before it.
  private var tail: [UInt8] = []
  private var file: Descriptor?
  /// The bytes in the file.
  private var written: UInt64 = 0

  /// The bytes in memory.
  var heldByteCount: Int { tail.count }

  /// The most bytes that are kept in memory.
  private let memoryLimit: Int

  package init(memoryLimit: Int = 1 << 18) {
    self.memoryLimit = memoryLimit
  }

  /// Adds an element at the end.
  ///
  /// - Throws: `LibraryError` `.cannotWrite` when the temporary file cannot be written.
  package func append(_ element: Element) throws(LibraryError) {
    let bytes = element.spooled
    withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { tail.append(contentsOf: $0) }
    tail.append(contentsOf: bytes)
    count += 1
    guard tail.count > memoryLimit else { return }
    do throws(FileSystemError) {
      if file == nil { file = try FileSystem.temporaryFile() }
      try file?.write(tail)
    } catch {
      throw Self.failure(error)
    }
    written += UInt64(tail.count)
    tail.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with each element, in order.
  ///
  /// - Throws: `LibraryError` when the temporary file cannot be read, or what `body` throws.
  package func forEach(_ body: (Element) throws -> Void) throws {
    var position: UInt64 = 0
    var piece: [UInt8] = []
    while let file, position < written {
      let left = Int(written - position)
      piece = try Self.read(file, at: position, count: min(left, max(4, memoryLimit)))
      // A record may be longer than a piece.
      var used = try forEach(in: piece, body)
      if used == 0 {
        piece = try Self.read(file, at: position, count: Self.length(of: piece) ?? 0)
        used = try forEach(in: piece, body)
      }
      guard used > 0 else { break }
      position += UInt64(used)
    }
    _ = try forEach(in: tail, body)
  }

  /// All elements, for a list that is known to be short.
  package func all() throws -> [Element] {
    var elements: [Element] = []
    try forEach { elements.append($0) }
    return elements
  }

  /// Calls `body` with each whole record of a piece, and returns how many bytes they take.
  private func forEach(in piece: [UInt8], _ body: (Element) throws -> Void) rethrows -> Int {
    var start = 0
    while let length = Self.length(of: piece[start...]), start + length <= piece.count {
      try body(Element(spooled: piece[(start + 4)..<(start + length)]))
      start += length
    }
    return start
  }

  /// The bytes of the first record with its length, if that is there.
  private static func length<Bytes: Collection>(of bytes: Bytes) -> Int?
  where Bytes.Element == UInt8 {
    let head = bytes.prefix(4)
    return head.count == 4 ? head.reversed().reduce(0) { $0 << 8 | Int($1) } + 4 : nil
  }

  private static func read(
    _ file: Descriptor,
    at position: UInt64,
    count: Int
  ) throws(LibraryError) -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: count)
    let outcome = piece.withUnsafeMutableBytes { bytes in
      Result { () throws(FileSystemError) in try file.read(into: bytes, at: position) }
    }
    switch outcome {
    case .success(let count): return Array(piece.prefix(count))
    case .failure(let error): throw failure(error)
    }
  }

  private static func failure(_ error: FileSystemError) -> LibraryError {
    LibraryError(
      .cannotWrite,
      "There are more findings than memory is used for, and a temporary file for them cannot be written: "
        + "\(error). Set TMPDIR to a folder with room."
    )
  }
}

/// An element of a ``Spool``.
package protocol Spooled {
  var spooled: [UInt8] { get }
  /// Makes the element of bytes that ``spooled`` gave.
  init(spooled: ArraySlice<UInt8>)
}

extension String: Spooled {
  package var spooled: [UInt8] { Array(utf8) }

  package init(spooled: ArraySlice<UInt8>) {
    self.init(decoding: spooled, as: UTF8.self)
  }
}

extension Catalogue.PublishedFile: Spooled {
  package var spooled: [UInt8] {
    Array("\(path)\0\(sha256)\0\(localIdentifier)\0\(bytes)".utf8)
  }

  package init(spooled: ArraySlice<UInt8>) {
    let parts = spooled.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    self.init(path: part(0), bytes: Int64(part(3)) ?? 0, sha256: part(1), localIdentifier: part(2))
  }
}
