internal import MediaModel

/// The pictures that a person chose in a gallery, as the file says that its page saves, which may have come by
/// mail.
///
/// What stands above the line `mediabatch-selection/1` and below a signature is not read. Who chose, and the note,
/// are for people alone: nothing stores them.
///
/// Source: RFC 3676, section 4.3 (signatures) and 4.5 (quoted lines).
package struct ClientSelection: Sendable {
  /// The most bytes of a file.
  package static let mostBytes = 1 << 20
  /// The most identifiers of a file.
  package static let mostIdentifiers = 100_000

  /// The name of the gallery; not escaped, as the others.
  package private(set) var gallery = ""
  /// Who chose.
  package private(set) var from = ""
  package private(set) var note = ""
  /// The identifiers, each once.
  package internal(set) var identifiers: [IdentifierPrefix] = []
  /// The words that stand where identifiers should, and are none; not escaped.
  package private(set) var others: [String] = []

  private enum Part { case before, head, list }

  private static let firstLine = Array("mediabatch-selection/".utf8)
  private static let version = "1"

  /// Reads a file.
  ///
  /// - Throws: ``SelectionError`` when it is no selection, or has more bytes or identifiers than one may have.
  package init(_ bytes: [UInt8]) throws(SelectionError) {
    if bytes.count > Self.mostBytes { throw .tooLong }
    var part = Part.before
    var seen: Set<IdentifierPrefix> = []
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for line in bytes[start...].split(
      omittingEmptySubsequences: false,
      whereSeparator: { $0 == .newline }
    ) {
      let text = Self.content(of: line)
      switch part {
      case .before:
        guard text.starts(with: Self.firstLine) else { continue }
        let version = String(decoding: text.dropFirst(Self.firstLine.count), as: UTF8.self)
        guard version == Self.version else { throw .otherVersion(version) }
        part = .head
      case .head where text.isEmpty: part = .list
      case .head where !isFirstItem(text): readHead(text)
      case .head:
        part = .list
        try readItem(text, &seen)
      case .list:
        // A mail program may have cut the space behind it.
        if text.elementsEqual("--".utf8) { return }
        if text.isEmpty { continue }
        try readItem(text, &seen)
      }
    }
    if part == .before { throw .noSelection }
  }

  /// A line without the marks of quoted mail, and without the spaces around it.
  private static func content(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = line
    while let byte = text.first, isSpace(byte) || byte == UInt8(ascii: ">") { text.removeFirst() }
    while let byte = text.last, isSpace(byte) { text.removeLast() }
    return text
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == .space || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Whether a line of the head is an identifier already, as where the empty line before it was lost; behind a note it
  /// may be the note's.
  private func isFirstItem(_ line: ArraySlice<UInt8>) -> Bool {
    note.isEmpty && IdentifierPrefix(Self.firstWord(of: line)) != nil
  }

  private static func firstWord(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // Between the columns mail may have spaces that do not break, which are C2 A0.
    line.prefix { !isSpace($0) && $0 != 0xC2 }
  }

  private mutating func readHead(_ line: ArraySlice<UInt8>) {
    func value(of name: String) -> String? {
      guard line.starts(with: name.utf8) else { return nil }
      return String(decoding: Self.content(of: line.dropFirst(name.utf8.count)), as: UTF8.self)
    }
    if let value = value(of: "gallery:") {
      gallery = value
    } else if let value = value(of: "from:") {
      from = value
    } else if let value = value(of: "note:") {
      // A note of several lines has the word in each.
      note += note.isEmpty ? value : " " + value
    } else if !note.isEmpty {
      // Mail breaks long lines.
      note += " " + String(decoding: line, as: UTF8.self)
    }
  }

  private mutating func readItem(
    _ line: ArraySlice<UInt8>,
    _ seen: inout Set<IdentifierPrefix>
  ) throws(SelectionError) {
    let word = Self.firstWord(of: line)
    if let identifier = IdentifierPrefix(word) {
      if seen.insert(identifier).inserted { identifiers.append(identifier) }
    } else {
      others.append(String(decoding: word, as: UTF8.self))
    }
    if identifiers.count + others.count > Self.mostIdentifiers { throw .tooMany }
  }
}

/// The reason that a file is no selection.
package enum SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  case noSelection
  case otherVersion(String)
  case tooLong
  case tooMany

  package var description: String {
    switch self {
    case .noSelection:
      "it has no line \"mediabatch-selection/1\", with which a gallery's selection begins"
    case .otherVersion(let version):
      "it is a selection of version \(EscapedText.printable(version, limit: 20)), but this program reads version 1"
    case .tooLong: "it has more than 1 MiB"
    case .tooMany: "it has more than 100,000 identifiers"
    }
  }
}
