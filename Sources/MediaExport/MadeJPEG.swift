internal import MediaModel
internal import MediaWorkerProtocol

/// A JPEG that a worker makes, as far as its parts have come.
struct MadeJPEG {
  /// The name that its parts have.
  var name: String
  /// The most bytes that it may have.
  var mostBytes: Int
  private(set) var bytes: [UInt8] = []
  /// The reason that there is none, escaped.
  private(set) var problem: String?
  /// The Debian package without which there is none.
  private(set) var missingPackage: String?

  init(named name: String, mostBytes: Int) { (self.name, self.mostBytes) = (name, mostBytes) }

  /// Enters a message.
  ///
  /// - Returns: Whether it was the last.
  /// - Throws: `ProtocolError` for a message that does not fit, and for bytes that are no JPEG.
  mutating func take(_ message: WorkerMessage) throws(ProtocolError) -> Bool {
    switch message {
    case .thumbnail(_, name, _, let part, _):
      guard bytes.count + part.count <= mostBytes else {
        throw ProtocolError("a JPEG of more than \(mostBytes) bytes")
      }
      bytes += part
      return false
    case .done:
      // Its beginning and its end. Source: ITU-T T.81, section B.1.1.3: SOI, the prefix of the next
      // marker, EOI.
      guard bytes.starts(with: [0xFF, 0xD8, 0xFF]), bytes.suffix(2) == [0xFF, 0xD9] else {
        throw ProtocolError("no JPEG")
      }
      return true
    case .failed(_, _, let reason, let detail):
      let detail = EscapedText.printable(detail, limit: 200)
      problem = "\(reason.rawValue): \(detail)"
      if reason == .decoderMissing { missingPackage = detail }
      return true
    default: throw ProtocolError("an answer that was not requested")
    }
  }
}
