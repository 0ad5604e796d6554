package import MediaModel

/// The job of converting one picture to JPEG, sent with a read-only descriptor of its file.
///
/// The answer is `thumbnail`… with the name ``resultName``, then `done`; or `failed`.
package struct ConvertJob: WireValue, Hashable {
  /// The first byte of its frame.
  static let kind: UInt8 = 3
  /// The name of the JPEG in the answer.
  package static let resultName = "jpeg"

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  /// The quality of the JPEG, 1 to 100.
  package var quality: Int
  /// The facts that are written into the JPEG; nil for none.
  package var facts: EmbeddedFacts?

  /// Makes a job.
  package init(identifier: UInt64, quality: Int, facts: EmbeddedFacts? = nil) {
    self.identifier = identifier
    self.quality = quality
    self.facts = facts
  }

  package func put(into writer: inout WireWriter) {
    writer.begin(Self.kind, identifier)
    writer.put(UInt8(clamping: quality))
    writer.put(facts) { $0.put($1) }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    identifier = try reader.identifier(ofJob: Self.kind)
    quality = Int(try reader.integer(UInt8.self))
    facts = try reader.bool() ? try reader.embeddedFacts() : nil
    guard (1...100).contains(quality) else { throw ProtocolError("a conversion that is none") }
  }
}
