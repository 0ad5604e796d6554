/// The job of converting one picture to JPEG, sent with a read-only descriptor of its file.
///
/// The answer is `thumbnail`… with the name ``resultName``, then `done`; or `failed`.
package struct ConvertJob: Sendable, Hashable {
  /// The first byte of its frame.
  static let kind: UInt8 = 3
  /// The name of the JPEG in the answer.
  package static let resultName = "jpeg"

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  /// The quality of the JPEG, 1 to 100.
  package var quality: Int

  /// Makes a job.
  package init(identifier: UInt64, quality: Int) {
    self.identifier = identifier
    self.quality = quality
  }

  /// The job as one frame.
  package var frame: [UInt8] {
    var writer = WireWriter()
    writer.put(Self.kind)
    writer.put(identifier)
    writer.put(UInt8(clamping: quality))
    return writer.frame
  }

  /// Reads a job from the content of a frame.
  ///
  /// - Throws: ``ProtocolError`` for anything that ``frame`` does not write.
  package init(frame: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = WireReader(frame)
    guard try reader.integer(UInt8.self) == Self.kind else { throw ProtocolError("not a job") }
    identifier = try reader.integer()
    quality = Int(try reader.integer(UInt8.self))
    guard (1...100).contains(quality), reader.isAtEnd else {
      throw ProtocolError("a conversion that is none")
    }
  }
}
