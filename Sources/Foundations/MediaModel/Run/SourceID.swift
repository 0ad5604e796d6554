/// A source of a manifest or a library: its kind, and the name by which the library knows it.
///
/// Of two sources of one kind only the name tells which is meant; a library knows a name for one kind alone.
package struct SourceID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// What usage descriptions, policies and denials are about.
  package let kind: SourceKind
  /// Nil where it is the kind's word, so that most sources are compared without their texts.
  private let givenName: String?

  /// The most characters of a name.
  package static let maximumNameLength = 64

  package static let camera = SourceID(.camera)
  package static let library = SourceID(.library)
  package static let microphone = SourceID(.microphone)

  /// Creates a source of a kind, which is called by the kind's word unless it has a name.
  package init(_ kind: SourceKind, name: String? = nil) {
    self.kind = kind
    givenName = name.flatMap { $0.utf8.elementsEqual(kind.rawValue.utf8) ? nil : $0 }
  }

  /// Creates a source from the two texts of a record or a row; nil if the first is no kind's word, or the second
  /// is no name of a source of that kind.
  package init?(kind: String, name: String?) {
    guard let kind = SourceKind(rawValue: kind) else { return nil }
    self.init(kind, name: name)
    if let givenName, !Self.isName(givenName) || SourceKind(rawValue: givenName) != nil { return nil }
  }

  /// Whether a source may have a name: 1 to 64 characters that can be printed, without a space at either end.
  package static func isName(_ text: String) -> Bool {
    let (bytes, scalars) = (text.utf8, text.unicodeScalars)
    // Most names are ASCII, of which there is less to look up.
    if bytes.count <= maximumNameLength, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      return !bytes.isEmpty
    }
    guard let first = scalars.first, let last = scalars.last, scalars.count <= maximumNameLength else {
      return false
    }
    return !first.properties.isWhitespace && !last.properties.isWhitespace
      && scalars.allSatisfy(EscapedText.isPrintable)
  }

  /// The name; the kind's word when it was given none.
  package var name: String { givenName ?? kind.rawValue }

  /// The name where it is another than the kind's word.
  package var ownName: String? { givenName }

  /// The name in messages, escaped: `photo library`, or `photo library "Holidays"`.
  package var displayName: String {
    guard let givenName else { return kind.displayName }
    return "\(kind.displayName) \"\(EscapedText.printable(givenName, limit: Self.maximumNameLength))\""
  }

  /// The words of a shell that name it in a command of `access`.
  package var commandWords: String {
    ownName.map { ShellWord.option("--source", $0) } ?? kind.rawValue
  }

  package var description: String { name }

  /// Whether it has a name, which is compared by its bytes, as sources are.
  package func isCalled(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }

  /// Compares bytes: Swift's `==` also takes texts for equal that only look so.
  package static func == (lhs: SourceID, rhs: SourceID) -> Bool {
    guard lhs.kind == rhs.kind else { return false }
    switch (lhs.givenName, rhs.givenName) {
    case (nil, nil): return true
    case (let name?, let other?): return name.utf8.elementsEqual(other.utf8)
    default: return false
    }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    if var name = givenName { name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) } }
  }

  /// Orders sources by kind, as they are declared, and by the bytes of their names.
  package static func < (lhs: SourceID, rhs: SourceID) -> Bool {
    lhs.kind == rhs.kind ? lhs.name.utf8.lexicographicallyPrecedes(rhs.name.utf8) : lhs.kind < rhs.kind
  }
}
