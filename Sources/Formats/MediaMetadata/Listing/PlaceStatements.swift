import MediaContainers
import MediaModel
import Synchronization

/// Whether values say a place in any form, understood or not: by the names under which ``MetadataListing`` has them, and
/// the table by which `inspect` and receipts class those.
///
/// What only qualifies a position, and zeros, say none; see ``MetadataTag/saysPlace``.
enum PlaceStatements {
  /// What is known of names, each in its block: a camera writes the same ones into all its files, and the table takes a
  /// name that it does not have apart into words.
  private static let isPlaceByName = Mutex<[XMPName: Bool]>([:])
  private static let maximumNames = 4096
  private static let maximumNameLength = 128

  /// Whether a text says a place.
  ///
  /// - Parameters:
  ///   - block: The path of its block in a listing, such as `LIST INFO`.
  ///   - name: Its name there.
  ///   - text: Its bytes; nil where they cannot be read.
  /// - Returns: False for a text whose name says none, and for one that is blank.
  static func holds(_ block: String, _ name: String, _ text: @autoclosure () -> [UInt8]?) -> Bool {
    guard isPlace(XMPName(block, name), "\(block)/\(name)") else { return false }
    return text().map { MetadataTag.isPlace($0) } ?? true
  }

  /// Returns whether a property of an XMP packet says a place, or a field of a structure in one.
  ///
  /// The address of a person is not where a picture was taken.
  static func hold(_ properties: XMPProperties) -> Bool {
    properties.contains { name, texts in
      isProperty(name) && texts.contains { MetadataTag.isPlace($0.utf8) }
    } structure: { name, fields in
      !fields.isEmpty && (isProperty(name) || !isOfPerson(name) && fields.contains(where: isProperty))
    }
  }

  private static func isProperty(_ name: XMPName) -> Bool {
    isPlace(name, "XMP/\(name.label)")
  }

  private static func isOfPerson(_ name: XMPName) -> Bool {
    name.namespace == XMPNamespace.plus
      || MetadataTag.of(path: "XMP/\(name.label)").metadataClass == .person
  }

  private static func isPlace(_ name: XMPName, _ path: @autoclosure () -> String) -> Bool {
    if let isPlace = isPlaceByName.withLock({ $0[name] }) { return isPlace }
    let isPlace = MetadataTag.of(path: path()).saysPlace
    if name.namespace.utf8.count + name.name.utf8.count <= maximumNameLength {
      isPlaceByName.withLock { if $0.count < maximumNames { $0[name] = isPlace } }
    }
    return isPlace
  }

  /// Returns whether a dataset of IPTC-IIM says a place.
  static func hold(iptc bytes: [UInt8]) -> Bool {
    var isFound = false
    IPTCValues.forEachDataset(in: bytes) { record, number, _, data in
      if record == 2, !isFound, IPTCDatasets.ofPlaces.contains(number) {
        isFound = MetadataTag.isPlace(bytes[data])
      }
    }
    return isFound
  }

  /// Returns whether Photoshop's resources have a block that says a place, beside the datasets.
  static func hold(photoshop resources: [UInt8]) -> Bool {
    var isFound = false
    PhotoshopResources.forEach(in: resources) { identifier, data in
      if isFound { return }
      switch identifier {
      case PhotoshopResources.exifIdentifier: isFound = hold(exif: Array(resources[data]))
      case PhotoshopResources.xmpIdentifier: isFound = hold(XMPProperties(Array(resources[data])))
      default: break
      }
    }
    return isFound
  }

  /// Returns whether content credentials say a place, by the names of their values that are not empty.
  static func hold(credentials store: [UInt8]) -> Bool {
    ContentCredentials.names(in: store).contains { name in
      isPlace(XMPName("C2PA", name), "C2PA manifest store/\(name.substituting("/", by: "_"))")
    }
  }

  /// Returns whether an Exif block says a place, understood or not.
  static func hold(exif block: [UInt8]) -> Bool {
    TIFFBlock(ByteSource(block), 0..<block.count).map { hold($0) } ?? false
  }

  /// Returns whether the GPS directory of a TIFF structure says a place.
  static func hold(_ block: TIFFBlock) -> Bool {
    guard let offset = block.pointer(ExifTagNumber.locationDirectory), offset != block.firstDirectory
    else { return false }
    return hold(block, directoryAt: offset)
  }

  /// Returns whether a GPS directory says a place.
  static func hold(_ block: TIFFBlock, directoryAt offset: Int) -> Bool {
    var isFound = false
    block.forEachEntry(ofDirectoryAt: offset) { entry in
      guard !isFound, ExifTagNames.tag(entry.tag, isLocation: true).saysPlace else { return }
      isFound = holds(entry, of: block)
    }
    return isFound
  }

  private static func holds(_ entry: TIFFEntry, of block: TIFFBlock) -> Bool {
    switch ExifReader.value(of: entry, in: block) {
    case .text(let bytes): return MetadataTag.isPlace(bytes)
    case .numbers(let numbers): return numbers.contains { $0 != 0 }
    case .fractions(let parts), .signedFractions(let parts):
      return parts.contains { ($0.quotient ?? 0) != 0 }
    case nil:
      let bytes = block.source.bytes(in: entry.value.prefix(1024), limit: 1024) ?? []
      // Eight bytes name the character set of a text. Source: Exif 2.32 section 4.6.6, GPSAreaInformation.
      return entry.tag == ExifTagNumber.areaInformation
        ? MetadataTag.isPlace(bytes.dropFirst(8)) : bytes.contains { $0 != 0 }
    }
  }
}
