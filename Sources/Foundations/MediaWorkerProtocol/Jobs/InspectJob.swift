package import MediaModel

/// The job of inspecting one file, sent with a read-only descriptor of it.
package struct InspectJob: WireValue, Hashable {
  /// The first byte of its frame, which differs from that of a ``Job``.
  static let kind: UInt8 = 2

  /// The identifier, chosen by the coordinator, that every message about this job contains.
  package var identifier: UInt64
  /// The metadata that `strip` would keep.
  package var except: Set<MetadataException>
  /// Whether a location that ``except`` keeps is rounded to 0.1 degrees.
  package var isLocationCoarse: Bool
  /// Whether entries contain their values.
  package var showsValues: Bool

  /// Makes a job; by default `strip` keeps nothing and entries have no values.
  package init(
    identifier: UInt64,
    except: Set<MetadataException> = [],
    isLocationCoarse: Bool = false,
    showsValues: Bool = false
  ) {
    self.identifier = identifier
    self.except = except
    self.isLocationCoarse = isLocationCoarse
    self.showsValues = showsValues
  }

  package func put(into writer: inout WireWriter) {
    writer.begin(Self.kind, identifier)
    writer.put(except)
    writer.put(isLocationCoarse)
    writer.put(showsValues)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    identifier = try reader.identifier(ofJob: Self.kind)
    except = try reader.choices()
    isLocationCoarse = try reader.bool()
    showsValues = try reader.bool()
  }
}
