/// A file's description of itself, beyond the facts that showing it needs: when, where and of what it is.
///
/// Under `strip` the catalogue has of it what `except` leaves in the file.
package struct MediaDescription: Sendable, Hashable {
  /// The dates that the file's metadata state, at most ``maximumDates``.
  package var dates: [CaptureDate] = []
  /// The time of the GPS fix as `yyyy-MM-ddTHH:mm:ss` in UTC.
  package var locationTime: String?
  /// The position.
  package var place: Place?
  /// Whether the metadata say a place in any form, understood or not.
  package var statesPlace = false
  /// The rule that gave the position, where nothing that describes the file has it, see ``TrackPlaces/tag``; or
  /// ``TrackPlaces/statedTag`` where there is a place that is not understood. A worker does not send it.
  package var placeTag: String?
  /// The name of the position, by a file of names that the manifest names; a worker does not send it.
  package var placeName: PlaceName?
  /// The subtypes that the metadata state.
  package var subtypes: MediaSubtypes = []
  /// The rating, one of ``ratings``.
  package var rating: Int?
  /// Whether a person marked the asset as a favorite; nil if nothing says so.
  package var isFavorite: Bool?
  /// Whether a person hid the asset; nil if nothing says so.
  package var isHidden: Bool?
  /// The caption; at most ``maximumCaptionLength`` bytes.
  package var caption: String?
  /// The keywords, each once, at most ``maximumKeywords`` of ``maximumKeywordLength`` bytes.
  package var keywords: [String] = []
  /// The names of the people in the picture, each once, at most ``maximumPeople`` of ``maximumNameLength``
  /// bytes; nil if nothing says any.
  package var people: [String]?
  /// The identifier that the pictures of one burst share.
  package var burst: String?
  /// Whether the camera or a person picked this picture of its burst; nil if nothing says so.
  package var isBurstPick: Bool?
  /// What a sidecar is about; nil in all but those of Google Takeout.
  package var subject: SidecarSubject?
  /// Whether the source has the asset in its trash; nil if nothing says so.
  package var isTrashed: Bool?
  /// Whether the source has the asset of somebody who shares it; nil if nothing says so.
  package var isOfOthers: Bool?
  /// The extension of the file that an XMP sidecar says it belongs to, in lower case; nil where it says none.
  package var ownerExtension: String?
  /// What the file itself states, before any rule and any sidecar; a worker does not send it.
  package var stated: StatedFacts?
  /// The date that the rules chose, where its clock or time zone was corrected; a worker does not send it.
  package var uncorrected: CaptureDate?
  /// The seconds that were added to the date of a wrong clock; a worker does not send it.
  package var clockShift: Int?
  /// The date that a person stated of the file, as ``AboutDate/text``; a worker does not send it.
  package var about: String?
  /// The tag of the first date that was passed over since it is before 1826, in the future or in no calendar, with
  /// ``CaptureDate/shiftTag`` where a correction leads there; nil if none was. A worker does not send it.
  package var implausibleDateTag: String?
  /// True where the metadata state a movie in the file that is not there, or not where they say; else nil.
  package var misstatesMovie: Bool?

  /// What a rating may be: 0 to 5 stars, or ``rejected``.
  package static let ratings = rejected...5
  /// The rating of a picture that a person has sorted out. Source: XMP specification part 2, `xmp:Rating`.
  package static let rejected = -1

  /// The most dates of a file.
  package static let maximumDates = 16
  /// The longest caption in bytes.
  package static let maximumCaptionLength = 2000
  /// The most keywords.
  package static let maximumKeywords = 64
  /// The longest keyword in bytes.
  package static let maximumKeywordLength = 200
  /// The most names of people.
  package static let maximumPeople = 64
  /// The longest name of a person in bytes.
  package static let maximumNameLength = 200

  /// The most bytes of an extension.
  package static let maximumExtensionLength = 8
  /// The most bytes of the words that tell a sidecar's subject.
  package static let maximumSubjectLength = 1000

  /// A position on Earth in units of 10⁻⁷ degrees, north and east positive.
  package struct Place: Sendable, Hashable {
    /// From -90 to 90 degrees.
    package var latitude: Int
    /// From -180 to 180 degrees.
    package var longitude: Int

    /// Creates a position; nil for one that is not on Earth, and for 0, 0, which stands for an unknown one.
    package init?(latitude: Int, longitude: Int) {
      guard abs(latitude) <= 900_000_000, abs(longitude) <= 1_800_000_000,
        latitude != 0 || longitude != 0
      else { return nil }
      self.latitude = latitude
      self.longitude = longitude
    }

    /// The nearest point of the grid of 0.1 degrees, about 11 km; nil where that is 0, 0.
    var coarse: Place? { Place(latitude: Self.coarse(latitude), longitude: Self.coarse(longitude)) }

    /// Returns the nearest tenth of a degree of units of 10⁻⁷ degrees; half a step rounds away from zero, and the
    /// bounds of latitude and longitude lie on the grid.
    package static func coarse(_ units: Int) -> Int {
      let step = 1_000_000
      return (units + (units < 0 ? -step / 2 : step / 2)) / step * step
    }
  }

  /// Creates an empty description.
  package init() {}

  /// Adds a keyword unless it is there already, or there are too many.
  package mutating func add(keyword: String) {
    guard keywords.count < Self.maximumKeywords, !keywords.contains(keyword) else { return }
    keywords.append(keyword)
  }

  /// Adds the name of a person unless it is there already, or there are too many.
  package mutating func add(person: String) {
    let names = people ?? []
    guard names.count < Self.maximumPeople, !names.contains(person) else { return }
    people = names + [person]
  }

  /// Takes what a sidecar says: a person's rating, caption, keywords, place and names of people come before
  /// the file's, since a sidecar is what was edited later; what only the camera knows is added.
  package mutating func take(_ sidecar: MediaDescription) {
    rating = sidecar.rating ?? rating
    caption = sidecar.caption ?? caption
    if !sidecar.keywords.isEmpty { keywords = sidecar.keywords }
    people = sidecar.people ?? people
    place = sidecar.place ?? place
    statesPlace = statesPlace || sidecar.statesPlace || sidecar.place != nil
    isFavorite = sidecar.isFavorite ?? isFavorite
    isHidden = sidecar.isHidden ?? isHidden
    subtypes.formUnion(sidecar.subtypes)
    if burst == nil, let other = sidecar.burst {
      (burst, isBurstPick) = (other, sidecar.isBurstPick)
    }
  }

  /// Adds a date, if there is one and room for it.
  package mutating func add(_ date: CaptureDate?) {
    guard let date, dates.count < Self.maximumDates else { return }
    dates.append(date)
  }
}

