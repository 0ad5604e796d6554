internal import Glibc
package import MediaFileSystem
internal import MediaModel

/// The folder that mediabatch writes, open and locked.
///
///     Originals/2026-11-21/014439.123456/Harbour at dawn.jpg
///     Thumbnails/grid/2026-11-21/014439.123456 Harbour at dawn.jpg
///     Audit/000001-<run>.ndjson
///     library.sqlite
///     private.sqlite
///     .state/digest.key
///     .lock
///     .staging/
package final class Library {
  /// As the manifest names it, resolved.
  package let path: [UInt8]
  package let root: Descriptor
  package let originals: Descriptor
  package let thumbnails: Descriptor
  package let audit: Descriptor
  package let staging: Descriptor
  package internal(set) var catalogue: Catalogue
  /// The facts that stripping takes from files; nil unless a manifest asks for them.
  package internal(set) var privateFacts: PrivateFactStore?
  /// The key under which a stripped file's source digest is stored, 32 bytes.
  package internal(set) var digestKey: [UInt8]
  private let lock: LockFile

  /// Opens the library at `path` for writing, or makes one where nothing or an empty folder is; folders
  /// above it are made too.
  ///
  /// - Parameters:
  ///   - path: Absolute.
  ///   - waits: Whether to wait until another process releases the library.
  ///   - holder: The name of this process, for others that find the library held.
  ///   - status: The folder that it was when this process opened it before; nil for any.
  /// - Throws: ``LibraryError`` `.notALibrary` for a folder that holds something else, or is another one than was
  ///   known, which stays untouched; `.held`, `.unknownSchema`, `.fileSystemUnsuitable`, `.cannotWrite`, `.outOfSpace`.
  package convenience init(
    path: [UInt8],
    waits: Bool,
    holder: String,
    status: FileStatus? = nil
  ) throws(LibraryError) {
    try self.init(
      path: path,
      waits: waits,
      holder: holder,
      opening: {
        try status.map { try Self.openRoot(path, status: $0) } ?? Self.openOrMakeRoot(path)
      },
      check: { root, isLocked in
        // Another run may have been making it when it was looked at.
        if isLocked, let refusal = try LibraryFolder(of: root).refusal(at: path) {
          throw refusal
        }
        if !isLocked { try Self.checkContent(of: root, path: path, waits: waits) }
      },
      catalogue: { (root) in
        try LibraryFolder.confirmDatabase(LibraryFolder.catalogueName, in: root)
        let catalogue = try Catalogue(
          in: path,
          LibraryFolder.catalogueName,
          digestKey: try DigestKey.read(in: root),
          keep: { try $0.write(in: root) }
        )
        return (catalogue, try Self.digestKey(of: catalogue, in: root))
      }
    )
  }

  /// Opens the folder, takes the lock, opens or makes what lies beside the catalogue, and the catalogue
  /// last. The folder is checked before anything is made in it, and again under the lock.
  init(
    path: [UInt8],
    waits: Bool,
    holder: String,
    opening: () throws -> Descriptor,
    check: (Descriptor, _ isLocked: Bool) throws -> Void,
    catalogue: (Descriptor) throws -> (Catalogue, digestKey: [UInt8])
  ) throws(LibraryError) {
    do {
      root = try opening()
      try check(root, false)
      let name = LibraryFolder.lockName
      let shown = EscapedText.percentEscaped(path) + "/" + name
      lock = try LockFile(in: root, name, mode: 0o644, shown: shown)
      while try !lock.take(holder: holder) {
        guard waits else { throw Self.held(lock.file) }
        usleep(Self.waitMicroseconds)
      }
      try check(root, true)
      for name in LibraryFolder.folderNames {
        try FileSystem.makeFolder(in: root, [UInt8](name.utf8))
      }
      originals = try Self.folder("Originals", in: root)
      thumbnails = try Self.folder("Thumbnails", in: root)
      audit = try Self.folder("Audit", in: root)
      staging = try Self.folder(".staging", in: root)
      // A library that has its catalogue was flushed on this file system before, and its next run flushes it
      // before it reads the first photo; everything else on the file system would be written out here too.
      try Self.tryFileSystem(staging, flushes: !Self.hasCatalogue(root))
      self.path = FileSystem.resolved(path) ?? path
      (self.catalogue, digestKey) = try catalogue(root)
    } catch {
      throw LibraryError(wrapping: error)
    }
  }

  /// The key in the library's own file, whose check value the catalogue has from here on.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when it is missing, damaged or another library's.
  static func digestKey(
    of catalogue: Catalogue,
    in root: Descriptor
  ) throws(LibraryError) -> [UInt8] {
    let key = try DigestKey.confirmed(
      in: root,
      of: try catalogue.identifier(),
      check: try catalogue.digestKeyCheck()
    )
    try catalogue.enter(digestKeyCheck: key.check)
    return key.bytes
  }

  /// The check value of the library's digest key, for the log.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func digestKeyCheck() throws(LibraryError) -> String {
    DigestKey(library: try catalogue.identifier(), bytes: digestKey).check
  }

  /// Makes a folder for a library, or takes an empty one, and gives it an identifier and a key: those of a plan,
  /// which all of its shards share.
  ///
  /// - Parameters:
  ///   - path: Absolute; the folders above it are made too.
  ///   - identifier: The library's identifier.
  ///   - key: The digest key, 32 bytes.
  /// - Throws: ``LibraryError``.
  package static func prepare(
    at path: [UInt8],
    identifier: String,
    key: [UInt8]
  ) throws(LibraryError) {
    do {
      let root = try openOrMakeRoot(path)
      try DigestKey(library: identifier, bytes: key).write(in: root)
    } catch {
      throw LibraryError(wrapping: error)
    }
  }

  /// The identifier and the key of the library at a path; nil when there is none.
  ///
  /// - Throws: ``LibraryError`` when its key is damaged or cannot be read.
  package static func identity(
    at path: [UInt8]
  ) throws(LibraryError) -> (identifier: String, key: [UInt8])? {
    guard let root = try? FileSystem.openFolder(path) else { return nil }
    return try DigestKey.read(in: root).map { ($0.library, $0.bytes) }
  }

  /// Draws an identifier and a key for libraries that are made from one plan.
  package static func makeIdentity() -> (identifier: String, key: [UInt8]) {
    let key = DigestKey.make(library: LocalIdentifier.make())
    return (key.library, key.bytes)
  }

  /// The path below the library of the digest key's file.
  package static let digestKeyFile = DigestKey.folderName + "/" + DigestKey.fileName

  /// The files in which SQLite takes its locks and keeps the index of a write-ahead log, also for reading.
  package static let lockFiles = [
    LibraryFolder.catalogueName + "-shm", PrivateFacts.fileName + "-shm",
  ]

  private static func folder(
    _ name: String,
    in root: Descriptor
  ) throws(FileSystemError) -> Descriptor {
    try FileSystem.openForReading(beneath: root, [UInt8](name.utf8), crossMounts: true, isFolder: true)
  }

  /// The folder of the states and locks, below the library.
  package static let stateFolder = DigestKey.folderName

  /// Opens the folder of a library that this process had open before, and no other one.
  private static func openRoot(_ path: [UInt8], status: FileStatus) throws -> Descriptor {
    if let root = try? FileSystem.openFolder(path), try root.status().isSameInode(as: status) {
      return root
    }
    throw LibraryError(
      .notALibrary,
      "\"\(EscapedText.percentEscaped(path))\" was replaced by another folder while this run went on, and nothing "
        + "was written there. Look who replaced it, and run again."
    )
  }

  /// Opens the folder at a path; makes it, and no folder above it, where it is missing.
  package static func openOrMakeRoot(_ path: [UInt8]) throws(FileSystemError) -> Descriptor {
    do {
      return try FileSystem.openFolder(path)
    } catch  where error.isMissing {
      guard let slash = path.lastIndex(of: UInt8.slash), slash > 0 else { throw error }
      let parent = try openOrMakeRoot([UInt8](path[..<slash]))
      let name = [UInt8](path[(slash + 1)...])
      if !name.isEmpty { try FileSystem.makeFolder(in: parent, name) }
      return try FileSystem.openFolder(path)
    }
  }

  /// Refuses a folder that holds something else; it stays as it is.
  ///
  /// While another run holds the lock, the folder may be a library in the making: that run is waited
  /// for, or named.
  private static func checkContent(
    of root: Descriptor,
    path: [UInt8],
    waits: Bool
  ) throws {
    while true {
      let wasHeld = LibraryFolder.isHeld(root)
      guard let refusal = try LibraryFolder(of: root).refusal(at: path) else { return }
      guard wasHeld || LibraryFolder.isHeld(root) else { throw refusal }
      guard waits else {
        let lock = try FileSystem.openForReading(
          beneath: root,
          [UInt8](LibraryFolder.lockName.utf8),
          crossMounts: true
        )
        throw held(lock)
      }
      usleep(waitMicroseconds)
    }
  }

  /// The error of a library that another run holds.
  private static func held(_ lock: Descriptor) -> LibraryError {
    LibraryError(
      .held,
      "The library is held by another run: \(LockFile.holder(of: lock)). "
        + "Repeat the command when that is done, or with --wait if it has that option."
    )
  }

  private static let waitMicroseconds: UInt32 = 200_000

  private static func hasCatalogue(_ root: Descriptor) -> Bool {
    [UInt8](LibraryFolder.catalogueName.utf8).withUnsafeBytes {
      FileSystem.exists(beneath: root, $0)
    }
  }

  /// Tries what publishing rests on, so that a file system without it is found before the first
  /// photo is read.
  ///
  /// - Parameters:
  ///   - staging: The folder in which it is tried.
  ///   - flushes: Whether the file system is flushed.
  /// - Throws: ``LibraryError`` `.fileSystemUnsuitable`; `FileSystemError` when there is no room, or no permission.
  private static func tryFileSystem(_ staging: Descriptor, flushes: Bool) throws {
    let names = [[UInt8]("try-1".utf8), [UInt8]("try-2".utf8)]
    do {
      for name in names { try FileSystem.removeFile(in: staging, name) }
      _ = try FileSystem.createFile(in: staging, names[0])
      try FileSystem.rename(from: staging, names[0], to: staging, names[1])
      _ = try FileSystem.createFile(in: staging, names[0])
      do {
        try FileSystem.rename(from: staging, names[0], to: staging, names[1])
        throw LibraryError(
          .fileSystemUnsuitable,
          "The library's file system replaces files when it renames. Use one like ext4, xfs or btrfs."
        )
      } catch let error as FileSystemError where error.errno == EEXIST {
        for name in names { try FileSystem.removeFile(in: staging, name) }
      }
      if flushes { try FileSystem.flush(fileSystemOf: staging) }
    } catch let error as FileSystemError where !error.isOutOfSpace && error.errno != EACCES {
      throw LibraryError(
        .fileSystemUnsuitable,
        "The library's file system cannot publish files safely (\(error)). "
          + "Use one like ext4, xfs or btrfs."
      )
    }
  }
}
