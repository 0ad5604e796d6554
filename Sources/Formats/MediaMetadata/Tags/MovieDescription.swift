package import MediaContainers
package import MediaModel

/// Writes the kept values of a movie as QuickTime's named metadata.
///
/// Source: Apple, QuickTime File Format, metadata atoms and types; key names in AVFoundation's
/// `AVMetadataKey`; ISO 6709 annex H for positions.
package struct MovieDescription: Equatable {
  private var values: [(key: String, value: String)] { Self.values(kept) }
  private var kept = KeptMetadata()

  /// Creates an empty description.
  package init() {}

  /// Creates a description of the given values.
  package init(_ kept: KeptMetadata) {
    self.kept = kept
  }

  /// The seconds from 1904, the epoch of QuickTime, to 1970.
  static let secondsFrom1904To1970 = 2_082_844_800

  /// The creation time for mvhd in seconds since 1904; 0 if no date is kept.
  package var secondsSince1904: Int {
    guard let date = kept.creationDate, !date.isDateOnly, let seconds = CivilDate.seconds(date.local) else {
      return 0
    }
    return max(0, seconds - 60 * (date.offsetMinutes ?? 0) + Self.secondsFrom1904To1970)
  }

  /// The whole meta box; no bytes when there is nothing to write.
  ///
  /// It is a QuickTime atom without version in every format: exiftool and mediainfo read no named
  /// values in an ISO full box, and exiftool itself writes an atom into an MP4.
  package var box: [UInt8] {
    values.isEmpty ? [] : Self.box(values)
  }

  private static func box(_ values: [(key: String, value: String)]) -> [UInt8] {
    let tables = MovieKeyTables(values, behind: [])
    return ISOWriter.box(
      "meta",
      ISOWriter.handler("mdta")
        + ISOWriter.full("keys", tables.keyCount.bytes(4) + tables.keys)
        + ISOWriter.box("ilst", tables.items)
    )
  }

  /// Returns the meta box of a movie with facts, which take the place of the values of the same keys.
  ///
  /// - Parameters:
  ///   - facts: The facts; those without a key are in their packet alone.
  ///   - meta: The movie's own box; nil when it has none.
  ///   - source: The file.
  ///   - replacesPlace: Whether values of the movie's own are left out that qualify another place.
  /// - Returns: Nil when there is nothing to write, or the movie's own box has no keys.
  package static func box(
    of facts: EmbeddedFacts,
    into meta: ISOBox?,
    of source: ByteSource,
    replacesPlace: Bool = false
  ) -> [UInt8]? {
    let values = values(facts)
    if values.isEmpty { return nil }
    guard let meta else { return box(values) }
    let isPlain = source.code(at: meta.body.lowerBound + 4) == "hdlr"
    let range = isPlain ? meta.body : meta.body.dropFirst(4)
    guard let boxes = try? ISOBox.children(of: "meta", in: range, of: source),
      let handler = try? boxes.only("hdlr"), let keys = try? boxes.only("keys"),
      let list = try? boxes.only("ilst"), source.code(at: handler.body.lowerBound + 8) == "mdta",
      let old = try? ISOBox.children(of: "keys", in: keys.body.dropFirst(8), of: source),
      let items = try? list.children(in: source)
    else { return nil }
    func bytes(_ range: Range<Int>) -> [UInt8] { source.bytes(in: range, limit: 1 << 20) ?? [] }
    let names = old.map { String(decoding: bytes($0.body), as: UTF8.self) }
    var tables = MovieKeyTables(values, behind: names)
    if replacesPlace {
      for (index, name) in names.enumerated() where EarlierPlace.keys.contains(name) {
        tables.replaced.insert(UInt32(index + 1))
      }
    }
    var body = isPlain ? [] : bytes(meta.body.prefix(4))
    for box in boxes {
      switch box.type {
      case "keys":
        let entries = old.flatMap { bytes($0.range) } + tables.keys
        body += ISOWriter.full("keys", (old.count + tables.keyCount).bytes(4) + entries)
      case "ilst":
        let kept = items.filter { !tables.replaced.contains($0.type.value) }
        body += ISOWriter.box("ilst", kept.flatMap { bytes($0.range) } + tables.items)
      default: body += bytes(box.range)
      }
    }
    return ISOWriter.box("meta", body)
  }

  private static func values(_ facts: EmbeddedFacts) -> [(key: String, value: String)] {
    let properties = XMPProperties(facts.packet)
    let xmp = XMPValues.read(properties)
    var kept = KeptMetadata()
    (kept.caption, kept.rating, kept.creationDate) = (xmp.caption, xmp.rating, facts.moment)
    kept.location = facts.place.flatMap {
      Coordinate(latitude: $0.latitude, longitude: $0.longitude)
    }
    let words = properties[XMPNamespace.dublinCore, "subject"]
    if words.isEmpty { return values(kept) }
    return values(kept) + [("com.apple.quicktime.keywords", words.joined(separator: ","))]
  }

  private static func values(_ kept: KeptMetadata) -> [(key: String, value: String)] {
    var values: [(key: String, value: String)] = []
    let add = { (name: String, value: String?) in
      if let value { values.append(("com.apple.quicktime." + name, value)) }
    }
    if let date = kept.creationDate {
      let offset = date.offsetMinutes.map { CivilDate.offset(minutes: $0) } ?? ""
      // Apple's programs write "+0200" without a colon.
      add("creationdate", date.local + offset.filter { $0 != ":" })
    }
    for name in DeviceText.all { add(name.key, kept[keyPath: name.path]) }
    add("title", kept.title)
    add("description", kept.caption)
    add("copyright", kept.copyright)
    add("author", kept.creator)
    add("rating.user", kept.rating.map { String($0) })
    add("location.ISO6709", kept.location.map { MoviePlace.text($0) })
    add("content.identifier", kept.contentIdentifier)
    return values
  }
}

