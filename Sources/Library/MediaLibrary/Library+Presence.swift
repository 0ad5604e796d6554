internal import GRDB
package import MediaFileSystem
internal import MediaModel

/// A file of a library that this process has written whole.
package struct WrittenFile {
  /// Below the library.
  package var path: String
  /// The file that is open; nil where any regular one of that length will do.
  package var file: Descriptor?
  package var byteCount: Int

  package init(_ path: String, _ file: Descriptor?, byteCount: Int) {
    (self.path, self.file, self.byteCount) = (path, file, byteCount)
  }
}

/// Files are written through descriptors, which another program cannot take away: their names it can.
extension Library {
  /// The newest rows of published files, by their tables.
  package typealias NewestRows = [FileTable: Int64]

  /// The newest rows of published files that there are.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func newestRows() throws(LibraryError) -> NewestRows {
    try catalogue.read { db in
      try Dictionary(
        uniqueKeysWithValues: FileTable.allCases.map { table in
          (table, try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table.name)") ?? 0)
        }
      )
    }
  }

  /// Looks by path whether what this process has open and has written is what is there: the library's folder and
  /// those in it, the catalogue, the key, the log, and published files.
  ///
  /// - Parameters:
  ///   - files: The files of the log.
  ///   - rows: Files of later rows are looked at; nil for none.
  /// - Throws: ``LibraryError`` `.cannotWrite` that names what was removed, exchanged or changed.
  package func confirm(
    _ files: [WrittenFile],
    publishedSince rows: NewestRows? = nil
  ) throws(LibraryError) {
    do {
      let status = try? FileSystem.status(ofPath: path)
      guard let status, status.isSameInode(as: try root.status()) else {
        throw Self.lost(EscapedText.percentEscaped(path))
      }
      let folders = [originals, thumbnails, audit, staging]
      for (name, folder) in zip(LibraryFolder.folderNames, folders) {
        try confirm(name) { $0.isSameInode(as: try folder.status()) }
      }
      for file in files {
        try confirm(file.path) { status in
          guard status.kind == .regular, status.size == file.byteCount else { return false }
          guard let open = file.file else { return true }
          return status.isSameInode(as: try open.status())
        }
      }
      // Nothing makes it shorter, and what is in the write-ahead log alone goes behind its end.
      try confirm(LibraryFolder.catalogueName) {
        $0.isSameInode(as: catalogue.file) && $0.size >= catalogue.file.size
      }
      try confirm(Self.digestKeyFile) { $0.kind == .regular }
      if privateFacts != nil { try confirm(Self.privateFactsFile) { $0.kind == .regular } }
      for (table, row) in rows ?? [:] { try confirm(table, after: row) }
    } catch {
      throw LibraryError(wrapping: error)
    }
  }

  private func confirm(_ path: String, isOurs: (FileStatus) throws -> Bool) throws {
    guard let status = try? FileSystem.status(in: root, name: [UInt8](path.utf8)),
      try isOurs(status)
    else { throw Self.lost(EscapedText.printable(path)) }
  }

  /// Looks at the current files of a table whose rows are behind one.
  private func confirm(_ table: FileTable, after row: Int64) throws {
    try catalogue.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(FileContent.list) FROM \(table.name)
          WHERE id > ? AND superseded = \(FileState.current.rawValue)
          """,
        arguments: [row]
      )
      while let row = try rows.next().map(QueryRow<FileContent>.init) {
        let bytes: Int64 = try row[.bytes]
        try confirm(try row[.path]) { $0.kind == .regular && $0.size == bytes }
      }
    }
  }

  private static func lost(_ path: String) -> LibraryError {
    LibraryError(
      .cannotWrite,
      "\"\(path)\" was changed or removed by another program meanwhile. "
        + "Find out which, then run `mediabatch verify` on the library."
    )
  }
}
