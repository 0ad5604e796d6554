internal import MediaModel
package import MediaWorkerProtocol

/// A JPEG that a worker makes, as far as its parts have come.
package struct MadeJPEG {
  /// The name that its parts have.
  package var name: String
  /// The most bytes that it may have.
  package var mostBytes: Int
  /// The bytes so far; whole after the last message.
  package private(set) var bytes: [UInt8] = []
  /// The reason that there is none, escaped.
  package private(set) var problem: String?
  /// The Debian package without which there is none.
  package private(set) var missingPackage: String?

  /// Makes one of which nothing has come yet.
  package init(named name: String, mostBytes: Int) {
    (self.name, self.mostBytes) = (name, mostBytes)
  }

  /// Enters a message.
  ///
  /// - Returns: Whether it was the last.
  /// - Throws: `ProtocolError` for a message that does not fit, and for bytes that are no JPEG.
  package mutating func take(_ message: WorkerMessage) throws(ProtocolError) -> Bool {
    switch message {
    case .thumbnail(_, name, _, let part, _, _):
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
