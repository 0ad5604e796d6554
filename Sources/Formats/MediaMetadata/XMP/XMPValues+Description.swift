import MediaModel

extension XMPValues {
  private typealias Space = XMPNamespace

  /// Adds what a packet says beside the values that may be kept; nothing to nil.
  ///
  /// Source: Adobe XMP specification part 2; Google, "Photo Sphere XMP metadata", "Depthmap metadata"
  /// and `GCamera`; IPTC Photo Metadata Standard, Person Shown in the Image.
  static func describe(_ properties: XMPProperties, into description: inout MediaDescription?) {
    guard var described = description else { return }
    let first = { (space: String, name: String) in properties[space, name].first }
    for date in dates(properties) { described.add(date) }
    for word in properties[Space.dublinCore, "subject"] { add(word, to: &described) }
    let tagged = properties[Space.digiKam, "TagsList"].compactMap(person(ofTag:))
    for name in properties.people + properties[Space.iptcExtension, "PersonInImage"] + tagged {
      add(person: name, to: &described)
    }
    if first(Space.panorama, "UsePanoramaViewer")?.lowercased() == "true"
      || first(Space.panorama, "ProjectionType")?.isEmpty == false
    {
      described.subtypes.insert(.photoPanorama)
    }
    if first(Space.depth, "Format")?.isEmpty == false {
      described.subtypes.insert(.photoDepthEffect)
    }
    for type in properties[Space.camera, "SpecialTypeID"] {
      if type.hasSuffix("PORTRAIT") { described.subtypes.insert(.photoDepthEffect) }
      if type.hasSuffix("PANORAMA") { described.subtypes.insert(.photoPanorama) }
    }
    if properties[Space.exif, "UserComment"].contains("Screenshot") {
      described.subtypes.insert(.photoScreenshot)
    }
    if described.burst == nil, let burst = first(Space.camera, "BurstID") {
      described.burst = ContentIdentifier.checked(Array(burst.utf8))
      if described.burst != nil {
        described.isBurstPick = first(Space.camera, "BurstPrimary") == "1"
      }
    }
    description = described
  }

  /// Returns the person of a tag such as `People/Family/Ann`; nil for another tag, and for those of faces without a
  /// name.
  ///
  /// Source: digiKam, `FaceTags`.
  private static func person(ofTag tag: String) -> String? {
    let parts = tag.split(separator: "/")
    guard parts.count > 1, parts[0] == "People", let name = parts.last,
      !["Unknown", "Unconfirmed", "Ignored"].contains(name)
    else { return nil }
    return String(name)
  }

  /// Adds a keyword in its checked form.
  static func add(_ keyword: String, to description: inout MediaDescription) {
    let limit = MediaDescription.maximumKeywordLength
    if let keyword = MetadataText.checked(keyword, limit: limit) {
      description.add(keyword: keyword)
    }
  }

  /// Adds the name of a person in its checked form.
  static func add(person: String, to description: inout MediaDescription) {
    let limit = MediaDescription.maximumNameLength
    if let person = MetadataText.checked(person, limit: limit) { description.add(person: person) }
  }

  static func add(_ keyword: String, to description: inout MediaDescription?) {
    guard var described = description else { return }
    add(keyword, to: &described)
    description = described
  }
}

extension IPTCValues {
  /// Adds what the datasets say beside the values that may be kept; nothing to nil.
  ///
  /// Source: IPTC-NAA Information Interchange Model 4.2, datasets 2:25, 2:55 and 2:60.
  static func describe(_ bytes: [UInt8], into description: inout MediaDescription?) {
    guard var described = description else { return }
    var date: ArraySlice<UInt8>?
    var time: ArraySlice<UInt8>?
    forEachDataset(in: bytes) { record, number, _, range in
      guard record == 2 else { return }
      let data = bytes[range]
      switch number {
      case 25:
        let limit = MediaDescription.maximumKeywordLength
        if let keyword = MetadataText.checked(data, limit: limit) {
          described.add(keyword: keyword)
        }
      case 55: date = date ?? data
      case 60: time = time ?? data
      default: break
      }
    }
    described.add(date.flatMap { creationDate($0, time) })
    description = described
  }
}
