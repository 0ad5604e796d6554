package import MediaModel

/// The job of reading a GPS track, or a file of names of places, sent with a read-only descriptor of it.
///
/// The answer is `points`… or `places`…, then `done`; or `failed`.
package struct LocationJob: WireValue, Hashable {
  /// The first byte of its frame.
  static let kind: UInt8 = 6

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  /// What the file is.
  package var data: LocationData

  /// Makes a job.
  package init(identifier: UInt64, data: LocationData) {
    (self.identifier, self.data) = (identifier, data)
  }

  package func put(into writer: inout WireWriter) {
    writer.begin(Self.kind, identifier)
    writer.put(data.rawValue)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    identifier = try reader.identifier(ofJob: Self.kind)
    data = try reader.choice()
  }
}

extension WireWriter {
  mutating func put(_ point: TrackPoint) {
    put(point.time)
    put(point.place)
  }
}

extension WireReader {
  mutating func trackPoint() throws(ProtocolError) -> TrackPoint {
    let time = try integer(Int64.self)
    guard TrackPoint.times.contains(time) else { throw ProtocolError("a time of no calendar") }
    return TrackPoint(time: time, place: try location())
  }
}

extension WireWriter {
  mutating func put(_ entry: GazetteerEntry) {
    put(entry.name)
    put(entry.place) { $0.put($1) }
    put(entry.country)
    put(entry.region)
  }
}

extension WireReader {
  mutating func gazetteerEntry() throws(ProtocolError) -> GazetteerEntry {
    let entry = GazetteerEntry(
      name: try text(limit: PlaceName.maximumLength),
      place: try bool() ? try location() : nil,
      country: try text(limit: 2),
      region: try text(limit: PlaceName.maximumCodeLength)
    )
    guard !entry.name.isEmpty, entry.country.utf8.count != 1,
      entry.country.utf8.allSatisfy(\.isASCIIUppercase),
      entry.region.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw ProtocolError("a place without a name or with a code of no country") }
    return entry
  }
}
