package import MediaModel
package import MediaSyntax

/// What a manifest says of the clocks of the devices that made the files of one source.
package struct SourceDates: Sendable, Hashable {
  /// The name of a zone of the IANA time zone database; nil when nothing is said. Whether there is such a
  /// zone, the system knows.
  package var timeZone: String?
  /// The position of the zone's name in the manifest.
  package var timeZonePosition: TextPosition = .start
}

extension SourceDates {
  /// The issue of a time zone that the system does not have.
  package func unknownTimeZone(_ name: String, of source: SourceKind) -> ManifestIssue {
    ManifestIssue(
      position: timeZonePosition,
      path: "$.sources.\(source.rawValue).dates.timeZone",
      issue: ValueIssue(
        .unknownValue,
        "the system's time zone database (package tzdata) has no \"\(name)\"; names are such as "
          + "\"Europe/Berlin\""
      )
    )
  }
}
