internal import ArgumentParser
internal import MediaAudit
internal import MediaModel

extension TrustedHead {
  /// Reads the value of an option.
  ///
  /// - Throws: `ValidationError`, which ends the command with 64.
  init(argument: PathArgument) throws {
    guard let head = TrustedHead(argument.text, file: argument.bytes) else {
      throw ValidationError(
        "\"\(EscapedText.printable(argument.text))\" is no head: give SIZE:ROOT, the file of a signed head, "
          + "or the 64 digits that a summary printed."
      )
    }
    self = head
  }
}

extension VerifierKey {
  /// Reads the value of an option: a key, or a file with one.
  ///
  /// - Throws: `ValidationError`, which ends the command with 64.
  init(argument: PathArgument) throws {
    guard let key = VerifierKey(textOrFile: argument.text, file: argument.bytes) else {
      throw ValidationError(
        "\"\(EscapedText.printable(argument.text))\" is no key: give what `mediabatch audit key show` printed, or "
          + "a file with it."
      )
    }
    self = key
  }
}
