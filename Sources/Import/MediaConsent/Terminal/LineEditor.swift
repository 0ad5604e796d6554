internal import MediaModel

/// Edits a line byte by byte as a person types it, and computes its echo on the terminal.
///
/// Only printable characters are echoed; the sequences of arrow keys and the like are
/// swallowed.
struct LineEditor {
  /// The effect of a byte.
  enum Event: Hashable {
    /// Enter: the line without its end.
    case line(String)
    /// Ctrl-C
    case interrupted
    /// Ctrl-D
    case ended
  }

  /// Bytes; what is typed beyond them is not taken.
  static let maximumLength = 1000

  /// Ctrl-C and Ctrl-D.
  static let interrupt: UInt8 = 0x03
  static let endOfInput: UInt8 = 0x04

  private enum State {
    case text
    case escape
    /// Within a control sequence, up to its final byte. Source: ECMA-48, 5.4.
    case sequence
  }

  private var characters: [Unicode.Scalar] = []
  private var length = 0
  private var partial: [UInt8] = []
  private var state = State.text

  /// Takes one byte.
  ///
  /// - Returns: Bytes to show, and what it brought about; after an event this begins anew.
  mutating func take(_ byte: UInt8) -> (echo: [UInt8], event: Event?) {
    switch byte {
    case Self.interrupt: return end(.interrupted)
    case Self.endOfInput: return end(.ended)
    case 0x0A, 0x0D:
      var view = String.UnicodeScalarView()
      view.append(contentsOf: characters)
      return end(.line(String(view)))
    default: break
    }
    switch state {
    case .escape:
      state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .text
      return ([], nil)
    case .sequence:
      if (0x40...0x7E).contains(byte) { state = .text }
      return ([], nil)
    case .text: return (text(byte), nil)
    }
  }

  private mutating func end(_ event: Event) -> (echo: [UInt8], event: Event?) {
    self = LineEditor()
    return ([UInt8.newline], event)
  }

  private mutating func text(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case 0x1B:
      state = .escape
      return []
    case 0x08, 0x7F: return erase()
    case 0x15: return characters.indices.flatMap { _ in erase() }
    case ..<0x20: return []
    case 0x20..<0x7F:
      partial = []
      return append([byte])
    default:
      // The first byte of a sequence begins it, whatever stood before.
      if byte >= 0xC0 { partial = [] }
      partial.append(byte)
      guard UTF8Sequence.length(in: partial, at: 0) == partial.count else {
        if partial.count >= 4 { partial = [] }
        return []
      }
      let sequence = partial
      partial = []
      return append(sequence)
    }
  }

  private mutating func append(_ bytes: [UInt8]) -> [UInt8] {
    guard length + bytes.count <= Self.maximumLength,
      let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first,
      EscapedText.isPrintable(scalar)
    else { return [] }
    characters.append(scalar)
    length += bytes.count
    return bytes
  }

  private mutating func erase() -> [UInt8] {
    guard let scalar = characters.popLast() else { return [] }
    length -= String(scalar).utf8.count
    // East Asian characters take two columns, and nearly all of them are above this.
    let columns = scalar.value < 0x1100 ? 1 : 2
    let erasure: [UInt8] = [0x08, 0x20, 0x08]
    return columns == 1 ? erasure : erasure + erasure
  }
}
