import MediaModel

/// The datasets of IPTC-IIM that have names, with the exception that keeps each.
///
/// Source: IPTC-NAA Information Interchange Model 4.2, records 1 and 2.
enum IPTCDatasets {
  /// The datasets of record 1 that tell something.
  static let envelope: [Int: (name: String, exception: MetadataException?)] = [
    70: ("DateSent", nil), 80: ("TimeSent", nil),
  ]
  /// The datasets of record 2.
  static let application: [Int: (name: String, exception: MetadataException?)] = [
    5: ("ObjectName", .caption), 12: ("SubjectReference", nil), 15: ("Category", nil),
    20: ("SupplementalCategories", nil), 22: ("FixtureIdentifier", nil), 25: ("Keywords", nil),
    26: ("ContentLocationCode", nil), 27: ("ContentLocationName", nil), 30: ("ReleaseDate", nil),
    35: ("ReleaseTime", nil),
    37: ("ExpirationDate", nil), 38: ("ExpirationTime", nil), 40: ("SpecialInstructions", nil),
    47: ("ReferenceDate", nil),
    55: ("DateCreated", .creationDate), 60: ("TimeCreated", .creationDate),
    62: ("DigitalCreationDate", nil), 63: ("DigitalCreationTime", nil),
    65: ("OriginatingProgram", nil), 70: ("ProgramVersion", nil), 80: ("By-line", .copyright),
    85: ("By-lineTitle", nil), 90: ("City", nil), 92: ("Sub-location", nil),
    95: ("Province", nil), 100: ("CountryCode", nil), 101: ("Country", nil),
    103: ("OriginalTransmissionReference", nil),
    105: ("Headline", nil), 110: ("Credit", nil), 115: ("Source", nil),
    116: ("CopyrightNotice", .copyright), 118: ("Contact", nil), 120: ("Caption", .caption),
    121: ("LocalCaption", nil), 122: ("Writer", nil), 188: ("OwnerID", nil),
    230: ("DocumentNotes", nil), 231: ("DocumentHistory", nil), 232: ("ExifCameraInfo", nil),
    255: ("CatalogSets", nil),
  ]
  /// The numbers of the datasets of record 2 that say a place.
  static let ofPlaces = Set(
    application.filter { MetadataTag.of(path: "IPTC/2:\($0.key) \($0.value.name)").saysPlace }.keys
  )
}
