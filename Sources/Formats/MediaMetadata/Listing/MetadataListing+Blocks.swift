package import MediaContainers
import MediaModel

extension MetadataListing {
  private typealias Space = XMPNamespace

  private static let xmpExceptions: [XMPName: MetadataException] = {
    var exceptions: [XMPName: MetadataException] = [
      XMPName(Space.dublinCore, "title"): .caption,
      XMPName(Space.dublinCore, "description"): .caption,
      XMPName(Space.dublinCore, "rights"): .copyright,
      XMPName(Space.dublinCore, "creator"): .copyright,
      XMPName(Space.tiff, "ImageDescription"): .caption,
      XMPName(Space.exif, "UserComment"): .caption,
      XMPName(Space.basic, "Rating"): .rating,
      XMPName(Space.exif, "DateTimeOriginal"): .creationDate,
      XMPName(Space.photoshop, "DateCreated"): .creationDate,
      XMPName(Space.basic, "CreateDate"): .creationDate,
      XMPName(Space.exif, "DateTimeDigitized"): .creationDate,
      XMPName(Space.exif, "GPSLatitude"): .location,
      XMPName(Space.exif, "GPSLongitude"): .location,
      XMPName(Space.exif, "GPSLatitudeRef"): .location,
      XMPName(Space.exif, "GPSLongitudeRef"): .location,
      XMPName(Space.exif, "GPSAltitude"): .location,
      XMPName(Space.exif, "GPSAltitudeRef"): .location,
    ]
    for space in Space.microsoft { exceptions[XMPName(space, "Rating")] = .rating }
    for name in DeviceText.all {
      for property in name.properties { exceptions[property] = name.exception }
    }
    return exceptions
  }()
  /// The properties that are read before another one, which then is not.
  private static let precedence: [XMPName: [XMPName]] = {
    let caption = XMPName(Space.dublinCore, "description")
    let image = XMPName(Space.tiff, "ImageDescription")
    var precedence = [image: [caption], XMPName(Space.exif, "UserComment"): [caption, image]]
    for space in Space.microsoft {
      precedence[XMPName(space, "Rating")] = [XMPName(Space.basic, "Rating")]
    }
    return precedence
  }()
  private static let altitude: Set = [
    XMPName(Space.exif, "GPSAltitude"), XMPName(Space.exif, "GPSAltitudeRef"),
  ]
  /// Adds the properties of an XMP packet, or the packet as a whole if no property can be read.
  ///
  /// - Parameters:
  ///   - path: The path of the block, such as `APP1 XMP`.
  ///   - packet: Its bytes; a packet of more than 1 MiB is not parsed.
  ///   - block: Its range in the file.
  ///   - isUsed: False for a second packet, whose values are not read.
  ///   - keepsProjection: Whether `strip` keeps the projection of a file of this format.
  package mutating func addXMP(
    _ path: String,
    _ packet: [UInt8],
    at block: Range<Int>,
    isUsed: Bool = true,
    keepsProjection: Bool = false
  ) {
    let packet = packet.count <= FoundMetadata.maximumBlockLength ? XMPProperties(packet) : nil
    let properties = packet?.all ?? []
    let structures = packet?.structures.sorted { left, right in
      (left.key.namespace, left.key.name) < (right.key.namespace, right.key.name)
    }
    if let toolkit = packet?.toolkit {
      add("\(path)/x:xmptk", at: block, isRemoved: true) { toolkit }
    }
    guard !properties.isEmpty || structures?.isEmpty == false else {
      return packet?.toolkit == nil ? add(path, at: block, isRemoved: true) : ()
    }
    let projection = isUsed && keepsProjection ? packet.flatMap { XMPProjection($0) } : nil
    let isUnread = !removes(.location) && packet.map { XMPValues.location($0) == nil } ?? false
    for (name, values) in properties {
      let length = values.reduce(0) { $0 + $1.utf8.count }
      let isPassedOver = Self.precedence[name]?.contains { packet?[$0.namespace, $0.name].isEmpty == false }
      let exception = isPassedOver == true ? nil : self.exception(of: name)
      let isRemoved = !isUsed || removes(exception) || isUnread && exception == .location
      add(
        "\(path)/\(name.label)",
        at: block.lowerBound..<(block.lowerBound + length),
        isRemoved: isRemoved && projection?.keeps(name) != true,
        exception: exception
      ) { values.joined(separator: "; ") }
    }
    for (name, fields) in structures ?? [] {
      let isKept = isUsed && !removes(exception(of: name))
      let label = "\(path)/\(name.label)"
      add(label, at: block, isRemoved: !isKept)
      addFields(fields.map(\.label), of: label, at: block, isRemoved: !isKept)
    }
  }

