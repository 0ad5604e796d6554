import MediaTestSupport
import Testing

@testable import MediaExport

@Suite("A selection of a gallery is read as people send it")
struct ClientSelectionTests {
  private static let plain = """
    mediabatch-selection/1
    gallery: 7F3C-91AE Coast & Hills
    from: Ann Müller
    note: Please make the lighthouse a little warmer.

    D115D52F-C87B  Jump
    a21dfce2c273  The bay, ten minutes later

    """

  private static func names(_ selection: ClientSelection) -> [String] {
    selection.identifiers.map(\.description)
  }

  private static func error(of text: String) -> SelectionError? {
    error(of: Array(text.utf8))
  }

  private static func error(of bytes: [UInt8]) -> SelectionError? {
    do {
      _ = try ClientSelection(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test("The head tells the gallery, the person and the note; each line behind it an identifier")
  func plain() throws {
    let selection = try ClientSelection(Array(Self.plain.utf8))
    #expect(selection.gallery == "7F3C-91AE Coast & Hills")
    #expect(selection.from == "Ann Müller")
    #expect(selection.note == "Please make the lighthouse a little warmer.")
    #expect(Self.names(selection) == ["d115d52f-c87b", "a21dfce2-c273"])
    #expect(selection.others.isEmpty)
  }

  @Test(
    "Line ends, a mark of the byte order, quoting and a letter around it change nothing",
    arguments: [
      { $0.replacing("\n", with: "\r\n") },
      { "\u{FEFF}" + $0 },
      { "> " + $0.replacing("\n", with: "\n> ") },
      { ">> " + $0.replacing("\n", with: "\r\n>> ") },
      { "> > " + $0.replacing("\n", with: "\n> > ").replacing("> \n", with: ">\n") },
      { "Hello,\n\nhere it is.\n-- \nAnn\n\nOn Monday somebody wrote:\n" + $0 },
      { $0 + "-- \nAnn Müller\nDEADBEEF 12\n" }, { $0 + "--\nDEADBEEF\n" },
      { $0.replacing("  Jump", with: "\tJump") }, { $0.replacing("  Jump", with: "\u{A0} Jump") },
      { $0.replacing("  Jump", with: "") }, { $0.replacing("\n\n", with: "\n \n\n") },
      { $0 + "\n\nD115D52FC87B again\n" }, { $0.replacing("C87B", with: "C87B/L0/001") },
      { $0.replacing("a little warmer.", with: "a\n little warmer.") },
      { $0.replacing("a little warmer.", with: "a\nnote: little\nnote: warmer.") },
      { String($0.dropLast()) },
    ] as [@Sendable (String) -> String]
  )
  func mail(change: @Sendable (String) -> String) throws {
    let selection = try ClientSelection(Array(change(Self.plain).utf8))
    #expect(selection.from == "Ann Müller")
    #expect(selection.note == "Please make the lighthouse a little warmer.")
    #expect(Self.names(selection) == ["d115d52f-c87b", "a21dfce2-c273"])
    #expect(selection.others.isEmpty)
  }

  @Test("A head without words, and a list without lines, are a selection of nothing")
  func empty() throws {
    for text in [
      "mediabatch-selection/1", "mediabatch-selection/1\n\n", "mediabatch-selection/1\nx: y\n",
    ] {
      let selection = try ClientSelection(Array(text.utf8))
      #expect(selection.identifiers.isEmpty && selection.others.isEmpty)
      #expect(selection.from.isEmpty && selection.note.isEmpty && selection.gallery.isEmpty)
    }
  }

  @Test("The empty line before the list may be lost, but behind a note")
  func lostEmptyLine() throws {
    let list = "12345678\n1234567A  Jump\n"
    let selection = try ClientSelection(Array(("mediabatch-selection/1\nfrom: Ann\n" + list).utf8))
    #expect(Self.names(selection) == ["12345678", "1234567a"] && selection.from == "Ann")
    let noted = try ClientSelection(Array(("mediabatch-selection/1\nnote: order\n" + list).utf8))
    #expect(noted.identifiers.isEmpty && noted.note == "order 12345678 1234567A  Jump")
  }

  @Test("A word that is no identifier is kept apart, as it is")
  func others() throws {
    let words = [
      "Kind", "1234567", "12-34-56-7", "\u{202E}0123456789", "1234567g",
      String(repeating: "a", count: 33),
    ]
    let text = "mediabatch-selection/1\n\n12345678\n" + words.joined(separator: " x\n")
    let selection = try ClientSelection(Array(text.utf8))
    #expect(selection.others == words)
    #expect(Self.names(selection) == ["12345678"])
    let broken = try ClientSelection(
      Array("mediabatch-selection/1\nfrom: ".utf8) + [0xFF, 0x0A, 0x0A, 0xC2]
    )
    #expect(broken.from == "\u{FFFD}" && broken.others == [""])
  }

  @Test("What is no selection, or a later one, is said")
  func refused() {
    for text in ["", "\n", "D115D52F-C87B\n", "mediabatch.list/1\n", " mediabatch-selectio"] {
      #expect(Self.error(of: text) == .noSelection)
    }
    #expect(Self.error(of: [0xFF, 0xFE] + Array("mediabatch".utf8)) == .noSelection)
    #expect(Self.error(of: "mediabatch-selection/2\n") == .otherVersion("2"))
    #expect(Self.error(of: "mediabatch-selection/\u{1B}[2J\n")?.description.contains("\u{1B}") == false)
  }

  @Test("A mebibyte and 100,000 identifiers are the most")
  func limits() throws {
    let head = "mediabatch-selection/1\n\n"
    let space = String(repeating: " ", count: ClientSelection.mostBytes - head.utf8.count)
    #expect(Self.error(of: head + space) == nil)
    #expect(Self.error(of: head + space + " ") == .tooLong)
    func list(_ count: Int) -> String {
      (0..<count).map { String(0x1000_0000 + $0, radix: 16) }.joined(separator: "\n")
    }
    let most = try ClientSelection(Array((head + list(ClientSelection.mostIdentifiers)).utf8))
    #expect(most.identifiers.count == ClientSelection.mostIdentifiers)
    #expect(Self.error(of: head + list(ClientSelection.mostIdentifiers + 1)) == .tooMany)
    let words = String(repeating: "x\n", count: ClientSelection.mostIdentifiers + 1)
    #expect(Self.error(of: head + words) == .tooMany)
  }

  @Test("An identifier begins with each of its parts of 8 digits or more, and with no other one")
  func prefixes() throws {
    let whole = "0123abcd-4567-89ef-0011-223344556677"
    let identifier = try #require(IdentifierPrefix(whole.utf8))
    #expect(identifier.description == whole)
    let digits = Array(whole.replacing("-", with: ""))
    for count in 1...digits.count {
      let part = String(digits[..<count])
      guard count >= 8 else {
        #expect(IdentifierPrefix(part.utf8) == nil)
        continue
      }
      let prefix = try #require(IdentifierPrefix(part.uppercased().utf8))
      #expect(prefix.begins(identifier) && identifier.begins(prefix) == (count == digits.count))
      #expect(prefix.description == whole.prefix(prefix.description.count))
      var other = Array(part.utf8)
      other[count - 1] =
        other[count - 1] == UInt8(ascii: "f") ? UInt8(ascii: "e") : UInt8(ascii: "f")
      if digits[count - 1] != "f" { #expect(IdentifierPrefix(other)?.begins(identifier) == false) }
    }
    #expect(IdentifierPrefix("".utf8) == nil && IdentifierPrefix("--------".utf8) == nil)
  }
}
