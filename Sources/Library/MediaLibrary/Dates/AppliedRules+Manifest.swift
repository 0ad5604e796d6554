internal import MediaDigest
package import MediaManifest
package import MediaModel
internal import MediaPredicate

extension AppliedRules {
  /// What a catalogue has in the place of rules while rows are found anew, since some of them follow others then; no
  /// manifest has it.
  package static let mixed = "?"
  /// What the word among the rules begins with that stands for the dates that a person states.
  static let about = "about:"

  /// The rules of a manifest for the dates and places of a source, as far as anything has them: under `strip` the
  /// private facts alone.
  package init(_ manifest: Manifest, of source: SourceID) {
    guard let declaration = manifest.sources[source],
      manifest.metadataPolicy(of: source) == .keep || manifest.storesPrivateFacts
    else {
      self.init()
      return
    }
    self.init(manifest.dates)
    if !declaration.dates.about.isEmpty {
      // What a person states is found with all else that the file says.
      let rules =
        manifest.dates.rules.map(\.rawValue) + [
          Self.about + (Self.digest(declaration.dates.about.map(\.text)) ?? "")
        ]
      dates = rules.joined(separator: " ")
    }
    corrections = Self.digest(
      [declaration.dates.timeZone ?? ""]
        + declaration.dates.shifts.flatMap { shift in
          ["\(shift.seconds)", shift.predicate?.text ?? "", shift.from ?? "", shift.to ?? ""]
        }
    )
    var parts = [manifest.placeData ?? ""]
    if !declaration.tracks.isEmpty {
      // Another date is another moment, at which a track has another position.
      parts += ["\(declaration.maximumGap)", dates ?? "", corrections ?? ""]
      parts += declaration.tracks.map(\.text)
    }
    places = Self.digest(parts)
  }

  /// Rules for dates alone.
  package init(_ rules: DateRules) {
    self.init()
    let rules = rules.rules
    if rules != DateRules().rules { dates = rules.map(\.rawValue).joined(separator: " ") }
  }

  /// The digest of texts; nil for no more than an empty one.
  private static func digest(_ texts: [String]) -> String? {
    if texts == [""] { return nil }
    var hasher = SHA256()
    for text in texts { hasher.update(Array("\(text)\0".utf8)) }
    return String(Hexadecimal.text(hasher.finalize()).prefix(32))
  }
}
