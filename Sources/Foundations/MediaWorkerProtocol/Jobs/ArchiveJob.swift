package import MediaModel

/// The job of listing an archive, or of reading one of its files, sent with a read-only descriptor of it.
///
/// The answer is `entries`… (of a `.tgz` with `inflatePoint`s between), `content`… or `sidecar`, then `done`; or `failed`
/// at any point.
package struct ArchiveJob: WireValue, Hashable {
  /// The first byte of its frame.
  static let kind: UInt8 = 5

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  package var format: ArchiveFormat
  /// The file that is read; nil for the list of all.
  package var entry: ArchiveEntry?
  /// The notation of the file if what it describes is wanted in place of its bytes; it has at most
  /// ``maximumDescriptionSize`` bytes then.
  package var sidecar: SidecarFormat?
  /// Where inflating begins, before the file; nil for the beginning of the archive.
  package var point: InflatePoint?

  /// The most bytes of a file in an archive that is read as a description.
  package static let maximumDescriptionSize: Int64 = 64 << 10

  /// Makes a job.
  package init(
    identifier: UInt64,
    format: ArchiveFormat = .zip,
    entry: ArchiveEntry? = nil,
    sidecar: SidecarFormat? = nil,
    point: InflatePoint? = nil
  ) {
    (self.identifier, self.format, self.entry) = (identifier, format, entry)
    (self.sidecar, self.point) = (sidecar, point)
  }

  package func put(into writer: inout WireWriter) {
    writer.begin(Self.kind, identifier)
    writer.put(format.rawValue)
    writer.put(entry) { $0.put($1) }
    writer.put(sidecar) { $0.put($1.rawValue) }
    writer.put(point) { $0.put($1) }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    identifier = try reader.identifier(ofJob: Self.kind)
    format = try reader.choice()
    entry = try reader.bool() ? try reader.archiveEntry() : nil
    sidecar = try reader.bool() ? try reader.choice() : nil
    point = try reader.bool() ? try reader.inflatePoint() : nil
  }
}

extension WireWriter {
  mutating func put(_ entry: ArchiveEntry) {
    put(entry.name)
    put(entry.size)
    put(entry.storedSize)
    put(entry.modified)
    put(entry.header)
    put(entry.method)
    put(entry.checksum)
    put(entry.text) { $0.put($1) }
  }

  mutating func put(_ point: InflatePoint) {
    put(point.input)
    put(point.bits)
    put(point.output)
    put(point.window)
  }
}

extension WireReader {
  mutating func archiveEntry() throws(ProtocolError) -> ArchiveEntry {
    let entry = ArchiveEntry(
      name: try blob(limit: 1 << 16),
      size: try integer(),
      storedSize: try integer(),
      modified: try integer(),
      header: try integer(),
      method: try integer(),
      checksum: try integer(),
      text: try bool() ? try blob(limit: ArchiveEntry.maximumTextLength) : nil
    )
    guard entry.size >= 0, entry.storedSize >= 0, entry.header >= 0 else {
      throw ProtocolError("a file of an archive with a negative size")
    }
    guard entry.text.map({ Int64($0.count) == entry.size }) != false else {
      throw ProtocolError("a text of another size than its file")
    }
    return entry
  }

  mutating func inflatePoint() throws(ProtocolError) -> InflatePoint {
    let point = InflatePoint(
      input: try integer(),
      bits: try integer(),
      output: try integer(),
      window: try blob(limit: InflatePoint.windowLength)
    )
    guard point.input > 0, (0...1 << 60).contains(point.output), point.bits <= InflatePoint.memberStart else {
      throw ProtocolError("a point to inflate from that cannot be")
    }
    return point
  }
}
