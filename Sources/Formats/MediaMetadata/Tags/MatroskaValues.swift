package import MediaContainers
import MediaModel

/// Reads and writes the values of a Matroska or WebM that may be kept: the date and the title of its
/// segment, and the tags of the whole film.
///
/// Source: RFC 9559 sections 5.1.2 and 5.1.8; IETF draft-ietf-cellar-tags, names of tags; ISO 6709
/// annex H for positions.
package enum MatroskaValues {
  private static let maximumTags = 4096
  private static let maximumText = 1 << 16
  /// The seconds from 1970 to 2001, the epoch of Matroska dates.
  private static let secondsFrom1970To2001 = 978_307_200

  /// The values by the name of a tag.
  package static let names: [String: MovieValue] = [
    "TITLE": .title, "ARTIST": .creator, "AUTHOR": .creator, "COPYRIGHT": .copyright,
    "DESCRIPTION": .caption, "COMMENT": .caption, "SUMMARY": .caption, "SYNOPSIS": .caption,
    "RATING": .rating, "DATE_RECORDED": .date, "DATE": .date, "CREATION_TIME": .date, "DATE_DIGITIZED": .date,
    "MAKE": .device(.make), "MODEL": .device(.model), "LOCATION": .location,
    "COM.APPLE.QUICKTIME.MAKE": .device(.make), "COM.APPLE.QUICKTIME.MODEL": .device(.model),
    "COM.APPLE.QUICKTIME.LOCATION.ISO6709": .location,
  ]

  /// The tags of dates, the one that counts most first.
  private static let datesByWeight = ["DATE_RECORDED", "DATE", "DATE_DIGITIZED", "CREATION_TIME", "DateUTC"]

  /// Returns the values of a file; none when it is damaged.
  package static func values(of source: ByteSource) -> KeptMetadata { described(in: source).values }

  /// Returns the values of a file, and the dates that it states; none when it is damaged.
  static func described(
    in source: ByteSource
  ) -> (values: KeptMetadata, description: MediaDescription) {
    var (values, description) = (KeptMetadata(), MediaDescription())
    guard let file = try? MatroskaFile(of: source) else { return (values, description) }
    for part in file.parts where part.type == .tags {
      read(tags: part, of: source, into: &values, &description)
    }
    for part in file.parts where part.type == .info {
      for element in EBMLElements(source, in: part.data) {
        switch element.type {
        case .title: values.title = values.title ?? text(element, of: source)
        case .dateUTC: description.add(date(element, of: source))
        default: break
        }
      }
    }
    let dates = datesByWeight.flatMap { tag in description.dates.filter { $0.tag == tag } }
    description.dates = dates
    values.creationDate = KeptMetadata.date(of: dates)
    return (values, description)
  }

  private static func read(
    tags: EBMLElement,
    of source: ByteSource,
    into values: inout KeptMetadata,
    _ description: inout MediaDescription
  ) {
    var creators: [String] = []
    for tag in EBMLElements(source, in: tags.data).prefix(maximumTags) where tag.type == .tag {
      let parts = Array(EBMLElements(source, in: tag.data).prefix(maximumTags))
      // A tag with a UID is about a track, a chapter or an attachment.
      let targets = parts.first(.targets).map { Array(EBMLElements(source, in: $0.data)) } ?? []
      let isOfFilm = !targets.contains { 0x63C4...0x63C9 ~= $0.identifier }
      for simple in parts where simple.type == .simpleTag {
        let fields = Array(EBMLElements(source, in: simple.data).prefix(64))
        guard let name = fields.first(.tagName)?.ascii(of: source)?.uppercased(),
          let field = fields.first(.tagString), let text = text(field, of: source)
        else { continue }
        if PlaceStatements.holds("Tags", name, Array(text.utf8)) { values.hasUnreadPlace = true }
        if isOfFilm, name == "KEYWORDS" {
          for word in text.split(separator: ",") { XMPValues.add(String(word), to: &description) }
        }
        guard isOfFilm, let kind = names[name] else { continue }
        switch kind {
        case .title: values.title = values.title ?? text
        case .caption: values.caption = values.caption ?? text
        case .copyright: values.copyright = values.copyright ?? text
        case .creator: if creators.count < 64 { creators.append(text) }
        case .rating: values.rating = values.rating ?? MetadataText.rating(text)
        case .date: for date in DateText.dates(text, tag: name) { description.add(date) }
        case .device(let name): values.take(name, MetadataText.checked(text, limit: 200))
        case .location: values.location = values.location ?? MoviePlace.read(Array(text.utf8))
        case .identifier: break
        }
      }
    }
    if values.location != nil { values.hasUnreadPlace = false }
    values.creator = values.creator ?? MetadataText.joined(creators)
  }

  private static func text(_ element: EBMLElement, of source: ByteSource) -> String? {
    source.bytes(in: element.data.prefix(maximumText), limit: maximumText)
      .flatMap { MetadataText.checked($0) }
  }

  private static func date(_ element: EBMLElement, of source: ByteSource) -> CaptureDate? {
    guard element.data.count == 8, let nanoseconds = element.unsigned(of: source) else {
      return nil
    }
    let seconds = Int(Int64(bitPattern: nanoseconds) / 1_000_000_000) + secondsFrom1970To2001
    return DateText.local(secondsSince1970: seconds).map {
      CaptureDate(local: $0, offsetMinutes: 0, tag: "DateUTC")
    }
  }

  /// Returns the elements of Info for these values.
  package static func information(_ values: KeptMetadata) -> [UInt8] {
    var bytes: [UInt8] = []
    if let date = values.creationDate, let local = CivilDate.seconds(date.local) {
      let seconds = local - 60 * (date.offsetMinutes ?? 0) - secondsFrom1970To2001
      let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      if !overflow { bytes += EBMLWriter.element(.dateUTC, nanoseconds.bytes(8)) }
    }
    if let title = values.title { bytes += EBMLWriter.element(.title, Array(title.utf8)) }
    return bytes
  }

  /// Returns the element Tags for these values, or no bytes when there is nothing to write.
  package static func tags(_ values: KeptMetadata) -> [UInt8] {
    let texts: [(String, String?)] = [
      ("DATE_RECORDED", values.creationDate?.text), ("MAKE", values.make),
      ("MODEL", values.model), ("DESCRIPTION", values.caption),
      ("COPYRIGHT", values.copyright), ("ARTIST", values.creator),
      ("RATING", values.rating.map { String($0) }),
      ("LOCATION", values.location.map { MoviePlace.text($0) }),
    ]
    var tag = EBMLWriter.element(.targets, [])
    for (name, text) in texts {
      guard let text else { continue }
      let fields =
        EBMLWriter.element(.tagName, Array(name.utf8))
        + EBMLWriter.element(.tagString, Array(text.utf8))
      tag += EBMLWriter.element(.simpleTag, fields)
    }
    guard texts.contains(where: { $0.1 != nil }) else { return [] }
    return EBMLWriter.element(.tags, EBMLWriter.element(.tag, tag))
  }
}
