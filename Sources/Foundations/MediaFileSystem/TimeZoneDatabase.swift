package import MediaModel

/// The IANA time zone database that the system has, in Debian that of the package tzdata.
package enum TimeZoneDatabase {
  /// In bytes; the largest zone has less than 4,000.
  private static let maximumLength = 1 << 18

  /// Returns a zone by its name, such as `Europe/Berlin`; nil for one that the system does not have.
  ///
  /// It reads a file beneath `/usr/share/zoneinfo`, so it comes before a process is confined.
  ///
  /// Source: tzfile(5).
  package static func zone(_ name: String) -> LocalTimeZone? {
    guard LocalTimeZone.isName(name) else { return nil }
    let path = [UInt8]("/usr/share/zoneinfo/\(name)".utf8)
    let bytes = try? FileSystem.readSmallFile(path, limit: maximumLength)
    return bytes.flatMap { LocalTimeZone(name: name, $0) }
  }
}
