/// The rules of a manifest for files that do not say when they were taken.
package struct DateRules: Sendable, Hashable {
  /// A rule that a manifest switches on or off.
  package enum Rule: String, CaseIterable, Sendable, Hashable {
    /// Reads the date in a name of a known shape.
    case fromName
    /// Takes the time at which the file was last modified.
    case fromModification
  }

  /// Whether a name of a known shape gives a date.
  package var fromName = true
  /// Whether the time of the last modification gives a date, when nothing else does.
  package var fromModification = false

  /// Creates the default rules.
  package init() {}

  /// Creates the rules that a log lists; none for a log without a list.
  package init(_ rules: Set<Rule>) {
    fromName = rules.contains(.fromName)
    fromModification = rules.contains(.fromModification)
  }

  /// The rules that are on, in a fixed order.
  package var rules: [Rule] {
    (fromName ? [.fromName] : []) + (fromModification ? [.fromModification] : [])
  }
}

/// The dates of one file by all that may tell them, and the choice among them.
///
/// The order is: the file's own metadata, those of its sidecar, its name, the time of its last
/// modification; a movie's header that says a time before 1970 comes behind the name. Of the file's own
/// dates, one of the capture comes before one of digitizing, and that before one of writing the file; then
/// a date with an offset comes before one without, and one with a time of day before one without. A date
/// without an offset gets that of another date of the file with the same local time, otherwise one that
/// the GPS time implies. A date that is not plausible is passed over and noted.
package struct DateCandidates {
  /// The dates that the file's own metadata state, in the order of the blocks that were read.
  package var own: [CaptureDate]
  /// The GPS time as `yyyy-MM-ddTHH:mm:ss` in UTC.
  package var locationTime: String?
  /// The dates of the sidecar, in its order.
  package var sidecar: [CaptureDate] = []
  /// The file's name; bytes.
  package var name: [UInt8]
  /// The time of the last modification in nanoseconds since 1970.
  package var modified: Int64
  /// The time at which the asset is saved in microseconds since 1970; no date is later.
  package var saved: Int64

  /// Creates candidates.
  package init(
    own: [CaptureDate],
    locationTime: String?,
    name: [UInt8],
    modified: Int64,
    saved: Int64
  ) {
    self.own = own
    self.locationTime = locationTime
    self.name = name
    self.modified = modified
    self.saved = saved
  }

  /// The seconds from 1826-01-01, the year of the oldest photograph, to 1970.
  private static let earliest = -4_544_208_000
  /// A clock may be set for any time zone, and a local time has no offset: a day is allowed.
  private static let daySeconds = 86_400

  /// Returns the first date by the rules, and whether a date was passed over that is not plausible.
  package func chosen(_ rules: DateRules) -> (date: CaptureDate?, hasImplausible: Bool) {
    var hasImplausible = false
    let plausible = { (dates: [CaptureDate]) in
      dates.filter { date in
        let isPlausible = self.isPlausible(date)
        if !isPlausible { hasImplausible = true }
        return isPlausible
      }
    }
    let own = plausible(own)
    let isFirst = own.contains { !$0.mayCountFrom1970 }
    if isFirst, let date = best(of: own) { return (completed(date, by: own), hasImplausible) }
    let sidecar = plausible(sidecar)
    if let date = best(of: sidecar) { return (date, hasImplausible) }
    if rules.fromName, let date = plausible([FileNameDate.date(of: name)].compactMap { $0 }).first {
      return (date, hasImplausible)
    }
    if let date = best(of: own) { return (date, hasImplausible) }
    if rules.fromModification {
      let time = CalendarTime(microsecondsSince1970: modified / 1000).timestamp
      let date = CaptureDate(
        local: String(time.prefix(19)),
        offsetMinutes: 0,
        tag: CaptureDate.modificationTag
      )
      return (plausible([date]).first, hasImplausible)
    }
    return (nil, hasImplausible)
  }

  private func isPlausible(_ date: CaptureDate) -> Bool {
    guard let seconds = CivilDate.seconds(date.local) else { return false }
    return seconds >= Self.earliest
      && seconds - 60 * (date.offsetMinutes ?? 0) <= Int(saved / 1_000_000) + Self.daySeconds
  }

  private func best(of dates: [CaptureDate]) -> CaptureDate? {
    let timed = dates.filter { !$0.isDateOnly }
    for kind in CaptureDate.Kind.allCases {
      let ofKind = timed.filter { $0.kind == kind }
      if let first = ofKind.first {
        // The first one takes the offset of another with the same local time.
        let isTold = dates.contains {
          $0.local == first.local && $0.offsetMinutes != nil && (!$0.isUniversal || $0 == first)
        }
        return isTold ? first : ofKind.first { $0.offsetMinutes != nil } ?? first
      }
      guard let day = dates.first(where: { $0.isDateOnly && $0.kind == kind }) else { continue }
      // A date of less weight may have the time of the same day.
      return timed.first { $0.local.hasPrefix(day.local) } ?? day
    }
    return nil
  }

  private func completed(_ date: CaptureDate, by dates: [CaptureDate]) -> CaptureDate {
    guard date.offsetMinutes == nil, !date.isDateOnly else { return date }
    var date = date
    // UTC in a movie's header is no statement about the zone of a local time that equals it.
    let same = dates.first {
      $0.local == date.local && $0.offsetMinutes != nil && !$0.isUniversal
    }
    if let same {
      date.offsetMinutes = same.offsetMinutes
      date.tag += "+" + same.tag
    } else if let minutes = offsetByLocationTime(date) {
      date.offsetMinutes = minutes
      date.tag += "+GPSTimeStamp"
    }
    return date
  }

  /// Returns the offset from UTC that is in use somewhere on Earth and by which the local time is that
  /// of GPS, give or take 5 minutes: a fix may be older than the picture.
  private func offsetByLocationTime(_ date: CaptureDate) -> Int? {
    guard let local = CivilDate.seconds(date.local),
      let universal = locationTime.flatMap(CivilDate.seconds)
    else { return nil }
    let difference = local - universal
    let quarters = (Double(difference) / 900).rounded()
    guard abs(quarters) <= 64, abs(difference - Int(quarters) * 900) <= 300 else { return nil }
    let minutes = Int(quarters) * 15
    return Self.isInUse(minutes) ? minutes : nil
  }

  /// Returns whether an offset from UTC is, or was after 1972, the legal time of a place.
  ///
  /// Source: the IANA time zone database.
  private static func isInUse(_ minutes: Int) -> Bool {
    switch minutes % 60 {
    case 0: (-720...840).contains(minutes)
    case 30, -30:
      [-570, -210, -150, 210, 270, 330, 390, 510, 570, 630, 690].contains(minutes)
    default: [345, 525, 765, 825].contains(minutes)
    }
  }
}