extension MediaDescription {
  package typealias Field = FactList.Field<MediaDescription>
  private typealias Column = FactList.Column

  /// Every fact of a description, in the order in which a worker sends them.
  package static let fields: [Field] = [
    Field(.dates(\.dates, count: maximumDates), .dropped),
    Field(.localTime(\.locationTime), .dropped),
    Field(
      .place(\.place),
      .excepted(.location),
      Column("latitude", .rows(115)),
      Column("longitude", .rows(116))
    ),
    Field(.flag(\.statesPlace), .dropped),
    Field(.text(\.placeTag, limit: 64), .hidden, isOfRules: true, Column("placeTag", isKey: false)),
    Field(
      .placeName(\.placeName),
      .hidden,
      isOfRules: true,
      Column("city", .rows(120)),
      Column("region", .rows(121)),
      Column("country", .rows(122))
    ),
    Field(.subtypes(\.subtypes), .hidden, Column("mediaSubtypes")),
    Field(.number(\.rating, ratings), .excepted(.rating), Column("rating", .rows(80))),
    Field(.truth(\.isFavorite), .hidden, Column("isFavorite", .rows(60))),
    Field(.truth(\.isHidden), .hidden, Column("isHidden", .rows(70))),
    Field(.text(\.caption, limit: maximumCaptionLength), .excepted(.caption), Column("caption", .rows(90))),
    Field(
      .texts(\.keywords, count: maximumKeywords, limit: maximumKeywordLength),
      .hidden,
      Column("keywords", .rows(100))
    ),
    Field(
      .texts(\.names, count: maximumPeople, limit: maximumNameLength),
      .hidden,
      Column("people", .rows(110))
    ),
    Field(.text(\.burst, limit: 128), .hidden, Column("burst", as: "burstIdentifier", .rows(150))),
    Field(.truth(\.isBurstPick), .hidden, Column("isBurstPick", isKey: false, .objects)),
    Field(.subject(\.subject, limit: maximumSubjectLength), .dropped),
    Field(.truth(\.isTrashed), .dropped),
    Field(.truth(\.isOfOthers), .dropped),
    Field(.truth(\.misstatesMovie), .dropped),
    Field(.text(\.ownerExtension, limit: maximumExtensionLength), .dropped),
    Field(
      .moment(\.uncorrected),
      .dropped,
      isOfRules: true,
      Column("creationDateStated", isKey: false, .objects)
    ),
    Field(.text(\.implausibleDateTag, limit: 256), .dropped, isOfRules: true),
  ]

  /// ``people``, of which none is known where the list is empty.
  private var names: [String] {
    get { people ?? [] }
    set { people = newValue.isEmpty ? nil : newValue }
  }
}