  /// Adds the properties of the XMP packet in `block` of a file, as
  /// ``addXMP(_:_:at:isUsed:keepsProjection:)``.
  package mutating func addXMP(
    _ path: String,
    at block: Range<Int>,
    of source: ByteSource,
    isUsed: Bool = true,
    keepsProjection: Bool = false
  ) {
    let packet = source.bytes(in: block, limit: FoundMetadata.maximumBlockLength) ?? []
    addXMP(path, packet, at: block, isUsed: isUsed, keepsProjection: keepsProjection)
  }

  /// Adds an entry for each class that fields of a structure have, and the structure has not: a place
  /// may be a field of what no table knows.
  ///
  /// - Parameters:
  ///   - labels: The names of the fields.
  ///   - path: The path of the structure, which is an entry of its own.
  ///   - range: The range of the block in the file.
  ///   - isRemoved: Whether `strip` removes the structure.
  package mutating func addFields(
    _ labels: [String],
    of path: String,
    at range: Range<Int>,
    isRemoved: Bool
  ) {
    var seen: Set<MetadataClass> = [MetadataTag.of(path: path).metadataClass, .other]
    for label in labels.sorted() {
      let field = "\(path)/\(label.substituting("/", by: "_"))"
      guard seen.insert(MetadataTag.of(path: field).metadataClass).inserted else { continue }
      add(field, at: range, isRemoved: isRemoved)
    }
  }

  /// Adds content credentials, and an entry for each class that values in them have; at most 16 stores
  /// of a file are read.
  ///
  /// - Parameters:
  ///   - path: The path of the part that holds them, such as `APP11`.
  ///   - range: Its range in the file.
  ///   - isRemoved: Whether `strip` removes it.
  ///   - store: Returns the bytes of the part.
  package mutating func addCredentials(
    _ path: String,
    at range: Range<Int>,
    isRemoved: Bool,
    store: () -> [UInt8]
  ) {
    let label = "\(path) C2PA manifest store"
    add(label, at: range, isRemoved: isRemoved)
    guard takesBlock() else { return }
    let names = ContentCredentials.names(in: store()).map { EscapedText.printable($0, limit: 80) }
    addFields(names, of: label, at: range, isRemoved: isRemoved)
  }

  /// Adds content credentials that are the bytes of `range` of a file, as
  /// ``addCredentials(_:at:isRemoved:store:)``.
  package mutating func addCredentials(
    _ path: String,
    at range: Range<Int>,
    of source: ByteSource,
    isRemoved: Bool = true
  ) {
    addCredentials(path, at: range, isRemoved: isRemoved) {
      source.bytes(in: range, limit: ContentCredentials.maximumLength) ?? []
    }
  }

  /// Returns the exception that keeps an XMP property.
  private func exception(of name: XMPName) -> MetadataException? {
    if GainMapMetadata.namespaces.contains(name.namespace) { return .hdrGainMap }
    if Self.altitude.contains(name), options.isLocationCoarse { return nil }
    return Self.xmpExceptions[name]
  }

