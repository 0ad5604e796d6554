internal import MediaModel

/// The name by which SQLite opens a database file whose path is bytes.
///
/// SQLite takes a path as UTF-8 text from Swift, and another file would be opened or made where bytes had been
/// repaired. It decodes the percent signs of an address itself, and names the files beside the database, `-wal`,
/// `-shm` and `-journal`, after the decoded bytes. So the address needs no open descriptor, no `/proc`, and
/// no right that the path would not need.
///
/// Source: SQLite, "Uniform Resource Identifiers"; addresses are on in builds with `SQLITE_USE_URI`.
package enum DatabaseAddress {
  /// What SQLite may do with the file.
  package enum Mode: String {
    /// Whatever the connection's own flags allow.
    case asOpened = ""
    /// Never made by SQLite, which would give it a mode of its own.
    case existing = "?mode=rw"
    case readOnly = "?mode=ro"
    /// No process writes it: it is read without a lock, and without the files beside it.
    case immutable = "?immutable=1"
  }

  /// The address of a database in ASCII.
  ///
  /// - Parameters:
  ///   - path: The bytes of its path, absolute or relative to the working directory.
  ///   - mode: What SQLite may do with it.
  /// - Returns: A URI of the scheme `file`.
  package static func text(_ path: [UInt8], _ mode: Mode = .asOpened) -> String {
    // An absolute path that begins with two slashes would name a host without the authority before it.
    var address = path.first == .slash ? "file://" : "file:"
    for byte in path {
      if byte.isASCIIAlphanumeric || "/.-_".utf8.contains(byte) {
        address.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        address += "%" + Hexadecimal.text([byte])
      }
    }
    return address + mode.rawValue
  }

  /// The address of a database by its folder and its name there.
  package static func text(
    in folder: [UInt8],
    _ name: String,
    _ mode: Mode = .asOpened
  ) -> String {
    text(folder + [UInt8.slash] + name.utf8, mode)
  }
}
