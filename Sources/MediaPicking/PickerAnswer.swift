package import MediaModel

/// The message of a picker or a page: one letter, then for `picked` the paths, each ended by NUL, and one
/// NUL more.
package enum PickerAnswer: Sendable, Hashable {
  /// The maximum length of a message in bytes: 100,000 live photos with long names.
  package static let maximumLength = 64 << 20

  case picked([ItemPath])
  case cancelled
  case interrupted
  case failed(ConsentError.Code)
  /// All of the source, on a page that asks for it.
  case allowed
  /// Nothing of the source.
  case denied
  /// The selection of an earlier answer.
  case kept

  private enum Letter {
    static let picked = UInt8(ascii: "P")
    static let cancelled = UInt8(ascii: "C")
    static let interrupted = UInt8(ascii: "I")
    static let failed = UInt8(ascii: "F")
    static let allowed = UInt8(ascii: "A")
    static let denied = UInt8(ascii: "D")
    static let kept = UInt8(ascii: "K")
  }

  /// The bytes that go over the socket.
  package var bytes: [UInt8] {
    switch self {
    case .picked(let paths):
      var bytes = [Letter.picked]
      for path in paths { bytes += path.bytes + [0] }
      return bytes + [0]
    case .cancelled: return [Letter.cancelled]
    case .allowed: return [Letter.allowed]
    case .denied: return [Letter.denied]
    case .kept: return [Letter.kept]
    case .interrupted: return [Letter.interrupted]
    case .failed(let code): return [Letter.failed] + Array(code.rawValue.utf8)
    }
  }

  /// Parses a message; nil for bytes that no picker sends.
  package init?(_ bytes: [UInt8]) {
    switch bytes.first {
    case Letter.cancelled, Letter.interrupted, Letter.allowed, Letter.denied, Letter.kept:
      guard bytes.count == 1 else { return nil }
      switch bytes[0] {
      case Letter.cancelled: self = .cancelled
      case Letter.interrupted: self = .interrupted
      case Letter.allowed: self = .allowed
      case Letter.denied: self = .denied
      default: self = .kept
      }
    case Letter.failed:
      guard
        let code = ConsentError.Code(rawValue: String(decoding: bytes.dropFirst(), as: UTF8.self))
      else { return nil }
      self = .failed(code)
    case Letter.picked:
      guard bytes.suffix(2) == [0, 0] else { return nil }
      let paths = bytes.dropFirst().dropLast(2).split(
        separator: 0,
        omittingEmptySubsequences: false
      )
      self = .picked(paths.map { ItemPath(bytes: Array($0)) })
    default: return nil
    }
  }
}
