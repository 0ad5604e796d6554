internal import GRDB
internal import MediaFileSystem
internal import MediaModel
internal import Synchronization

/// Reads an entry of each of some rows, which ascend; nil of one that is gone.
typealias ReadingOfRows<Entry> = @Sendable (CatalogueReader, [Int64]) throws -> [Entry?]

extension CatalogueReader {
  /// Calls `body` with what `read` has found of each row of a selection, in its order.
  ///
  /// Several connections read at the same time. Of each part one reads the rows that stand in front in the catalogue, and
  /// the next those behind, so that each keeps pages which no other one reads.
  ///
  /// - Parameters:
  ///   - selection: The rows.
  ///   - count: How many a connection reads at a time.
  ///   - most: How many connections read at most.
  ///   - read: Reads rows by a connection, on any of several threads.
  ///   - body: Takes an entry, on the thread that calls.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  func forEachRow<Entry: Sendable>(
    of selection: AssetSelection,
    _ count: Int,
    connections most: Int = maximumReaders,
    _ read: @escaping ReadingOfRows<Entry>,
    _ body: (Entry) throws -> Void
  ) throws {
    let readers = most > 1 ? try readers(of: selection.rows.count, count, most) : [self]
    var unread = selection.rows[...]
    while !unread.isEmpty {
      let part = unread.prefix(count * readers.count)
      unread = unread.dropFirst(part.count)
      for entry in try Self.entries(of: Array(part), readers, read) {
        if let entry { try body(entry) }
      }
    }
  }

  private static func entries<Entry: Sendable>(
    of rows: [Int64],
    _ readers: [CatalogueReader],
    _ read: @escaping ReadingOfRows<Entry>
  ) throws -> [Entry?] {
    let indices = rows.indices.sorted { rows[$0] < rows[$1] }
    let shares = readers.indices.map { number in
      indices[(indices.count * number / readers.count)..<(indices.count * (number + 1) / readers.count)]
    }
    let shared = Mutex<[Int: Result<[Entry?], any Error>]>([:])
    // Each thread uses the one of its own number.
    nonisolated(unsafe) let readers = readers
    OwnThread.forEach(readers.count) { number in
      let result = Result { try read(readers[number], shares[number].map { rows[$0] }) }
      shared.withLock { $0[number] = result }
    }
    var entries = [Entry?](repeating: nil, count: rows.count)
    let results = shared.withLock(\.self)
    for (number, share) in shares.enumerated() {
      for (index, entry) in zip(share, try results[number]?.get() ?? []) { entries[index] = entry }
    }
    return entries
  }

  /// This connection, and for many rows others on the same catalogue, as far as they can be opened.
  ///
  /// Together they may keep 32 MiB: the order of a list takes the pages in which its assets stand by turns.
  private func readers(of rows: Int, _ count: Int, _ most: Int) throws(LibraryError) -> [CatalogueReader] {
    guard rows > count else { return [self] }
    var readers = [self]
    while readers.count < min(OwnThread.processors, most, rows / count),
      let other = try? CatalogueReader(beside: self)
    {
      readers.append(other)
    }
    for reader in readers {
      try reader.read { try $0.execute(sql: "PRAGMA cache_size = -\(32768 / readers.count)") }
    }
    return readers
  }

  static let maximumReaders = 4
}
