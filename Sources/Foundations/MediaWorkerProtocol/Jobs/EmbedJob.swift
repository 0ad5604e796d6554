package import MediaModel

/// The job of writing facts into a copy of one file, sent with a read-only descriptor of it.
///
/// The answer is `edit`…, `editEnd`, `done`; or `failed`.
package struct EmbedJob: WireValue, Hashable {
  /// The first byte of its frame.
  static let kind: UInt8 = 7

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  /// The facts.
  package var facts: EmbeddedFacts

  /// Makes a job.
  package init(identifier: UInt64, facts: EmbeddedFacts) {
    self.identifier = identifier
    self.facts = facts
  }

  package func put(into writer: inout WireWriter) {
    writer.begin(Self.kind, identifier)
    writer.put(facts)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    identifier = try reader.identifier(ofJob: Self.kind)
    facts = try reader.embeddedFacts()
  }
}

extension WireWriter {
  mutating func put(rotation: Int) { put(UInt16(clamping: rotation)) }

  mutating func put(_ facts: EmbeddedFacts) {
    put(facts.packet)
    var description = MediaDescription()
    description.dates = facts.date.map { [$0] } ?? []
    description.place = facts.place
    put(description)
    put(facts.keepsCopyright)
    put(rotation: facts.rotation)
  }
}

extension WireReader {
  mutating func embeddedFacts() throws(ProtocolError) -> EmbeddedFacts {
    let packet = try blob(limit: EmbeddedFacts.mostPacketBytes)
    let description = try description()
    var facts = EmbeddedFacts(packet: packet, date: description.dates.first, place: description.place)
    facts.keepsCopyright = try bool()
    facts.rotation = try rotation()
    return facts
  }

  mutating func rotation() throws(ProtocolError) -> Int {
    let degrees = Int(try integer(UInt16.self))
    guard [0, 90, 180, 270].contains(degrees) else { throw ProtocolError("a turn that is none") }
    return degrees
  }
}
