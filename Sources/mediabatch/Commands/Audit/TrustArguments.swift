internal import ArgumentParser
internal import MediaAudit
internal import MediaModel

extension TrustedHead {
  /// Reads the value of an option.
  ///
  /// - Throws: ``OptionWordError``.
  init(option text: String) throws {
    self = try TrustedHead(text, file: PathArgument(argument: text).bytes).orThrow(
      "\"\(EscapedText.printable(text))\" is no head: give SIZE:ROOT, the file of a signed head, or the 64 "
        + "digits that a summary printed."
    )
  }
}

extension VerifierKey {
  /// Reads the value of an option: a key, or a file with one.
  ///
  /// - Throws: ``OptionWordError``.
  init(option text: String) throws {
    self = try VerifierKey(textOrFile: text, file: PathArgument(argument: text).bytes).orThrow(
      "\"\(EscapedText.printable(text))\" is no key: give what `mediabatch audit key show` printed, or a "
        + "file with it."
    )
  }
}

/// A head that tells the size of its tree, and the place that may be its file's.
struct TreeHeadArgument {
  let path: [UInt8]
  let tree: AuditTreeHead

  /// - Throws: ``OptionWordError``.
  init(text: String) throws {
    path = PathArgument(argument: text).bytes
    tree = try TrustedHead(option: text).tree.orThrow(
      "Give each head as SIZE:ROOT, or as the file of a signed head."
    )
  }
}