  /// Adds the resources of a Photoshop block, with the IPTC-IIM datasets in one of them.
  ///
  /// - Parameters:
  ///   - path: The path of the block, such as `APP13 Photoshop`.
  ///   - resources: Its bytes.
  ///   - offset: Their offset in the file.
  ///   - isUsed: False for a block whose values are not read.
  package mutating func addPhotoshop(
    _ path: String,
    _ resources: [UInt8],
    at offset: Int,
    isUsed: Bool = true
  ) {
    PhotoshopResources.forEach(in: resources) { identifier, data in
      let name = "\(path)/0x" + Hexadecimal.text(identifier, digits: 4)
      let start = offset + data.lowerBound
      let range = start..<(start + data.count)
      let block = Array(resources[data])
      switch identifier {
      case PhotoshopResources.iptcIdentifier:
        addIPTC(name + " IPTC", block, at: start, isUsed: isUsed)
      case PhotoshopResources.exifIdentifier:
        let bytes = ByteSource(block)
        addExif(name + " Exif", in: 0..<block.count, of: bytes, range: range, isInner: true)
      case PhotoshopResources.xmpIdentifier:
        addXMP(name + " XMP", block, at: range, isUsed: false)
      case PhotoshopResources.versionIdentifier:
        add(name + "/Photoshop version", at: range, isRemoved: true)
      default: add(name, at: range, isRemoved: true)
      }
    }
  }

  /// Adds IPTC-IIM datasets.
  ///
  /// - Parameters:
  ///   - path: The path of the block, such as `APP13 Photoshop/0x0404 IPTC`.
  ///   - bytes: The datasets.
  ///   - offset: Their offset in the file.
  ///   - isUsed: False for datasets whose values are not read.
  package mutating func addIPTC(
    _ path: String,
    _ bytes: [UInt8],
    at offset: Int,
    isUsed: Bool = true
  ) {
    IPTCValues.forEachDataset(in: bytes) { record, number, _, data in
      let dataset =
        record == 2 ? IPTCDatasets.application[number] : record == 1 ? IPTCDatasets.envelope[number] : nil
      let start = offset + data.lowerBound
      add(
        "\(path)/\(record):\(number)" + (dataset.map { " " + $0.name } ?? ""),
        at: start..<(start + data.count),
        isRemoved: !isUsed || removes(dataset?.exception)
      ) { Self.text(Array(bytes[data])) }
    }
  }

  /// Adds the tags of the ICC profile in `range` of a file, as ``addProfile(_:_:at:)``.
  package mutating func addProfile(_ path: String, at range: Range<Int>, of source: ByteSource) {
    let profile = source.bytes(in: range, limit: ICCProfile.maximumLength) ?? []
    addProfile(path, profile, at: range)
  }

  /// Adds the tags of an ICC profile; those that color needs are kept.
  ///
  /// - Parameters:
  ///   - path: The path of the profile, such as `APP2 ICC_PROFILE`.
  ///   - profile: Its bytes.
  ///   - range: Its range in the file.
  package mutating func addProfile(_ path: String, _ profile: [UInt8], at range: Range<Int>) {
    let tags = ICCProfile.tagTable(of: profile)
    guard !tags.isEmpty else { return add(path, at: range, isRemoved: true) }
    // Description and copyright are rewritten; only those of a cleaned profile stay as they are.
    let isClean = ICCProfile.cleaned(profile) == profile
    let source = ByteSource(profile)
    for tag in tags {
      let name = EscapedText.printable(String(decoding: tag.name.bytes, as: UTF8.self))
      let start = range.lowerBound
      add("\(path)/\(name)", at: start..<(start + tag.data.count), isRemoved: !isClean && !tag.isKept) {
        guard let type = source.code(at: tag.data.lowerBound), type == "desc" || type == "text"
        else { return nil }
        let text = tag.data.dropFirst(type == "desc" ? 12 : 8).prefix(1024)
        return source.bytes(in: text, limit: 1024).flatMap(Self.text)
      }
    }
  }
}
