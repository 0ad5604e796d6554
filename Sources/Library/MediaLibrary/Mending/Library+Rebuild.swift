internal import GRDB
internal import MediaFileSystem
internal import MediaModel

/// Making a library's catalogue anew, beside the one that is there.
///
/// The new one is filled in `library.sqlite.new`, flushed, and only then exchanged for the old one, which
/// stays under a name of its own. A rebuild that is stopped at any point leaves the old catalogue or the
/// new one in its place; each can be rebuilt again.
extension Library {
  private static let temporaryName = LibraryFolder.catalogueName + ".new"
  private static let companions = ["-wal", "-shm", "-journal"]

  /// Takes the lock of the library at `path` and makes an empty catalogue in a temporary file.
  ///
  /// Its key and its identifier are not the library's until ``identify(as:key:run:)``.
  ///
  /// - Parameters:
  ///   - path: Absolute.
  ///   - waits: Whether to wait until another process releases the library.
  ///   - holder: The name of this process, for others that find the library held.
  /// - Throws: ``LibraryError`` `.notALibrary` for a folder without `Originals` and `Audit`, or with
  ///   another program's database; `.unknownSchema`, `.held`, `.fileSystemUnsuitable`, `.cannotWrite`, `.outOfSpace`.
  package convenience init(
    rebuilding path: [UInt8],
    waits: Bool,
    holder: String
  ) throws(LibraryError) {
    try self.init(
      path: path,
      waits: waits,
      holder: holder,
      opening: {
        do {
          return try FileSystem.openFolder(path)
        } catch {
          let shown = EscapedText.percentEscaped(path)
          throw LibraryError(
            .notALibrary,
            "\"\(shown)\" is not a library of mediabatch: \(error.reason(besides: shown))."
          )
        }
      },
      check: { root, _ in try Self.checkIsLibrary(root, path: path) },
      catalogue: { (root) in
        // Another version's is refused before anything is made beside it.
        try EarlierCatalogue(library: path)?.close()
        for name in [""] + Self.companions {
          try FileSystem.removeFile(in: root, [UInt8]((Self.temporaryName + name).utf8))
        }
        return (
          try Catalogue(in: path, Self.temporaryName, keep: { _ in }), []
        )
      }
    )
  }

  private static func checkIsLibrary(_ root: Descriptor, path: [UInt8]) throws {
    let names = try FileSystem.entries(of: root).map { String(decoding: $0.name, as: UTF8.self) }
    // A header that is no database's, or has no identifier, is that of a damaged catalogue.
    let identifier =
      names.contains(LibraryFolder.catalogueName) ? try LibraryFolder.identifier(in: root) : nil
    guard Set(names).isSuperset(of: ["Originals", "Audit"]),
      [nil, 0, LibraryFolder.catalogueIdentifier].contains(identifier)
    else {
      throw LibraryError(
        .notALibrary,
        "\"\(EscapedText.percentEscaped(path))\" is not a library of mediabatch: it lacks the folders "
          + "Originals and Audit, or its library.sqlite is another program's. Nothing was changed."
      )
    }
  }

  /// Reads the key in the library's own file.
  ///
  /// - Parameters:
  ///   - library: The library's identifier in the log; nil when the log has none.
  ///   - check: The key's check value in the log; nil when the log has none.
  /// - Returns: The key with the identifier that it names; nil when there is none, or none that is as it
  ///   was made.
  /// - Throws: ``LibraryError`` when it cannot be read.
  package func storedKey(
    of library: String?,
    check: String?
  ) throws(LibraryError) -> (library: String, key: [UInt8])? {
    if let library, let check,
      let key = try DigestKey.read(in: root, of: library, check: check)
    {
      return (library, key.bytes)
    }
    do throws(LibraryError) {
      guard let key = try DigestKey.read(in: root) else { return nil }
      let isAnother = library != nil && key.library != library
      return check == nil || check == key.check || isAnother ? (key.library, key.bytes) : nil
    } catch {
      guard error.code == .inconsistent else { throw error }
      return nil
    }
  }

  /// Gives the library its identifier and its key; without one, a new key is made.
  ///
  /// A file of the key with other content is kept beside it, as `digest.key.before-rebuild-<run>`.
  ///
  /// - Throws: ``LibraryError`` `.cannotWrite`, `.outOfSpace`.
  package func identify(as identifier: String, key: [UInt8]?, run: String) throws(LibraryError) {
    let key =
      key.map { DigestKey(library: identifier, bytes: $0) } ?? DigestKey.make(library: identifier)
    if (try? DigestKey.read(in: root)) != key {
      try DigestKey.moveAside(in: root, as: "\(DigestKey.fileName).before-rebuild-\(run)")
    }
    try key.write(in: root)
    try catalogue.identify(as: identifier)
    try catalogue.enter(digestKeyCheck: key.check)
    digestKey = key.bytes
  }

  /// Puts the new catalogue in the place of the old one, and opens it there.
  ///
  /// The two are exchanged in one step, so that the library has a catalogue at each moment. A write-ahead
  /// log belongs to the database beside it: what the old one's has is brought into the old catalogue
  /// first, and it goes aside before the exchange.
  ///
  /// - Parameter run: Names the old catalogue's copy: `library.before-rebuild-<run>.sqlite`.
  /// - Returns: The name under which the old catalogue is kept; nil when there was none.
  /// - Throws: ``LibraryError`` `.cannotWrite`, `.outOfSpace`; the library can be rebuilt again.
  package func install(run: String) throws(LibraryError) -> String? {
    try catalogue.closeDurably()
    let name = [UInt8](LibraryFolder.catalogueName.utf8)
    let kept = "library.before-rebuild-\(run).sqlite"
    let wasThere = hasFile(LibraryFolder.catalogueName)
    do {
      let file = try FileSystem.openForReading(
        beneath: root,
        [UInt8](Self.temporaryName.utf8),
        crossMounts: true
      )
      try file.flush()
      for companion in Self.companions {
        try FileSystem.removeFile(in: root, [UInt8]((Self.temporaryName + companion).utf8))
      }
      // Until the exchange, the new one has the name that the old one will have: nothing that a kill
      // leaves is taken for something else, and none of the two is lost.
      let new = [UInt8]((wasThere ? kept : LibraryFolder.catalogueName).utf8)
      if wasThere { emptyEarlierLog() }
      for companion in Self.companions {
        let old = LibraryFolder.catalogueName + companion
        guard hasFile(old) else { continue }
        try FileSystem.rename(from: root, [UInt8](old.utf8), to: root, [UInt8]((kept + companion).utf8))
      }
      try FileSystem.rename(from: root, [UInt8](Self.temporaryName.utf8), to: root, new)
      try FileSystem.flush(fileSystemOf: root)
      if wasThere {
        try FileSystem.exchange(new, in: root, with: name)
        try FileSystem.flush(fileSystemOf: root)
      }
    } catch {
      throw LibraryError(error)
    }
    catalogue = try Catalogue(in: path, LibraryFolder.catalogueName, keep: { _ in })
    return wasThere ? kept : nil
  }

  /// Brings what only the write-ahead log of the old catalogue has into its own file; where that is too
  /// damaged, both stay as they are.
  private func emptyEarlierLog() {
    let log = try? FileSystem.status(in: root, name: [UInt8]((LibraryFolder.catalogueName + "-wal").utf8))
    guard let log, log.size > 0 else { return }
    let path = DatabaseAddress.text(in: path, LibraryFolder.catalogueName)
    guard let queue = try? DatabaseQueue(path: path) else { return }
    try? queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    queue.retire()
  }
}
