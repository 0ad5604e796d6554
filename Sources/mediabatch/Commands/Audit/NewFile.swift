internal import Glibc
internal import MediaModel

/// A file that a command writes for a person, and that is not there yet.
enum NewFile {
  /// Writes it outside of the sources of a library, and ends the command with 74 when it cannot be written or
  /// is there: its path may be that of a log.
  ///
  /// - Parameters:
  ///   - bytes: All that the file has.
  ///   - path: The person's own words for its place.
  ///   - option: The option that named it, such as `--output`.
  ///   - library: The library's folder; nil where the command has none.
  /// - Throws: `ExitCode` 64 within a source, 74; `AuditError` when the log cannot be read.
  static func write(
    _ bytes: [UInt8],
    to path: PathArgument,
    option: String,
    library: [UInt8]?
  ) throws {
    if let library {
      let sources = try SourceFolders(listedFor: library)
      try sources.requireOutside(path.bytes, option: option)
    }
    let file = open(
      (path.bytes + [0]).map { CChar(bitPattern: $0) },
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
      0o644
    )
    guard file >= 0 else {
      Console.note(
        "\(EscapedText.printable(path.text)) cannot be written: \(String(cString: strerror(errno)))."
      )
      return try RunExitCode.cannotWrite.exit()
    }
    Console.write(bytes, to: file)
    close(file)
  }
}
