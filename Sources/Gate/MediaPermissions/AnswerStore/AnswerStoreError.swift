internal import GRDB
internal import MediaFileSystem
package import MediaModel

/// Why the stored answers cannot be read, believed or changed.
///
/// None of these means that nobody has answered: a denial may be in the store, so code that meets one
/// opens no source that a stored answer could close.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, CaseIterable, Sendable, Hashable {
    /// Neither `XDG_DATA_HOME` nor a home folder says where the store lies.
    case noPlace
    /// There is no store: the one case in which nobody has answered.
    case missing
    /// Others may write the folder, or one above it.
    case folderNotSafe
    /// A link, a folder, a device; or others may read or write it.
    case fileNotSafe
    /// Folder or file belong to another user.
    case foreign
    /// A file of something else, or of nothing.
    case notAStore
    case damaged
    /// Written by another version.
    case unknownSchema
    /// The answers are not those that the transitions tell of.
    case inconsistent
    /// An answer that no rule allows, such as a denial that expires.
    case invalidAnswer
    case cannotRead
    case notWritable
    case outOfSpace
    /// Another process has held it for too long.
    case busy
  }

  package var code: Code
  /// Escaped sentences that say what happened, to which file, and what to do.
  package var description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The exit code of a command that cannot go on without the store.
  package var exitCode: RunExitCode {
    switch code {
    case .noPlace, .missing, .folderNotSafe, .fileNotSafe, .foreign, .notAStore, .damaged,
      .inconsistent:
      .manifestMistake
    case .unknownSchema: .anotherVersion
    case .cannotRead, .notWritable, .outOfSpace, .busy: .cannotWrite
    case .invalidAnswer: .internalCheck
    }
  }
}

extension StoreError {
  /// A failed call of the database, about the store at `path`.
  init(_ error: any Error, path: [UInt8]) {
    if let error = error as? StoreError {
      self = error
      return
    }
    let name = Self.shown(path)
    guard let error = error as? DatabaseError else {
      self.init(.cannotRead, "The stored answers in \(name) cannot be used: \(error).")
      return
    }
    // SQLite's own words are about the file or a column, never about what is stored.
    let cause = error.message ?? "error \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(
        .busy,
        "Another process is using the stored answers in \(name). Wait for it to end, then try again."
      )
    case .SQLITE_FULL:
      self.init(
        .outOfSpace,
        "The stored answers in \(name) cannot grow: no space is left. Nothing was changed. Make "
          + "room, then try again."
      )
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_IOERR, .SQLITE_AUTH:
      self.init(
        .notWritable,
        "The stored answers in \(name) cannot be written (\(cause)). Nothing was changed. Make the "
          + "file and its folder writable for you, or set XDG_DATA_HOME to a folder that is."
      )
    case .SQLITE_NOMEM:
      // The file may be whole: nobody is told to move it away.
      self.init(
        .cannotRead,
        "The stored answers in \(name) cannot be used: memory ran out. Nothing was changed. Free some, then try "
          + "again."
      )
    case .SQLITE_NOTADB:
      self.init(.notAStore, Self.notAStore(path))
    default:
      self.init(.damaged, Self.damaged(path, cause))
    }
  }

  /// A failed call on the file or its folder.
  init(_ error: FileSystemError, path: [UInt8]) {
    let name = Self.shown(path)
    if error.isOutOfSpace {
      self.init(
        .outOfSpace,
        "The stored answers in \(name) cannot be made: no space is left. Make room, then try again."
      )
    } else if error.call == "create" || error.call == "mkdir" || error.call == "link" {
      self.init(
        .notWritable,
        "The stored answers in \(name) cannot be made: \(FileSystemError.text(error.errno)). Make "
          + "its folder writable for you, or set XDG_DATA_HOME to a folder that is."
      )
    } else {
      self.init(
        .cannotRead,
        "The stored answers in \(name) cannot be read: \(FileSystemError.text(error.errno)). Make them "
          + "readable for you; until then none of them counts."
      )
    }
  }

  static func notAStore(_ path: [UInt8]) -> String {
    "\(shown(path)) does not hold stored answers of mediabatch. Move it away, or set XDG_DATA_HOME "
      + "to another folder."
  }

  static func damaged(_ path: [UInt8], _ cause: String) -> String {
    "The stored answers in \(shown(path)) are damaged (\(EscapedText.printable(cause))), so none of them "
      + "counts. Restore the file from a copy, or move it away: then each question is asked again."
  }

  /// A path in quotes, safe for a terminal.
  static func shown(_ path: [UInt8]) -> String { "\"\(EscapedText.percentEscaped(path))\"" }
}
