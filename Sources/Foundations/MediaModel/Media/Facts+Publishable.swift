extension Facts {
  /// Returns the facts that the catalogue may hold about a file that was stripped under `options`:
  /// those that the stripped file still contains or that decoding it shows.
  ///
  /// Which those are, ``FactList/Strip`` says of each. Of the tracks, those of video and audio are listed, since the
  /// stripped file still has them. Date, place, rating and caption are those that the file states itself, which the
  /// stripped file has, whatever rule or sidecar gave another; the place is as coarse as there. The date has the tag
  /// ``CaptureDate/keptTag``, under which it is written.
  package func publishable(under options: StripOptions) -> Facts {
    var (facts, own, kept) = (Facts(format: format), self, MediaDescription())
    let stated = stated
    own.creationDate = stated.creationDate
    own.creationDate?.tag = CaptureDate.keptTag
    for field in Facts.fields where field.strip.publishes(under: options) {
      field.form.set(&facts) { field.form.value($0, of: own) }
    }
    facts.tracks = tracks.filter { $0.kind == .video || $0.kind == .audio }
    var described = MediaDescription()
    described.place = options.isLocationCoarse ? stated.place?.coarse : stated.place
    (described.rating, described.caption) = (stated.rating, stated.caption)
    for field in MediaDescription.fields where field.strip.publishes(under: options) {
      field.form.set(&kept) { field.form.value($0, of: described) }
    }
    // No fraction is written.
    facts.creationDate?.fraction = nil
    if kept != MediaDescription() { facts.description = kept }
    // What is not understood of a place is in no stripped file.
    facts.hasLocation = kept.place != nil
    return facts
  }
}

extension FactList.Strip {
  fileprivate func publishes(under options: StripOptions) -> Bool {
    exception.map(options.except.contains) ?? (self == .kept)
  }
}
