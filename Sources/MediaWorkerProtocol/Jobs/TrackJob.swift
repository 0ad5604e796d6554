internal import MediaModel

/// The job of reading a GPS track, sent with a read-only descriptor of it.
///
/// The answer is `points`…, then `done`; or `failed`.
package struct TrackJob: WireValue, Hashable {
  /// The first byte of its frame.
  static let kind: UInt8 = 6

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64

  /// Makes a job.
  package init(identifier: UInt64) { self.identifier = identifier }

  package func put(into writer: inout WireWriter) {
    writer.put(Self.kind)
    writer.put(identifier)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    guard try reader.integer(UInt8.self) == Self.kind else { throw ProtocolError("not a job") }
    identifier = try reader.integer()
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
