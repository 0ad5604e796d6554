internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaPredicate

extension CheckCommand {
  /// Returns notes about what the manifest does with dates of its sources.
  static func dateNotes(_ loaded: LoadedManifest) -> [String] {
    let year = String(SaveTime.now.date.prefix(4))
    return loaded.manifest.sources.flatMap { source, declaration in
      let zone = loaded.timeZones[source]
      return [zone.map { note($0, of: source, in: year) }].compactMap { $0 }
        + declaration.dates.shifts.map { note($0, of: source, in: year, zone) }
    }
  }

  /// Returns notes about what the next run finds anew in the library since the manifest has other rules: of the
  /// sources that it reads, unless a person it asks refuses one.
  static func revisionNotes(_ loaded: LoadedManifest, _ access: AccessState) -> [String] {
    let sources = access.permissions.sources.filter {
      $0.decision.outcome == .proceed || $0.decision.outcome == .ask
    }
    return sources.map(\.source).flatMap { source -> [String] in
      guard loaded.manifest.sources[source] != nil,
        let catalogue = try? CatalogueReader(library: loaded.output)
      else { return [] }
      let isKept = loaded.manifest.metadataPolicy(of: source) == .keep
      if !isKept, (try? catalogue.readPrivateFacts()) == nil { return [] }
      return [
        isKept ? correctionNote(loaded, of: source, catalogue) : nil,
        readingNote(loaded, of: source, catalogue), placeNote(loaded, of: source, catalogue),
      ].compactMap { $0 }
    }
  }

  /// Returns a note about places of the library that the next run finds anew; nil if there are none.
  private static func placeNote(
    _ loaded: LoadedManifest,
    of source: SourceID,
    _ catalogue: CatalogueReader
  ) -> String? {
    guard let stored = StoredPlaces(loaded.manifest, of: source),
      let applied = try? catalogue.appliedRules(of: source),
      applied.places != AppliedRules(loaded.manifest, of: source).places,
      let count = try? stored.count(in: catalogue), count > 0
    else { return nil }
    return
      "The next run finds the places of \(Quantity.text(count, "asset")) of the \(source.displayName) again, by its "
      + "tracks and names of places. It opens no item for that; originals and labels stay."
  }

  /// Returns a note about dates of the library that the next run corrects in another way than an earlier one by what
  /// is stored; nil if there are none, or no library that can be read.
  private static func correctionNote(
    _ loaded: LoadedManifest,
    of source: SourceID,
    _ catalogue: CatalogueReader
  ) -> String? {
    let correction = DateCorrection(loaded.manifest, of: source, zone: loaded.timeZones[source])
    func count(_ isCounted: (DateCorrection.Verdict) -> Bool) -> Int {
      let count = try? catalogue.countDates(
        of: source,
        meeting: correction.predicates,
        correctedOnly: correction.isEmpty
      ) { isCounted(correction.verdict(on: $0)) }
      return count ?? 0
    }
    let corrected = count { $0 != .same && $0 != .unknown }
    if corrected == 0 { return nil }
    return "The next run corrects \(Quantity.text(corrected, "date")) of the \(source.displayName) "
      + "in the catalogue. It opens no file for that; originals and labels stay."
  }

  /// Returns the shifts that correct no date that the library has, of the sources whose dates it has.
  static func unmatchedShifts(_ loaded: LoadedManifest, _ access: AccessState) -> [UnmatchedRule] {
    let sources = access.permissions.sources.filter { $0.decision.outcome == .proceed }.map(\.source)
    return sources.flatMap { source -> [UnmatchedRule] in
      let correction = DateCorrection(loaded.manifest, of: source, zone: loaded.timeZones[source])
      guard !correction.predicates.isEmpty, loaded.manifest.metadataPolicy(of: source) == .keep,
        let catalogue = try? CatalogueReader(library: loaded.output)
      else { return [] }
      let used = UsedShifts()
      _ = try? catalogue.countDates(of: source, meeting: correction.predicates, correctedOnly: false) {
        used.note(correction.shiftIndex(for: $0), of: source)
        return false
      }
      return used.unmatched(loaded.manifest, of: source)
    }
  }

  /// Returns a note about files that the next run reads again, since only they tell their dates by other rules; nil
  /// if there are none.
  private static func readingNote(
    _ loaded: LoadedManifest,
    of source: SourceID,
    _ catalogue: CatalogueReader
  ) -> String? {
    guard let applied = try? catalogue.appliedRules(of: source),
      let dates = DatesToRead(
        loaded.manifest,
        of: source,
        zone: loaded.timeZones[source],
        applied: applied
      ), let count = try? dates.files(in: catalogue).count, count > 0
    else { return nil }
    return
      "The next run reads \(Quantity.text(count, "file")) of the \(source.displayName) again and records that, "
      + "since the rules for their dates have changed; originals and labels stay."
  }

  private static func note(_ zone: LocalTimeZone, of source: SourceID, in year: String) -> String {
    let seasons = [("January", "01"), ("July", "07")].compactMap { month, digits in
      CivilDate.seconds("\(year)-\(digits)-01").map {
        "\(CivilDate.offset(minutes: zone.offset(at: $0))) on 1 \(month) \(year)"
      }
    }
    let offsets = seasons.joined(separator: " and ")
    return
      "Dates of the \(source.displayName) that name no time zone are in \(zone.name): a local time gets its offset "
      + "from UTC, \(offsets), and a time in UTC becomes its local time."
  }

  /// Returns a note about a wrong clock, with three examples of dates that it gave and what becomes of them.
  private static func note(
    _ shift: DateShift,
    of source: SourceID,
    in year: String,
    _ zone: LocalTimeZone?
  ) -> String {
    let conditions = [
      shift.predicate.map { "where " + EscapedText.printable($0.text) },
      shift.from.map { "from \($0)" }, shift.to.map { "to \($0)" },
    ].compactMap { $0 }
    let examples = examples(of: shift, in: year).map { local in
      let before = CaptureDate(local: local, offsetMinutes: nil, tag: "")
      let shifted = before.shifted(by: shift.seconds)
      return "\(before.timestamp) becomes \((zone.map(shifted.local) ?? shifted).timestamp)"
    }
    return "Dates of the \(source.displayName) by a wrong clock"
      + (conditions.isEmpty ? "" : " (\(conditions.joined(separator: ", ")))")
      + " move by \(ClockShift.text(shift.seconds)): \(examples.joined(separator: "; "))."
  }

  /// Returns three local times that a shift is for: its first, one in the middle, and its last.
  private static func examples(of shift: DateShift, in year: String) -> [String] {
    let day = 86_400
    let last = shift.to.flatMap { text in
      CivilDate.seconds(text).map { text.utf8.count == 10 ? $0 + day - 1 : $0 }
    }
    let start =
      shift.from.flatMap(CivilDate.seconds) ?? last.map { $0 - 181 * day }
      ?? CivilDate.seconds("\(year)-01-15T10:00:00") ?? 0
    let end = last ?? start + 181 * day
    return [start, (start + end) / 2, end].compactMap { CivilDate.local(seconds: $0) }
  }
}
