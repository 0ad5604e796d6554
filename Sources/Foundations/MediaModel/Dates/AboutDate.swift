/// A date of the capture that a person states of files which do not say it, such as scans of old prints.
package struct AboutDate: Sendable, Hashable {
  /// As it was stated: `1978`, `1978-06` or `1978-06-05`, with `~` behind it where it is approximate.
  ///
  /// Source: ISO 8601-2:2019, the qualifier `~`, as in the Extended Date/Time Format.
  package let text: String
  /// The date, whose tag tells whether it is approximate.
  package let date: CaptureDate

  /// Reads a date; nil for another form, and for one that no calendar has.
  package init?(_ text: String) {
    let isApproximate = text.hasSuffix("~")
    let local = isApproximate ? String(text.dropLast()) : text
    guard local.utf8.count <= 10, !local.hasPrefix("0000"),
      let first = CivilDate.seconds(local).flatMap(CivilDate.local), first.hasPrefix(local)
    else { return nil }
    self.text = text
    let tag = CaptureDate.aboutTag + (isApproximate ? "~" : "")
    date = CaptureDate(local: local, offsetMinutes: nil, tag: tag)
  }
}

extension CaptureDate {
  /// The tag of a date that a person stated, with `~` behind it where it is approximate.
  package static let aboutTag = "dates.about"

  /// Whether a person stated it in the manifest.
  package var isAbout: Bool { tag.hasPrefix(Self.aboutTag) }
}