/// Keys and their values, behind the keys that a movie has.
private struct MovieKeyTables {
  /// Whole boxes of the keys that the movie does not have.
  private(set) var keys: [UInt8] = []
  private(set) var keyCount = 0
  /// Whole boxes of the values.
  private(set) var items: [UInt8] = []
  /// The numbers of the movie's own keys that get another value, from 1.
  var replaced: Set<UInt32> = []

  init(_ values: [(key: String, value: String)], behind names: [String]) {
    for (key, value) in values {
      let number: Int
      if let index = names.firstIndex(of: key) {
        number = index + 1
        replaced.insert(UInt32(number))
      } else {
        keyCount += 1
        number = names.count + keyCount
        keys += ISOWriter.box("mdta", Array(key.utf8))
      }
      // The data type 1 is UTF-8; no locale is set.
      let data = ISOWriter.box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(value.utf8))
      items += ISOWriter.box(FourCharacterCode(value: UInt32(number)), data)
    }
  }
}

/// Reads and writes positions in ISO 6709 format.
///
/// Source: ISO 6709:2008 annex H; Apple, QuickTime File Format, `©xyz`.
package enum MoviePlace {
  /// Returns `+48.8577000+002.2950000+035.000/`, in degrees and meters.
  static func text(_ coordinate: Coordinate) -> String {
    var text = decimal(coordinate.latitude, unit: Coordinate.unitsPerDegree, whole: 2, fraction: 7)
    text += decimal(coordinate.longitude, unit: Coordinate.unitsPerDegree, whole: 3, fraction: 7)
    if let altitude = coordinate.altitudeMillimeters {
      text += decimal(altitude, unit: 1000, whole: 3, fraction: 3)
    }
    return text + "/"
  }

  /// Parses degrees with a fraction, or with minutes and seconds as digits in front of the point.
  package static func read(_ bytes: [UInt8]) -> Coordinate? {
    let numbers = Self.numbers(of: bytes)
    guard numbers.count >= 2, let latitude = units(numbers[0]), let longitude = units(numbers[1])
    else { return nil }
    var altitude: Int?
    if numbers.count > 2, abs(numbers[2]) < 1e6 { altitude = Int((numbers[2] * 1000).rounded()) }
    return Coordinate(latitude: latitude, longitude: longitude, altitudeMillimeters: altitude)
  }

  /// Whether a 3GPP position is 0, 0, which programs write for an unknown one, or there is none.
  static func isNowhere(_ source: ByteSource, loci body: Range<Int>) -> Bool {
    guard let numbers = Self.numbers(of: source, inLoci: body) else { return body.count <= 4 }
    return numbers.prefix(2).allSatisfy { units($0) == 0 }
  }

  /// Reads a 3GPP position.
  package static func read(_ source: ByteSource, loci body: Range<Int>) -> Coordinate? {
    guard let numbers = Self.numbers(of: source, inLoci: body), let longitude = units(numbers[0]),
      let latitude = units(numbers[1])
    else { return nil }
    return Coordinate(
      latitude: latitude,
      longitude: longitude,
      altitudeMillimeters: Int((numbers[2] * 1000).rounded())
    )
  }

  /// Returns longitude, latitude and altitude of a 3GPP position, which are 16.16 fixed-point numbers behind
  /// a name and a role; nil when some are missing.
  static func numbers(of source: ByteSource, inLoci body: Range<Int>) -> [Double]? {
    var position = body.lowerBound + 6
    guard let isWide = source.uint16(at: position).map({ $0 == 0xFEFF }) else { return nil }
    let step = isWide ? 2 : 1
    while position < body.upperBound {
      let unit = isWide ? source.uint16(at: position) : source.uint8(at: position)
      position += step
      if unit == 0 { break }
    }
    let numbers = [1, 5, 9].compactMap { offset in
      source.uint32(at: position + offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
    }
    return numbers.count == 3 && position + 13 <= body.upperBound ? numbers : nil
  }

  /// Returns the numbers of a text, each of which begins with a sign: latitude and longitude in degrees, and the height.
  ///
  /// Source: ISO 6709:2008 annex H.2: `±DD.D`, `±DDMM.M` and `±DDMMSS.S`, with a digit more for a longitude.
  private static func numbers(of bytes: [UInt8]) -> [Double] {
    var texts: [[UInt8]] = []
    // The name of the reference system may follow, which has digits.
    for byte in bytes.prefix(64).prefix(while: { ![UInt8.slash, UInt8(ascii: "C"), 0].contains($0) }) {
      switch byte {
      case UInt8(ascii: "+"), UInt8.hyphen: texts.append([byte])
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8.dot:
        if texts.isEmpty { texts = [[]] }
        texts[texts.count - 1].append(byte)
      default: break
      }
    }
    let position = texts.prefix(2).compactMap(degrees)
    // A height must not take the place of a coordinate.
    guard position.count == 2 else { return [] }
    return position + texts.dropFirst(2).compactMap { Double(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns the degrees of a number with a sign, by the digits in front of its point: more than three have minutes in
  /// the last two, more than five minutes and seconds; nil for 60 of them and more.
  private static func degrees(_ number: [UInt8]) -> Double? {
    let unsigned = number.drop { $0 == .hyphen || $0 == UInt8(ascii: "+") }
    let whole = unsigned.prefix { $0 != .dot }
    let places = whole.count > 5 ? 4 : whole.count > 3 ? 2 : 0
    func value(_ digits: ArraySlice<UInt8>) -> Double? { Double(String(decoding: digits, as: UTF8.self)) }
    guard places > 0 else { return value(number[...]) }
    guard whole.count <= 7, var sum = value(whole.dropLast(places)) else { return nil }
    var smaller = unsigned.dropFirst(whole.count - places)
    if places == 4 {
      guard let minutes = value(smaller.prefix(2)), minutes < 60 else { return nil }
      sum += minutes / 60
      smaller = smaller.dropFirst(2)
    }
    guard let last = value(smaller), last < 60 else { return nil }
    sum += last / (places == 4 ? 3600 : 60)
    return number.first == .hyphen ? -sum : sum
  }

  static func units(_ degrees: Double) -> Int? {
    guard abs(degrees) <= 180 else { return nil }
    return Int((degrees * Double(Coordinate.unitsPerDegree)).rounded())
  }

  private static func decimal(_ value: Int, unit: Int, whole: Int, fraction: Int) -> String {
    let magnitude = abs(value)
    return (value < 0 ? "-" : "+") + PaddedNumber.text(magnitude / unit, width: whole) + "."
      + PaddedNumber.text(magnitude % unit, width: fraction)
  }
}
