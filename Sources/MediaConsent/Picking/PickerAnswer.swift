internal import MediaModel

/// What a picker's process says: one letter, then for `picked` the paths, each ended by NUL, and one
/// NUL more.
enum PickerAnswer: Sendable, Hashable {
  /// What a picker may say in all, in bytes: 100,000 live photos of long names.
  static let maximumLength = 64 << 20

  case picked([ItemPath])
  case cancelled
  case failed(ConsentError.Code)

  private enum Letter {
    static let picked = UInt8(ascii: "P")
    static let cancelled = UInt8(ascii: "C")
    static let failed = UInt8(ascii: "F")
  }

  /// As it goes over the socket.
  var bytes: [UInt8] {
    switch self {
    case .picked(let paths):
      var bytes = [Letter.picked]
      for path in paths { bytes += path.bytes + [0] }
      return bytes + [0]
    case .cancelled: return [Letter.cancelled]
    case .failed(let code): return [Letter.failed] + Array(code.rawValue.utf8)
    }
  }

  /// What the bytes say; nil when no picker says that.
  init?(_ bytes: [UInt8]) {
    switch bytes.first {
    case Letter.cancelled:
      guard bytes.count == 1 else { return nil }
      self = .cancelled
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
