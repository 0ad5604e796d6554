internal import Glibc
internal import MediaModel

/// A file that a command writes for a person, and that is not there yet.
enum NewFile {
  /// Writes it, and ends the command with 74 when it cannot be written or is there: its path may be that of a
  /// log.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      Console.note(
        "\(EscapedText.printable(path)) cannot be written: \(String(cString: strerror(errno)))."
      )
      return try RunExitCode.cannotWrite.exit()
    }
    Console.write(bytes, to: file)
    close(file)
  }
}