/// What a file itself states of that which `except` may leave in it, without what rules and sidecars say.
package struct StatedFacts: Sendable, Hashable {
  var creationDate: CaptureDate?
  var place: MediaDescription.Place?
  var rating: Int?
  var caption: String?
}

extension Facts {
  /// What the file itself states.
  package var stated: StatedFacts {
    description?.stated
      ?? StatedFacts(
        creationDate: creationDate,
        place: description?.place,
        rating: description?.rating,
        caption: description?.caption
      )
  }
}

/// What a sidecar of Google Takeout is about.
package enum SidecarSubject: Sendable, Hashable {
  /// A picture, by words that are the same in each folder that it is exported to: its title and the time at
  /// which it was taken.
  case picture(String)
  /// The album in whose folder it lies, by its title, which may be empty.
  case album(String)
}

/// The subtypes of an asset.
///
/// Source: the raw values of PhotoKit's `PHAssetMediaSubtype`.
package struct MediaSubtypes: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  /// Creates subtypes from PhotoKit's number.
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let photoPanorama = MediaSubtypes(rawValue: 1)
  package static let photoHDR = MediaSubtypes(rawValue: 1 << 1)
  package static let photoScreenshot = MediaSubtypes(rawValue: 1 << 2)
  package static let photoLive = MediaSubtypes(rawValue: 1 << 3)
  package static let photoDepthEffect = MediaSubtypes(rawValue: 1 << 4)
  package static let spatialMedia = MediaSubtypes(rawValue: 1 << 10)
  package static let videoHighFrameRate = MediaSubtypes(rawValue: 1 << 17)
  package static let videoTimelapse = MediaSubtypes(rawValue: 1 << 18)
  package static let videoScreenRecording = MediaSubtypes(rawValue: 1 << 19)
  package static let videoCinematic = MediaSubtypes(rawValue: 1 << 21)
  /// A picture by the camera on the side of the screen. PhotoKit has an album of them and no number: this
  /// is one that it does not use.
  package static let photoSelfie = MediaSubtypes(rawValue: 1 << 30)

  /// All subtypes, by PhotoKit's words; `photoSelfie` is not one of them.
  package static let words: [(word: String, subtype: MediaSubtypes)] = [
    ("photoPanorama", .photoPanorama), ("photoHDR", .photoHDR),
    ("photoScreenshot", .photoScreenshot), ("photoLive", .photoLive),
    ("photoDepthEffect", .photoDepthEffect), ("spatialMedia", .spatialMedia),
    ("videoHighFrameRate", .videoHighFrameRate), ("videoTimelapse", .videoTimelapse),
    ("videoScreenRecording", .videoScreenRecording), ("videoCinematic", .videoCinematic),
    ("photoSelfie", .photoSelfie),
  ]

  /// Every subtype that has a word.
  package static let all = words.reduce(into: MediaSubtypes()) { $0.formUnion($1.subtype) }
}

extension Facts {
  /// The frames in 1,000 s from which a video counts as one of a high frame rate: more than any screen
  /// standard has, and fewer than the 120 of slow motion.
  private static let highFrameRateMilli = 100_000

  /// The subtypes of the file alone; whether an asset is a live photo, its resources tell.
  package var subtypes: MediaSubtypes {
    var subtypes = description?.subtypes ?? []
    if format.mediaType == .video,
      tracks.contains(where: {
        $0.kind == .video && $0.frameRateMilli ?? 0 >= Self.highFrameRateMilli
      })
    {
      subtypes.insert(.videoHighFrameRate)
    }
    return subtypes
  }
}

extension MediaDescription.Place {
  /// A latitude in 10⁻⁷ degrees in XMP's notation, such as `48,8.166000N`.
  ///
  /// Source: XMP specification part 2, section 1.2.7.4, GPSCoordinate.
  package static func latitudeText(_ units: Int) -> String { text(units) + (units < 0 ? "S" : "N") }

  /// A longitude in 10⁻⁷ degrees in XMP's notation.
  package static func longitudeText(_ units: Int) -> String {
    text(units) + (units < 0 ? "W" : "E")
  }

  /// Returns `DDD,MM.mm` with as many digits as 10⁻⁷ degrees have: one unit is 6 × 10⁻⁶ minutes.
  private static func text(_ units: Int) -> String {
    let unitsPerDegree = 10_000_000
    let minutes = abs(units) % unitsPerDegree * 6
    let fraction = PaddedNumber.text(minutes % 1_000_000, width: 6)
    return "\(abs(units) / unitsPerDegree),\(minutes / 1_000_000).\(fraction)"
  }
}
