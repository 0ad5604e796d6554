/// Quotes words of a command that a person can paste into a shell.
package enum ShellWord {
  /// Returns a sentence, with a space before it, about how git prints the file of a revision where `path` names one,
  /// such as `origin/main:manifest.json`; else nothing.
  package static func revisionAdvice(_ path: String) -> String {
    let parts = path.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts.contains(""), !path.hasPrefix("/") else { return "" }
    return " For a file of a revision: git show \(quoted(path)) >old.json"
  }

  /// Returns `text`, escaped for a terminal, in a form that a shell passes on unchanged.
  ///
  /// Source: POSIX.1-2017, Shell Command Language, 2.2.2 Single-Quotes.
  package static func quoted(_ text: String) -> String {
    // Prevent a name that begins with `-` from being taken for an option.
    quoted(printable: EscapedText.printable(text.hasPrefix("-") ? "./" + text : text))
  }

  /// Returns an option with its value, as ``quoted(_:)``; a value that begins with `-` stays as it is, behind `=`.
  package static func option(_ name: String, _ value: String) -> String {
    value.hasPrefix("-")
      ? "\(name)=\(quoted(printable: EscapedText.printable(value)))" : "\(name) \(quoted(value))"
  }

  private static func quoted(printable: String) -> String {
    let isPlain =
      !printable.isEmpty
      && printable.utf8.allSatisfy { byte in
        byte.isASCIIAlphanumeric || byte >= 0x80 || "/._-+=:,@%".utf8.contains(byte)
      }
    if isPlain { return printable }
    // By bytes: a quote and the mark behind it may be one character.
    let pieces = printable.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    return "'" + pieces.joined(separator: "'\\''") + "'"
  }
}
