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
  /// A manifest store of C2PA, which tells who and what made the file, when and how.
  case contentCredentials = "content credentials"
  /// Everything else: settings of the exposure, thumbnails, unknown values, parts of the container.
  case other
  /// A sound track that was taken out, which is no metadata.
  case soundTrack = "sound track"

  /// Whether it tells about people, places, devices or times.
  package var isPrivate: Bool {
    switch self {
    case .location, .person, .device, .time, .contentCredentials: true
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
  /// Whether a value of it says where something is. What only qualifies a position, such as its directions, its
  /// precision and the receiver, says nothing alone: many cameras write it with nothing else.
  package var saysPlace: Bool { metadataClass == .location && !Self.qualifiers.contains(index) }

  /// Whether the text of a value that ``saysPlace`` says one: it is neither blank nor made of zeros, which cameras and
  /// programs write for an unknown place.
  package static func isPlace(_ text: some Sequence<UInt8>) -> Bool {
    var (hasZero, hasDirection) = (false, false)
    for byte in text {
      switch byte {
      case UInt8(ascii: "0"): hasZero = true
      case 0...0x20, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ","),
        UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ";"):
        break
      default:
        guard "nsew".utf8.contains(byte | 0x20) else { return true }
        hasDirection = true
      }
    }
    return hasDirection && !hasZero
  }

  private static let qualifiers: Set<Int> = {
    let words =
      "VersionID LatitudeRef LongitudeRef AltitudeRef TimeStamp Satellites Status MeasureMode DOP SpeedRef Speed "
      + "TrackRef Track ImgDirectionRef ImgDirection MapDatum DestLatitudeRef DestLongitudeRef DestBearingRef "
      + "DestBearing DestDistanceRef DestDistance ProcessingMethod DateStamp Differential HPositioningError"
    let names =
      words.split(separator: " ").flatMap { ["GPS\($0)", "exif:GPS\($0)"] }
      + ["accuracy.horizontal", "role", "date"].map { "com.apple.quicktime.location.\($0)" }
    return Set(names.compactMap { MetadataTag(named: $0)?.index })
  }()

  /// The number of tags.
  package static var count: Int { table.count }

  package static func < (left: MetadataTag, right: MetadataTag) -> Bool { left.index < right.index }

  /// A sound track.
  package static let soundTrack = other(RemovedMetadata.audioTrack)

  /// Classifies an entry of a listing by its path, such as `APP1 Exif/GPS/GPSLatitude`, or a removed
  /// part of a container by its name.
  ///
  /// The last component decides if the table has it; otherwise the words of a name that a program
  /// chose, and then the block that it is in.
  package static func of(path: String) -> MetadataTag {
    var path = path
    return path.withUTF8 { of(path: $0) }
  }

  private static func of(path: UnsafeBufferPointer<UInt8>) -> MetadataTag {
    let start = path.lastIndex(of: UInt8.slash).map { $0 + 1 } ?? 0
    let last = UnsafeBufferPointer(rebasing: path[start...])
    // Names of the tags of a color profile are also names of texts elsewhere.
    if holds(path, "ICC") || starts(path, with: "iCCP") { return colorProfile }
    if last.count <= longestName,
      let index = indexes[String(decoding: last, as: UTF8.self).lowercased()]
    {
      return MetadataTag(at: index)
    }
    if ends(last, with: "C2PA manifest store") { return credentials }
    if ends(last, with: "sound track") || last.elementsEqual("trak soun".utf8) { return soundTrack }
    if starts(last, with: "exif:GPS") || holds(path, "GPS/") { return otherPlace }
    let isProperty = holds(path, "XMP") || starts(path, with: "_PMX")
    let isMovieValue = holds(path, "udta/") || holds(path, "meta/")
    let isSoundTag = soundBlocks.contains { holds(path, $0) }
    let isText = textChunks.contains { starts(path, with: $0) }
    let isCredential = holds(path, "C2PA") || holds(path, "JUMBF")
    // Settings of a raw developer are named after what they correct: `LensProfileEnable`.
    let isChosen = isProperty || isMovieValue || isSoundTag || isText || isCredential
    if isChosen, last.count < path.count, !starts(last, with: "camera-raw-settings:"),
      let kind = MetadataWords.metadataClass(of: last), let tag = others[kind]
    {
      return tag
    }
    if isProperty { return otherProperty }
    if isText { return textChunk }
    if isCredential { return otherPart }
    if holds(path, "IPTC/") { return otherDataset }
    if holds(path, "Exif") || holds(path, "IFD") || starts(path, with: "page ") { return otherExif }
    if isMovieValue { return otherMovieValue }
    return isSoundTag ? otherSoundTag : otherPart
  }

  private static let textChunks: [StaticString] = ["tEXt/", "zTXt/", "iTXt/"]
  private static let soundBlocks: [StaticString] = [
    "ID3v1/", "TAG+/", "ID3v2/", "Lyrics3/", "APE/", "bext/", "COMMENT/", "comment header/",
    "LIST INFO/", "Tags/",
  ]
  private static let credentials = other("C2PA manifest store")
  private static let colorProfile = other("color profile")
  private static let otherPlace = other("other GPS tag")
  private static let otherProperty = other("other XMP property")
  private static let otherDataset = other("other IPTC dataset")
  private static let otherExif = other("other Exif tag")
  private static let otherMovieValue = other("other movie value")
  private static let otherSoundTag = other("other tag of a sound or film")
  private static let otherPart = other("other part")
  private static let textChunk = other("tEXt")
  /// The kinds of names that only their words tell, by class.
  private static let others: [MetadataClass: MetadataTag] = [
    .location: other("other location"), .person: other("other person"),
    .device: other("other device"), .time: other("other time"), .text: other("other text"),
  ]
  /// The bytes of the longest name; a longer component is none of them.
  private static let longestName = table.reduce(0) { max($0, $1.name.utf8.count) }

  private static func holds(_ path: UnsafeBufferPointer<UInt8>, _ part: StaticString) -> Bool {
    let (first, count) = (part.utf8Start.pointee, part.utf8CodeUnitCount)
    guard path.count >= count else { return false }
    for start in 0...(path.count - count) where path[start] == first {
      if starts(UnsafeBufferPointer(rebasing: path[start...]), with: part) { return true }
    }
    return false
  }

  private static func starts(
    _ path: UnsafeBufferPointer<UInt8>,
    with part: StaticString
  ) -> Bool {
    guard path.count >= part.utf8CodeUnitCount else { return false }
    return (0..<part.utf8CodeUnitCount).allSatisfy { path[$0] == part.utf8Start[$0] }
  }

  private static func ends(_ path: UnsafeBufferPointer<UInt8>, with part: StaticString) -> Bool {
    let start = path.count - part.utf8CodeUnitCount
    return start >= 0 && starts(UnsafeBufferPointer(rebasing: path[start...]), with: part)
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
        let count = removed.reduce(0) { sum, part in
          part.tag.metadataClass == kind ? Quantity.sum(sum, part.count) : sum
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
