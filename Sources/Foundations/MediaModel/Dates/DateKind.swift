extension CaptureDate {
  /// The event that a date is about.
  package enum Kind: CaseIterable, Sendable {
    case capture
    case digitizing
    /// Writing the file: when a program saved it, or the clock in a container's header.
    case written
  }

  /// The event that its tag tells of; capture where the tag tells of none.
  package var kind: Kind {
    switch Self.withoutPrefix(tag[...]) {
    case "DateTimeDigitized", "xmp:CreateDate", "exif:DateTimeDigitized", "DATE_DIGITIZED": .digitizing
    case "DateTime", "mvhd", "DateUTC", "CREATION_TIME": .written
    default: .capture
    }
  }

  /// The date that counts most among those that one file states.
  ///
  /// One of the capture comes before one of digitizing, and that before one of writing the file; then one with an offset,
  /// then one with a time of day, then the one of which most is known. What is not known of it, one of less weight tells
  /// that lies in its interval; one that does not is of something else, such as the scan of an old print. Those that
  /// are ``impossible(tag:)`` do not count.
  package static func best(of dates: [CaptureDate]) -> CaptureDate? {
    let dates = dates.filter { !$0.isImpossible }
    let timed = dates.filter { !$0.isDateOnly }
    for kind in Kind.allCases {
      let ofKind = timed.filter { $0.kind == kind }
      if let first = ofKind.first {
        // The first one takes the offset of another with the same local time.
        let hasOffset = dates.contains {
          $0.local == first.local && $0.offsetMinutes != nil && (!$0.isUniversal || $0 == first)
        }
        return hasOffset ? first : ofKind.first { $0.offsetMinutes != nil } ?? first
      }
      let partly = dates.filter { $0.isDateOnly && $0.kind == kind }
      guard let finest = partly.max(by: { $0.local.utf8.count < $1.local.utf8.count }) else { continue }
      return timed.first { finest.isRefined(by: $0) } ?? dates.first { finest.isRefined(by: $0) } ?? finest
    }
    return nil
  }

  /// Whether its tag is of one that has UTC wherever the file was made, so that its offset of 0 tells
  /// nothing of the local time: the headers of QuickTime, Matroska and ASF, the JSON of Google Takeout, and the CSV
  /// files of an export of iCloud Photos.
  package var isUniversal: Bool { Self.isUniversal(tag[...]) }

  /// Whether a tag is of a date that is UTC wherever the file was made; see ``isUniversal``.
  package static func isUniversal(_ tag: Substring) -> Bool {
    ["mvhd", "DateUTC", "CreationDate", "photoTakenTime", "originalCreationDate"].contains(withoutPrefix(tag))
  }

  /// The tag without ``sidecarPrefix``.
  package static func withoutPrefix(_ tag: Substring) -> Substring {
    tag.hasPrefix(sidecarPrefix) ? tag.dropFirst(sidecarPrefix.utf8.count) : tag
  }
}
