internal import GRDB
internal import MediaDigest
internal import MediaFileSystem
internal import MediaModel

extension CatalogueReader {
  /// Compares the library's digest key with its check value.
  ///
  /// Without a check value a key with another byte cannot be told.
  ///
  /// - Parameter isWhole: Whether the catalogue is as it was written: else its check value is not believed.
  /// - Returns: The damage, for a person; nil when there is none.
  /// - Throws: ``LibraryError`` when the catalogue or the file cannot be read.
  package func digestKeyDamage(isWhole: Bool) throws(LibraryError) -> String? {
    let (library, check) = try read { db in
      (try Catalogue.identifier(in: db), try Catalogue.digestKeyCheck(in: db))
    }
    do throws(LibraryError) {
      _ = try DigestKey.confirmed(in: root, of: library, check: isWhole ? check : nil)
      return nil
    } catch {
      guard error.code == .inconsistent else { throw error }
      return error.description
    }
  }

  /// The key from which stripped halves of a live photo get one content identifier, as in a run; nil where the library's
  /// digest key is lost or damaged, which ``digestKeyDamage(isWhole:)`` tells.
  package var pairingKey: [UInt8]? {
    (try? DigestKey.read(in: root)).map { ContentIdentifiers($0.bytes).pairingKey }
  }
}

extension CatalogueReader {
  /// The damage of the library's private facts that SQLite and the digests of the rows find.
  ///
  /// - Returns: A line for each, without the file's name; none where there is no file, or an empty one.
  /// - Throws: ``LibraryError`` `.cannotWrite` when they may not be read, `.unknownSchema` for whole ones of another
  ///   version.
  package func privateFactDamage() throws(LibraryError) -> [String] {
    guard PrivateFacts.isThere(in: root) else { return [] }
    do {
      try PrivateFacts.confirm(in: root)
    } catch  where error.code == .notALibrary {
      return [error.description]
    }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      try db.prohibitViews()
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
    }
    do {
      let path = PrivateFacts.uri(library: library, root: root, isQuiet: isQuiet)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { queue.retire() }
      return try queue.read { try Self.privateFactDamage(in: $0) }
    } catch let error as LibraryError {
      throw error
    } catch {
      let code = (error as? DatabaseError)?.resultCode
      if let code, [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_BUSY].contains(code) {
        throw LibraryError(.cannotWrite, "\(PrivateFacts.fileName) cannot be read: \(error).")
      }
      return ["it cannot be read: \(EscapedText.printable("\(error)", limit: 300))"]
    }
  }

  private static func privateFactDamage(in db: Database) throws -> [String] {
    let identifier = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    if identifier == 0, version == 0, isEmpty { return [] }
    guard identifier == PrivateFacts.applicationIdentifier else {
      return ["it is another program's database"]
    }
    var problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)")
      .filter { $0 != "ok" }
    let hasSums = try db.tableExists("tableSums")
    if hasSums { problems += try Catalogue.rowProblems(in: db) }
    // A changed version is damage: the sums cover it.
    if problems.isEmpty, version != PrivateFacts.version { throw PrivateFacts.refusal }
    return hasSums ? problems : problems + ["its sums are missing"]
  }
}