extension CaptureDate {
  /// The tag of a date that a file's name gave.
  package static let nameTag = "fileName"
  /// The tag of a date that the time of the last modification gave.
  package static let modificationTag = "fileModification"

  /// What stands for a date that a file states and that cannot be, such as 30 February: before any date that
  /// is plausible, so it is passed over and reported as such a date is.
  package static func impossible(tag: String) -> CaptureDate {
    CaptureDate(local: "0000-01-01", offsetMinutes: nil, tag: tag)
  }

  /// Whether it has no time of day: `yyyy-MM-dd`.
  package var isDateOnly: Bool { local.utf8.count == 10 }

  /// The beginning of the tag of a date that a sidecar stated; the tag in the sidecar follows.
  package static let sidecarPrefix = "sidecar:"

  /// Whether the file's own metadata state it.
  package var isOwn: Bool {
    tag != Self.nameTag && tag != Self.modificationTag && !tag.hasPrefix(Self.sidecarPrefix)
  }

  /// The event that a date is about.
  enum Kind: CaseIterable {
    case capture
    case digitizing
    /// Writing the file: when a program saved it, or the clock in a container's header.
    case written
  }

  /// The tag without ``sidecarPrefix``.
  private var tagOfSource: String {
    tag.hasPrefix(Self.sidecarPrefix) ? String(tag.dropFirst(Self.sidecarPrefix.count)) : tag
  }

  /// Whether its tag is of one that has UTC wherever the file was made, so that its offset of 0 tells
  /// nothing of the local time: the headers of QuickTime, Matroska and ASF, and the JSON of Google Takeout.
  var isUniversal: Bool {
    ["mvhd", "DateUTC", "CreationDate", "photoTakenTime"].contains(tagOfSource)
  }

  /// Whether it is the time of a movie's header before 1970. Some programs count that time from 1970 and
  /// not from 1904, and what they wrote since 2011 reads as 1945 and later.
  ///
  /// Source: exiftool `QuickTime.pm`, which warns of an "incorrect time zero".
  var mayCountFrom1970: Bool { tag == "mvhd" && local < "1970" }

  var kind: Kind {
    switch tagOfSource {
    case "DateTimeDigitized", "xmp:CreateDate", "exif:DateTimeDigitized": .digitizing
    case "DateTime", "mvhd", "DateUTC": .written
    default: .capture
    }
  }
}
