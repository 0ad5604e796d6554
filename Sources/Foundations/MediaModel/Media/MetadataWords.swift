/// Tells the class of a name that the closed table does not have by the words in it: properties of
/// XMP, keywords of PNG, and keys of sounds, films and content credentials are whatever a program
/// chose.
///
/// A receipt that says no is wrong in silence, one that says yes is wrong by one value; so one word
/// that tells about a place is enough, and of the other words the last one decides, as in English:
/// `CreatorTool` is a tool, `CameraOwnerName` an owner.
enum MetadataWords {
  private static let longest = 80

  /// Returns the class of a name such as `shop:GPSLatitude`, `recordingLocation` or `edit_date`; nil
  /// when no word of it tells.
  static func metadataClass(of name: some BidirectionalCollection<UInt8>) -> MetadataClass? {
    guard name.count <= longest else { return nil }
    // A prefix names who made the name up, and not what it is: `drone-dji:`.
    let prefix = name.lastIndex(of: UInt8.colon)
    let local = Array(name[(prefix.map(name.index(after:)) ?? name.startIndex)...])
    let small = String(decoding: local, as: UTF8.self).lowercased()
    if places.contains(where: { small.holds($0) }) || coordinates.contains(small) {
      return .location
    }
    var result: MetadataClass?
    var last = ""
    for word in words(of: local) {
      if let kind = kinds[word], !isOther(word, behind: last) {
        if kind == .location { return kind }
        result = kind
      }
      last = word
    }
    if result == nil, small.hasSuffix("date"), !dates.contains(small) { return .time }
    // The subject of a sentence is a text, that of a picture is what its distance is measured to.
    return result ?? (last == "subject" || last == "subjects" ? .text : nil)
  }

  /// Splits a name where its case changes and at everything that is no letter; in lowercase.
  private static func words(of name: [UInt8]) -> [String] {
    var words: [[UInt8]] = [[]]
    var last: UInt8 = 0
    for (index, byte) in name.enumerated() {
      let isUpper = byte.isASCIIUppercase
      let isLetter = isUpper || byte.isASCIILowercase
      let isAfterSmall = last.isASCIILowercase
      let isBeforeSmall = index + 1 < name.count && name[index + 1].isASCIILowercase
      if !isLetter || isUpper && (isAfterSmall || isBeforeSmall) { words.append([]) }
      if isLetter { words[words.count - 1].append(byte | 0x20) }
      last = byte
    }
    return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a word means something else behind the word `last`: the time of an exposure is no time
  /// of day, and the location of a subject is one in the picture.
  private static func isOther(_ word: String, behind last: String) -> Bool {
    switch word {
    case "location": ["subject", "focus", "file", "sensor"].contains(last)
    case "time", "timestamp":
      ["exposure", "shutter", "integration", "presentation", "play", "delay", "lead", "seek"]
        .contains(last)
    case "model": ["color", "colour"].contains(last)
    case "program": last == "exposure"
    default: false
    }
  }

  /// What tells about a place anywhere within a word, since many names are written in lowercase.
  private static let places = ["gps", "latitude", "longitude", "geotag", "geoloc", "iso6709"]
  /// Whole names.
  private static let coordinates: Set = ["lat", "lon", "lng", "long"]
  /// Whole names that end in "date" and are none.
  private static let dates: Set = ["update", "candidate", "validate", "mandate"]

  private static let kinds: [String: MetadataClass] = {
    let rows: [(MetadataClass, String)] = [
      (
        .location,
        "location locations sublocation place city country province altitude address coordinates "
          + "geo geography postcode zip waypoint"
      ),
      (
        .person,
        "artist artists author authors byline composer conductor contact contributor copyright "
          + "creator credit credits director editor email engineer face faces lyricist musician "
          + "organization owner patient people performer person photographer producer publisher "
          + "rights user username writer"
      ),
      (
        .device,
        "agent application camera device encoded encoder encoding firmware generator lens make "
          + "maker manufacturer model program serial software tool vendor"
      ),
      (
        .time,
        "date dates datetime time timestamp timestamps timezone when year created modified"
      ),
      (
        .text,
        "album caption captions comment comments description genre headline keyword keywords lyrics "
          + "notes summary synopsis tags title titles"
      ),
    ]
    var kinds: [String: MetadataClass] = [:]
    for (kind, words) in rows {
      for word in words.split(separator: " ") { kinds[String(word)] = kind }
    }
    return kinds
  }()
}
