internal import MediaContainers
internal import MediaModel
internal import MediaSyntax

/// Reads the JSON that Google Takeout writes beside the files of Google Photos.
///
/// Source: exports of the years 2019 to 2026; Google documents none of it.
enum TakeoutSidecar {
  private static let flags = StandingTable.flags(of: .takeout)

  /// Returns what a JSON file says of a picture or an album; one of anything else has no subject.
  ///
  /// - Throws: `MetadataError` `damaged` for a file that is no JSON object.
  static func description(_ bytes: [UInt8]) throws(MetadataError) -> MediaDescription {
    // An editor may have put a byte order mark in front: a picture is not to be published for that.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let parsed = JSONParser.parse(bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
    guard parsed.issues.isEmpty, case .object(var members)? = parsed.root?.value else {
      throw MetadataError(.damaged, "no whole JSON object")
    }
    // Exports of earlier years have an album's words one level deeper.
    if case .object(let album)? = value("albumData", in: members) { members = album }
    var description = MediaDescription()
    for flag in flags where isSet(flag.name, in: members) {
      description.note(flag.standing)
    }
    guard let time = seconds("photoTakenTime", in: members) else {
      if case .string(let title)? = value("title", in: members), value("date", in: members) != nil {
        description.subject = .album(cut(title, MediaDescription.maximumSubjectLength))
      }
      return description
    }
    let title = text("title", in: members) ?? ""
    description.subject = .picture(cut("\(time) \(title)", MediaDescription.maximumSubjectLength))
    if time != 0 {
      let tag = "photoTakenTime"
      let local = DateText.local(secondsSince1970: time)
      let date = local.map { CaptureDate(local: $0, offsetMinutes: 0, tag: tag) }
      description.add(date ?? CaptureDate.impossible(tag: tag))
    }
    description.caption = text("description", in: members)
      .map { cut($0, MediaDescription.maximumCaptionLength) }
    description.place = place("geoData", in: members) ?? place("geoDataExif", in: members)
    if case .array(let people)? = value("people", in: members) {
      for case .object(let person) in people.lazy.map(\.value) {
        if let name = text("name", in: person) { XMPValues.add(person: name, to: &description) }
      }
    }
    if isTrue("favorited", in: members) { description.isFavorite = true }
    return description
  }

  private static func value(_ name: String, in members: [JSONMember]) -> JSONNode.Value? {
    members.first { $0.isNamed(name) }?.value.value
  }

  /// A text that is not empty.
  private static func text(_ name: String, in members: [JSONMember]) -> String? {
    guard case .string(let text)? = value(name, in: members), !text.isEmpty else { return nil }
    return text
  }

  private static func isTrue(_ name: String, in members: [JSONMember]) -> Bool {
    if case .bool(true)? = value(name, in: members) { true } else { false }
  }

  /// Whether a flag is set: it is true, or an object, as `fromPartnerSharing` is; `a.b` is the member `b` of `a`.
  private static func isSet(_ name: String, in members: [JSONMember]) -> Bool {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    switch value(parts[0], in: members) {
    case .object(let inner)?: return parts.count == 1 || isSet(parts[1], in: inner)
    case .bool(true)?: return parts.count == 1
    default: return false
    }
  }

  /// The seconds since 1970 in an object's `timestamp`, which is a string; negative before.
  private static func seconds(_ name: String, in members: [JSONMember]) -> Int? {
    guard case .object(let time)? = value(name, in: members),
      let text = text("timestamp", in: time), text.utf8.count <= 20
    else { return nil }
    return Int(text)
  }

  /// The position in an object.
  private static func place(
    _ name: String,
    in members: [JSONMember]
  ) -> MediaDescription.Place? {
    guard case .object(let coordinates)? = value(name, in: members),
      let latitude = units("latitude", in: coordinates),
      let longitude = units("longitude", in: coordinates)
    else { return nil }
    return MediaDescription.Place(latitude: latitude, longitude: longitude)
  }

  /// Degrees in units of 10⁻⁷ degrees.
  private static func units(_ name: String, in members: [JSONMember]) -> Int? {
    guard let node = members.first(where: { $0.isNamed(name) })?.value,
      case .number(let integer) = node.value,
      let degrees = node.decimal.flatMap(Double.init) ?? integer.map(Double.init),
      abs(degrees) <= 360
    else { return nil }
    return Int((degrees * 10_000_000).rounded())
  }

  /// The beginning of a text, in whole characters.
  private static func cut(_ text: String, _ limit: Int) -> String {
    if text.utf8.count <= limit { return text }
    var result = ""
    for character in text {
      guard result.utf8.count + String(character).utf8.count <= limit else { break }
      result.append(character)
    }
    return result
  }
}
