extension Facts {
  /// Returns the facts that the catalogue may hold about a file that was stripped under `options`:
  /// those that the stripped file still contains or that decoding it shows.
  ///
  /// Which those are, ``FactList/Strip`` says of each. Of the tracks, those of video and audio are listed, since the
  /// stripped file still has them. The date is the one that the file states itself, which the stripped file has,
  /// whatever rule gave another, and so is the place. Nothing of the description is included.
  package func publishable(under options: StripOptions) -> Facts {
    var facts = Facts(format: format)
    for field in Facts.fields where field.strip.publishes(under: options) {
      field.form.set(&facts) { field.form.value($0, of: self) }
    }
    facts.tracks = tracks.filter { $0.kind == .video || $0.kind == .audio }
    if options.except.contains(.creationDate), let description {
      facts.creationDate = description.stated
    }
    if options.except.contains(.location), let description {
      facts.hasLocation = description.ownPlace?.isWritten(under: options) ?? false
    }
    // No fraction is written.
    facts.creationDate?.fraction = nil
    return facts
  }
}

extension MediaDescription.Place {
  /// Whether a stripped file has it: one that is kept coarse and rounded to 0, 0, which stands for an unknown one, is
  /// not written.
  package func isWritten(under options: StripOptions) -> Bool {
    let half = 500_000
    return !options.isLocationCoarse || abs(latitude) >= half || abs(longitude) >= half
  }
}

extension FactList.Strip {
  fileprivate func publishes(under options: StripOptions) -> Bool {
    exception.map(options.except.contains) ?? (self == .kept)
  }
}
