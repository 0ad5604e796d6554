internal import MediaManifest
internal import MediaModel
internal import MediaPipeline

extension CheckCommand {
  /// Returns notes about what the manifest does with dates of its sources.
  static func dateNotes(_ loaded: LoadedManifest) -> [String] {
    let year = SaveTime.now.date.prefix(4)
    return SourceKind.allCases.compactMap { kind in
      guard let zone = loaded.timeZones[kind] else { return nil }
      let seasons = [("January", "01"), ("July", "07")].compactMap { month, digits in
        CivilDate.seconds("\(year)-\(digits)-01").map {
          "\(CivilDate.offset(minutes: zone.offset(at: $0))) on 1 \(month) \(year)"
        }
      }
      let offsets = seasons.joined(separator: " and ")
      return "Dates of the \(kind.displayName) are of the time zone \(zone.name) where nothing "
        + "else tells it: a local time has its offset from UTC, \(offsets), and a time in UTC becomes "
        + "its local time."
    }
  }
}
