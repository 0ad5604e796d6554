package import MediaModel

extension Facts {
  /// Adds what the file's name and times tell: the creation date by the rules, and the subtypes and
  /// the burst that only the name has.
  ///
  /// This is the only place that applies the rules; a run and a rebuild both call it.
  ///
  /// - Parameters:
  ///   - path: The file's path within its source.
  ///   - modified: The time of its last modification in nanoseconds since 1970.
  ///   - saved: The time at which its asset was saved in microseconds since 1970.
  ///   - rules: The manifest's rules.
  ///   - about: The date that a person states of the file; nil for none.
  ///   - sidecars: What the file's sidecars say, the one that counts most first.
  ///   - shift: By how many seconds the clock was wrong, for the facts with the date that it gave; nil if it
  ///     was right.
  /// - Returns: The facts, also with what the sidecars say; facts without a description as they are.
  package func completed(
    path: ItemPath,
    modified: Int64,
    saved: Int64,
    rules: DateRules,
    about: AboutDate? = nil,
    sidecars: [MediaDescription] = [],
    shift: (Facts) -> Int? = { _ in nil }
  ) -> Facts {
    guard var description else { return self }
    var facts = self
    description.stated = stated
    var own = description.dates
    if let creationDate, !own.contains(where: { $0.local == creationDate.local }) {
      own.append(creationDate)
    }
    var candidates = DateCandidates(
      own: own,
      locationTime: description.locationTime,
      name: Array(path.name),
      modified: modified,
      saved: saved
    )
    candidates.durationMilliseconds = durationMilliseconds
    candidates.about = about?.date
    candidates.sidecar = sidecars.flatMap(\.dates).map { date in
      var date = date
      date.tag = CaptureDate.sidecarPrefix + date.tag
      return date
    }
    for sidecar in sidecars.reversed() { description.take(sidecar) }
    if description.place != nil || description.statesPlace {
      facts.hasLocation = true
      if description.place == nil { description.placeTag = TrackPlaces.statedTag }
    }
    let choice = candidates.chosen(rules) { date in
      (facts.description, facts.creationDate) = (description, date)
      return shift(facts)
    }
    description.uncorrected = choice.date == choice.stated ? nil : choice.stated
    description.clockShift = choice.shift
    description.about = about?.text
    description.implausibleDateTag = choice.implausibleTag
    (description.dates, description.locationTime) = ([], nil)
    facts.creationDate = choice.date
    if format.mediaType == .image {
      let name = FileNameFacts(Array(path.name))
      if name.isScreenshot { description.subtypes.insert(.photoScreenshot) }
      if name.isPanorama { description.subtypes.insert(.photoPanorama) }
      if description.burst == nil, let burst = name.burst {
        (description.burst, description.isBurstPick) = (burst, name.isBurstPick)
      }
    }
    facts.description = description
    return facts
  }
}
