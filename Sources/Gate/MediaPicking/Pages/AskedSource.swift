package import MediaWorkerProtocol

/// One of the sources that a question is about, where they have names; every text is made safe.
package struct AskedSource: Sendable, Hashable {
  /// The bytes of each of its texts.
  private static let maximumLength = 4096

  /// The source's name; that of its kind where it has none of its own.
  package var name: String
  /// Empty when there is no folder.
  package var folder: String
  /// What names it in a command of `access`, as words of a shell.
  package var words: String

  package init(name: String, folder: String, words: String) {
    (self.name, self.folder, self.words) = (name, folder, words)
  }
}

extension AskedSource: WireValue {
  package func put(into writer: inout WireWriter) {
    for text in [name, folder, words] { writer.put(text) }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    name = try reader.text(limit: Self.maximumLength)
    folder = try reader.text(limit: Self.maximumLength)
    words = try reader.text(limit: Self.maximumLength)
  }

  /// The most sources of one question.
  static let maximumCount = 128
}
