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
    let listed = properties[Space.iptcExtension, "PersonInImage"] + properties[Space.mediaPro, "People"]
    for name in properties.people + listed { add(person: name, to: &described) }
    takePeople(of: XMPKeywordPaths.all(in: properties), in: &described)
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

  /// Adds the people of keywords with their paths, such as `People/Family/Ann`; faces without a name are none.
  ///
  /// A keyword that is a group of people in one of the paths gets that path, by which it is known again.
  ///
  /// Source: digiKam, `FaceTags`.
  private static func takePeople(of paths: [[String]], in description: inout MediaDescription) {
    var groups: [String: String] = [:]
    for path in paths {
      let names = PeopleKeyword.names(in: path)
      guard let name = names.last, !["Unknown", "Unconfirmed", "Ignored"].contains(name) else { continue }
      add(person: name, to: &description)
      for group in names.dropLast() { groups[group] = "\(path[names.startIndex - 1])/\(group)" }
    }
    if groups.isEmpty { return }
    let keywords = description.keywords
    description.keywords = []
    for keyword in keywords { add(groups[keyword] ?? keyword, to: &description) }
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
