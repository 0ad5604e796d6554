internal import ArgumentParser
internal import Glibc
internal import MediaFileSystem
internal import MediaGallery
internal import MediaModel

/// The options for a password, without which nothing of a folder can be read.
struct PasswordOptions: ParsableArguments {
  static let rules: [OptionRule] = [
    "--password does not combine with --password-file.",
    "--password and --password-file do not combine with --as hardlink or symlink.",
  ]

  @Flag(
    help: ArgumentHelp(
      "Encrypt the site by a password, which is asked for at the terminal.",
      details: "Browsers open the site from https, from a folder of the computer itself, and from localhost."
    )
  )
  var password = false

  @Option(help: .rare("Take the first line of this file as the password.", valueName: "file"))
  var passwordFile: PathArgument?

  /// The most bytes of a password.
  private static let mostBytes = 1024

  /// Reads the password, or asks for it.
  ///
  /// - Returns: The password in UTF-8; nil if none is wanted.
  /// - Throws: ``CommandFailure`` for none, a weak one, and two that differ.
  func read() throws -> [UInt8]? {
    let bytes: [UInt8]
    if let passwordFile {
      bytes = try Self.line(of: passwordFile)
    } else if password {
      bytes = try Self.asked()
    } else {
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty, bytes.count <= Self.mostBytes,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
      // Nobody sees it, and who is told the password does not type it.
      text.first?.isWhitespace == false, text.last?.isWhitespace == false
    else {
      throw CommandFailure(
        "A password is one line of 1 to \(Self.mostBytes) bytes in UTF-8, without control characters, and without "
          + "spaces at its ends."
      )
    }
    let bits = PasswordStrength.bits(of: text)
    guard bits >= PasswordStrength.leastBits else {
      throw CommandFailure(
        "The password is too weak: it has about \(bits) bits and needs \(PasswordStrength.leastBits), since whoever "
          + "has the folder can try passwords as fast as a computer can. Take five random words, or 20 random letters "
          + "and digits."
      )
    }
    return bytes
  }

  private static func line(of file: PathArgument) throws(CommandFailure) -> [UInt8] {
    do {
      let bytes = try FileSystem.readSmallStream(file.bytes, limit: 1 << 16)
      // Notepad writes a byte order mark, which nobody can type.
      let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
      let line = text.prefix { $0 != .newline }
      return Array(line.last == 0x0D ? line.dropLast() : line)
    } catch {
      let shown = EscapedText.percentEscaped(file.bytes)
      throw CommandFailure("\"\(shown)\" cannot be read as a password: \(error.reason(besides: shown)).")
    }
  }

  private static func asked() throws(CommandFailure) -> [UInt8] {
    guard isatty(STDIN_FILENO) == 1, Console.isErrorTerminal else {
      throw CommandFailure(
        "--password asks at a terminal, and there is none. Name a file with --password-file."
      )
    }
    let first = typed("Password: ")
    // Ctrl-C is a character while nothing is shown.
    if first.contains(3) { throw CommandFailure("Nothing was made.", .interrupted) }
    guard typed("The same again: ") == first else {
      throw CommandFailure("The two passwords differ. Nothing was made.")
    }
    return first
  }

  /// What a person types, which the terminal does not show. Source: getpass(3).
  private static func typed(_ question: String) -> [UInt8] {
    guard let line = getpass(question) else { return [] }
    let count = strlen(line)
    let bytes = [UInt8](UnsafeRawBufferPointer(start: line, count: count))
    memset(line, 0, count)
    return bytes
  }
}
