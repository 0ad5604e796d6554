/// The rules of a manifest for files that do not say, or only in part, when they were taken.
package struct DateRules: Sendable, Hashable {
  /// A rule that a manifest switches on or off.
  package enum Rule: String, CaseIterable, Sendable, Hashable {
    /// Reads the date in a name of a known shape.
    case fromName
    /// Takes the time at which the file was last modified.
    case fromModification
    /// Takes the date of the capture that a person wrote into a sidecar before the file's own.
    case sidecarFirst
  }

  /// Whether a name of a known shape gives a date.
  package var fromName = true
  /// Whether the time of the last modification gives a date, when nothing else does.
  package var fromModification = false
  /// Whether a date of the capture in an XMP sidecar comes before those of the file itself.
  package var sidecarFirst = false
  /// The zone of the clocks that made the files of a source; nil if nobody has said it.
  package var timeZone: LocalTimeZone?

  /// Creates the default rules.
  package init() {}

  /// Creates the rules that a log lists; none for a log without a list.
  package init(_ rules: Set<Rule>) {
    fromName = rules.contains(.fromName)
    fromModification = rules.contains(.fromModification)
    sidecarFirst = rules.contains(.sidecarFirst)
  }

  /// The rules that are on, in a fixed order.
  package var rules: [Rule] {
    (fromName ? [.fromName] : []) + (fromModification ? [.fromModification] : [])
      + (sidecarFirst ? [.sidecarFirst] : [])
  }
}

extension CaptureDate {
  /// The tag of a date that `except` keeps, which a stripped file has there, whatever tag it was read from.
  package static let keptTag = "DateTimeOriginal"
  /// The tag of a date that a file's name gave.
  package static let nameTag = "fileName"
  /// The tag of a date that the time of the last modification gave.
  package static let modificationTag = "fileModification"
  /// The end of the tag of a date whose offset is that of the source's time zone.
  package static let timeZoneTag = "+timeZone"

  /// The tag without what corrections add to it.
  package var ruleTag: String {
    var tag = tag[...]
    for end in [Self.timeZoneTag, Self.shiftTag] where tag.hasSuffix(end) {
      tag = tag.dropLast(end.utf8.count)
    }
    return String(tag)
  }

  /// The local time with the offset from UTC that it has: `2024-01-20T11:26:09+01:00`.
  package var timestamp: String { local + (offsetMinutes.map(CivilDate.offset) ?? "") }

  /// Reads a ``timestamp``; nil for another form.
  package init?(timestamp: String, tag: String) {
    let local = timestamp.prefix(timestamp.utf8.count <= 10 ? timestamp.utf8.count : 19)
    guard CivilDate.seconds(String(local)) != nil else { return nil }
    self.init(local: String(local), offsetMinutes: nil, tag: tag)
    let offset = timestamp.utf8.dropFirst(local.utf8.count)
    if offset.isEmpty { return }
    let parts = offset.dropFirst().split(separator: UInt8.colon).map { Int(Substring($0)) }
    guard parts.count == 2, let hours = parts[0], (0...99).contains(hours),
      let minutes = parts[1], (0...59).contains(minutes)
    else { return nil }
    offsetMinutes = (offset.first == .hyphen ? -1 : 1) * (60 * hours + minutes)
  }

  /// What stands for a date that a file states and that cannot be, such as 30 February: before any date that
  /// is plausible, so it is passed over and reported as such a date is.
  package static func impossible(tag: String) -> CaptureDate {
    CaptureDate(local: "0000-01-01", offsetMinutes: nil, tag: tag)
  }

  /// Whether it is ``impossible(tag:)``.
  package var isImpossible: Bool { local.hasPrefix("0000") }

  /// The tags of dates that the clock of a camera gives.
  package static let tagsOfClocks = ["DateTimeOriginal", "DateTimeDigitized", "DateTime", "mvhd"]

  /// The beginning of the tag of a date that a sidecar stated; the tag in the sidecar follows.
  package static let sidecarPrefix = "sidecar:"

  /// Whether the file's own metadata state it.
  package var isOwn: Bool {
    // What follows is about the offset.
    let first = tag.prefix { $0 != "+" }
    return first != Self.nameTag && first != Self.modificationTag && !isAbout
      && !tag.hasPrefix(Self.sidecarPrefix)
  }
}
