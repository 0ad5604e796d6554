/// The classes of metadata, by what a value tells about; receipts, reports and `inspect` use these
/// words.
package enum MetadataClass: String, CaseIterable, Sendable, Hashable {
  /// A place: coordinates, GPS values, names of places.
  case location
  /// A person: creators, owners, people in the picture, rights.
  case person
  /// A device or a program: makes, models, serial numbers, maker notes, software.
  case device
  /// A time: capture, change, time zones.
  case time
  /// A text by a person: titles, captions, comments, keywords.
  case text
  /// Everything else: settings of the exposure, thumbnails, unknown values, parts of the container.
  case other
  /// A sound track that was taken out, which is no metadata.
  case soundTrack = "sound track"

  /// Whether it tells about people, places, devices or times.
  package var isPrivate: Bool {
    switch self {
    case .location, .person, .device, .time: true
    case .text, .other, .soundTrack: false
    }
  }
}

/// A kind of metadata value, out of a closed table: a name that a file made up is none of them.
package struct MetadataTag: Sendable, Hashable, Comparable {
  /// The index in the table.
  package let index: Int

  /// Returns the tag at an index of the table, or nil.
  package init?(index: Int) {
    guard Self.table.indices.contains(index) else { return nil }
    self.index = index
  }

  /// Returns the tag of that name, or nil.
  package init?(named name: String) {
    guard let index = Self.indexes[name.lowercased()], Self.table[index].name == name else {
      return nil
    }
    self.index = index
  }

  private init(at index: Int) { self.index = index }

  /// The name, as receipts have it.
  package var name: String { Self.table[index].name }
  /// The class of its values.
  package var metadataClass: MetadataClass { Self.table[index].metadataClass }
  /// The number of tags.
  package static var count: Int { table.count }

  package static func < (one: MetadataTag, other: MetadataTag) -> Bool { one.index < other.index }

  /// A sound track.
  package static let soundTrack = other(RemovedMetadata.audioTrack)

  /// Classifies an entry of a listing by its path, such as `APP1 Exif/GPS/GPSLatitude`, or a removed
  /// part of a container by its name.
  ///
  /// The last component decides if the table has it; otherwise the block that it is in.
  package static func of(path: String) -> MetadataTag {
    let utf8 = path.utf8
    let start = utf8.lastIndex(of: UInt8(ascii: "/")).map(utf8.index(after:))
    let last = start.map { String(path[$0...]) } ?? path
    // Names of the tags of a color profile are also names of texts elsewhere.
    if path.holds("ICC") || path.hasPrefix("iCCP") { return .other("color profile") }
    if let index = indexes[last.lowercased()] { return MetadataTag(at: index) }
    if last.hasSuffix(RemovedMetadata.audioTrack) || last == "trak soun" { return .soundTrack }
    if last.hasPrefix("exif:GPS") || path.holds("GPS/") { return .other("other GPS tag") }
    if path.holds("XMP") || path.hasPrefix("_PMX") { return .other("other XMP property") }
    if path.holds("IPTC/") { return .other("other IPTC dataset") }
    if path.holds("Exif") || path.holds("IFD") || path.hasPrefix("page ") {
      return .other("other Exif tag")
    }
    if path.holds("udta/") || path.holds("meta/") { return .other("other movie value") }
    for block in ["ID3v2/", "APE/", "COMMENT/", "comment header/", "LIST INFO/", "Tags/"]
    where path.holds(block) {
      return .other("other tag of a sound or film")
    }
    return .other("other part")
  }

  private static func other(_ name: String) -> MetadataTag {
    MetadataTag(at: indexes[name.lowercased()] ?? 0)
  }
}

/// A kind of metadata that an output no longer has, as the worker says it.
package struct RemovedTag: Sendable, Hashable {
  /// The kind.
  package var tag: MetadataTag
  /// The number of values that were removed.
  package var count: Int

  /// Creates an entry.
  package init(_ tag: MetadataTag, count: Int) {
    (self.tag, self.count) = (tag, count)
  }
}

/// How much a receipt says of what was removed.
package enum ReceiptDetail: String, CaseIterable, Sendable, Hashable {
  /// The number of values of each class.
  case classes
  /// The number of values of each tag of the closed table.
  case tags

  /// Returns what a receipt says of `removed`: entries in the order of the classes, or of the table.
  package func receipt(of removed: [RemovedTag]) -> [RemovedMetadata] {
    switch self {
    case .tags: return removed.map { RemovedMetadata(name: $0.tag.name, count: $0.count) }
    case .classes:
      return MetadataClass.allCases.compactMap { kind in
        let count = removed.reduce(0) { sum, one in
          one.tag.metadataClass == kind ? Quantity.sum(sum, one.count) : sum
        }
        return count > 0 ? RemovedMetadata(name: kind.rawValue, count: count) : nil
      }
    }
  }
}

extension RemovedMetadata {
  /// The class of the values; nil for a name of an earlier version's log, which is the container's
  /// own.
  package var metadataClass: MetadataClass? {
    MetadataClass(rawValue: name) ?? MetadataTag(named: name)?.metadataClass
  }
}
