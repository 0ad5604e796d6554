/// The job of converting one film to H.264 and AAC in MP4, sent with a read-only descriptor of its file.
///
/// The answer is `film`… and `filmProgress`…, then `done`, which comes alone for a film that browsers play as it is; or `failed`.
package struct FilmJob: WireValue, Hashable {
  /// The first byte of its frame.
  static let kind: UInt8 = 9
  /// The pixels that the shorter side may have.
  package static let heights = 144...2160

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  /// The most pixels of the shorter side, within ``heights``.
  package var height: Int
  /// The degrees by which the film is turned, clockwise: 0, 90, 180 or 270.
  package var rotation: Int

  /// Makes a job.
  package init(identifier: UInt64, height: Int, rotation: Int = 0) {
    (self.identifier, self.height, self.rotation) = (identifier, height, rotation)
  }

  package func put(into writer: inout WireWriter) {
    writer.begin(Self.kind, identifier)
    writer.put(UInt16(clamping: height))
    writer.put(rotation: rotation)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    identifier = try reader.identifier(ofJob: Self.kind)
    height = Int(try reader.integer(UInt16.self))
    rotation = try reader.rotation()
    guard Self.heights.contains(height) else { throw ProtocolError("a film of no height") }
  }
}

extension WorkerMessage {
  /// Sends a part of a film, in as many frames as it needs.
  package static func send(
    partOfFilm bytes: UnsafeRawBufferPointer,
    at offset: Int64,
    job: UInt64,
    _ answer: ([UInt8]) -> Void
  ) {
    let room = FrameReader.maximumLength - 64
    for start in stride(from: 0, to: bytes.count, by: room) {
      let part = bytes[start..<min(start + room, bytes.count)]
      answer(WorkerMessage.film(job: job, offset: offset + Int64(start), Array(part)).frame)
    }
  }
}
