package import MediaModel

/// The job of listing an archive, or of reading one of its files, sent with a read-only descriptor of it.
///
/// The answer is `entries`…, `content`… or `sidecar`, then `done`; or `failed` at any point.
package struct ArchiveJob: WireValue, Hashable {
  /// The first byte of its frame.
  static let kind: UInt8 = 5

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  /// The file that is read; nil for the list of all.
  package var entry: ArchiveEntry?
  /// The notation of the file if what it describes is wanted in place of its bytes; it has at most
  /// ``maximumDescriptionSize`` bytes then.
  package var sidecar: SidecarFormat?

  /// The most bytes of a file in an archive that is read as a description.
  package static let maximumDescriptionSize: Int64 = 64 << 10

  /// Makes a job.
  package init(
    identifier: UInt64,
    entry: ArchiveEntry? = nil,
    sidecar: SidecarFormat? = nil
  ) {
    (self.identifier, self.entry, self.sidecar) = (identifier, entry, sidecar)
  }

  package func put(into writer: inout WireWriter) {
    writer.begin(Self.kind, identifier)
    writer.put(entry) { $0.put($1) }
    writer.put(sidecar) { $0.put($1.rawValue) }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    identifier = try reader.identifier(ofJob: Self.kind)
    entry = try reader.bool() ? try reader.archiveEntry() : nil
    sidecar = try reader.bool() ? try reader.choice() : nil
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
      checksum: try integer()
    )
    guard entry.size >= 0, entry.storedSize >= 0, entry.header >= 0 else {
      throw ProtocolError("a file of an archive with a negative size")
    }
    return entry
  }
}
