package import MediaManifest
package import MediaModel
package import MediaPredicate

/// How a manifest corrects the dates of a source that the catalogue has already.
package struct DateCorrection {
  /// The zone of the clocks; nil if the manifest does not say it.
  package let zone: LocalTimeZone?
  private let shifts: [DateShift]

  /// What becomes of a date of the catalogue.
  package enum Verdict: Hashable {
    case same
    /// It is another one by now, with a shift of so many seconds, or none.
    case corrected(Int?)
    /// Only its file tells: the offset from UTC depends on a GPS time, which is not stored.
    case unknown
  }

  package init(_ manifest: Manifest, of source: SourceID, zone: LocalTimeZone?) {
    self.zone = zone
    shifts = manifest.sources[source]?.dates.shifts ?? []
  }

  /// Whether the manifest corrects no date.
  package var isEmpty: Bool { zone == nil && shifts.isEmpty }

  /// The conditions of the shifts, in their order.
  package var predicates: [FetchPredicate?] { shifts.map(\.predicate) }

  /// The number of the shift that corrects a date that was visited with ``predicates``; nil where none does.
  package func shiftIndex(for stored: StoredDate) -> Int? {
    shifts.indices.first { stored.meets[$0] && shifts[$0].holds(stored.stated) }
  }

  /// Returns what becomes of a date that was visited with ``predicates``.
  package func verdict(on stored: StoredDate) -> Verdict {
    let shift = shiftIndex(for: stored).map { shifts[$0].seconds }
    if stored.corrected(by: shift, in: zone) == nil { return .same }
    let mayHaveFix =
      stored.hasLocation && stored.stated.isOwn && !stored.stated.isDateOnly
      && (stored.stated.offsetMinutes == nil || stored.stated.tag.hasSuffix(DateCandidates.fixTag))
    if mayHaveFix, shift != nil { return .unknown }
    return .corrected(shift)
  }
}
