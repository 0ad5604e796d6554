internal import Glibc
package import MediaFileSystem
internal import MediaModel

/// The content of a folder that is, becomes or was a library, seen without its lock.
package enum LibraryFolder: Sendable, Hashable {
  case empty
  /// A library whose catalogue says so in its header.
  case library
  /// A library that is being made, or whose making was interrupted before anything was in it.
  case beingMade
  /// A library whose catalogue is missing or damaged.
  case withoutCatalogue
  /// Something else.
  case foreign

  /// The folders of a library, in the order in which they are made; the lock's file is made before
  /// them, the catalogue after.
  package static let folderNames = ["Originals", "Thumbnails", "Audit", ".staging"]
  static let lockName = ".lock"
  package static let catalogueName = "library.sqlite"
  /// "MBLB": by this a folder is taken for a library. Source: PRAGMA application_id.
  package static let catalogueIdentifier: Int32 = 0x4D42_4C42
  /// The folder below the library to which files are moved that it shall not hold.
  package static let quarantine = "Quarantine"

  /// The catalogue's three files, which exist from here on.
  package static let catalogueFiles = [
    catalogueName, catalogueName + "-wal", catalogueName + "-shm",
  ]

  /// Looks at a folder; opens nothing for writing.
  ///
  /// A run that makes the library meanwhile can go from one state to the next between two of the
  /// steps, so that only the holder of the lock can rely on any answer but ``library``.
  package init(of root: Descriptor) throws(FileSystemError) {
    let identifier = try Self.identifier(in: root)
    if identifier == Self.catalogueIdentifier {
      self = .library
      return
    }
    let names = try FileSystem.entries(of: root).map { String(decoding: $0.name, as: UTF8.self) }
    let required = Self.folderNames + [Self.lockName]
    if names.isEmpty {
      self = .empty
    } else if !names.contains(Self.catalogueName)
      || identifier == 0
        // Every database without an identifier has 0: ours comes after the lock and the folders.
        && Set(names).isSuperset(of: required),
      try Self.hasNothingOfARun(names, in: root)
    {
      self = .beingMade
    } else {
      self = Set(names).isSuperset(of: ["Originals", "Audit"]) ? .withoutCatalogue : .foreign
    }
  }

  /// The reason why no library is opened or made in the folder at a path, which has this content; nil when there is
  /// none.
  package func refusal(at path: [UInt8]) -> LibraryError? {
    switch self {
    case .empty, .library, .beingMade: nil
    case .withoutCatalogue:
      LibraryError(
        .notALibrary,
        "\"\(EscapedText.percentEscaped(path))\" was a library, and its catalogue, library.sqlite, is "
          + "missing or damaged. Nothing was changed. Keep the folder: `mediabatch rebuild` makes a "
          + "new catalogue from its files and its log."
      )
    case .foreign:
      LibraryError(
        .notALibrary,
        "\"\(EscapedText.percentEscaped(path))\" is not empty and not a library of mediabatch. "
          + "Name another folder under \"output\", or empty this one."
      )
    }
  }

  /// Looks whether a database and the files that SQLite opens beside it by itself are its own, before SQLite does.
  ///
  /// - Throws: ``LibraryError`` `.notALibrary`, which names what is none.
  package static func confirmDatabase(
    _ name: String,
    in root: Descriptor
  ) throws(LibraryError) {
    if let stranger = stranger(at: name, in: root) { throw LibraryError(.notALibrary, stranger) }
  }

  /// The address of a database in a library's folder, which was looked at as ``confirmDatabase(_:in:)`` does; nil where
  /// there is none.
  ///
  /// - Throws: ``LibraryError`` `.notALibrary`.
  static func address(
    of database: String,
    in library: [UInt8],
    _ mode: DatabaseAddress.Mode = .asOpened
  ) throws(LibraryError) -> String? {
    guard let root = try? FileSystem.openPath(library) else { return nil }
    try confirmDatabase(database, in: root)
    guard (try? FileSystem.status(in: root, name: [UInt8](database.utf8))) != nil else { return nil }
    return DatabaseAddress.text(in: library, database, mode)
  }

  /// Looks for what stands in the place of a database of a library, or of a file beside it, and is none: SQLite would
  /// follow a link and wait for a FIFO, and roll a journal back that is another database's, since each one here has a
  /// write-ahead log.
  ///
  /// - Returns: A sentence about the first one; nil when there is none.
  package static func stranger(at database: String, in root: Descriptor) -> String? {
    for end in ["", "-wal", "-shm", "-journal"] {
      let name = database + end
      guard let status = try? FileSystem.status(in: root, name: [UInt8](name.utf8)) else {
        continue
      }
      let isOwn = status.kind == .regular
      // A run that was killed as it made the database leaves a journal: then that has no identifier yet.
      if isOwn, end != "-journal" || [nil, 0].contains(try? identifier(of: database, in: root)) {
        continue
      }
      return
        "\(name) is \(isOwn ? "no file of this database" : "no regular file"), and is not read. "
        + "Ask who made it, and remove it."
    }
    return nil
  }

  /// Whether a process holds the library's lock.
  package static func isHeld(_ root: Descriptor) -> Bool { heldLock(root) != nil }

  /// The library's lock, while a process holds it.
  package static func heldLock(_ root: Descriptor) -> Descriptor? {
    let path = [UInt8](lockName.utf8)
    let lock = try? FileSystem.openForReading(beneath: root, path, crossMounts: true)
    return lock?.isLockedElsewhere() == true ? lock : nil
  }

  /// Whether a folder has the file that a run makes first.
  package static func hasLock(_ root: Descriptor) -> Bool {
    (try? FileSystem.status(in: root, name: [UInt8](lockName.utf8))) != nil
  }

  /// The application_id in the header of a database, by default the catalogue: 0 when there is none or it has none
  /// yet, nil when it is no database.
  ///
  /// Source: sqlite.org/fileformat2.html, section 1.3.
  package static func identifier(
    of database: String = LibraryFolder.catalogueName,
    in root: Descriptor
  ) throws(FileSystemError) -> Int32? {
    let name = [UInt8](database.utf8)
    let file: Descriptor
    do {
      if try FileSystem.status(in: root, name: name).kind != .regular { return nil }
      file = try FileSystem.openForReading(beneath: root, name, crossMounts: true)
    } catch  where error.isMissing {
      return 0
    }
    var header = [UInt8](repeating: 0, count: 72)
    let count = try header.withUnsafeMutableBytes { buffer in
      Result { () throws(FileSystemError) in try file.read(into: buffer, at: 0) }
    }.get()
    if count == 0 { return 0 }
    guard count == 72, header.starts(with: "SQLite format 3\0".utf8) else { return nil }
    return header[68..<72].reduce(0) { $0 << 8 | Int32($1) }
  }

  /// Whether all names are a library's, and neither a file was published nor a log begun.
  private static func hasNothingOfARun(
    _ names: [String],
    in root: Descriptor
  ) throws(FileSystemError) -> Bool {
    let journal = Self.catalogueName + "-journal"
    let ours = Set(folderNames + catalogueFiles + [lockName, journal, DigestKey.folderName])
    guard ours.isSuperset(of: names) else { return false }
    for name in folderNames where name != ".staging" && names.contains(name) {
      do {
        let folder = try FileSystem.openForReading(
          beneath: root,
          [UInt8](name.utf8),
          crossMounts: true,
          isFolder: true
        )
        // A manifest's text is kept before the log that names it begins.
        let isBegun = try FileSystem.entries(of: folder).contains { entry in
          name != "Audit" || entry.name != Array("manifests".utf8)
        }
        if isBegun { return false }
      } catch  where error.errno == ENOENT {
        continue
      }
    }
    return true
  }

  /// Whether a path below the library is one that a published file can have: `Originals/DAY/TIME/FILE` or
  /// `Thumbnails/NAME/DAY/FILE`.
  static func isPlace(_ path: String) -> Bool {
    isPath(path, of: 4, below: ["Originals", "Thumbnails"])
  }

  /// Whether a path below the library is one that a file can have which was moved aside: `Quarantine/RUN` before
  /// the path that it had.
  static func isPlaceAside(_ path: String) -> Bool { isPath(path, of: 6, below: [quarantine]) }

  private static func isPath(_ path: String, of count: Int, below folders: [String]) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts.count == count && folders.contains(parts[0])
      && parts.allSatisfy { !["", ".", ".."].contains($0) }
  }
}
