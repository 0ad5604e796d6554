extension Facts {
  /// What the catalogue may hold of a file that was stripped under `options`: what the stripped file
  /// still says, and what anybody sees who decodes it.
  ///
  /// Of its tracks pictures and sound, which are there still. The date only under `creationDate`, the camera only under `camera`, that there is a place only
  /// under `location`; where it is, facts never say. Never the content identifier, because the
  /// stripped file has a fresh one.
  package func publishable(under options: StripOptions) -> Facts {
    var facts = Facts(
      format: format,
      pixelSize: pixelSize,
      orientation: orientation,
      durationMilliseconds: durationMilliseconds,
      frameCount: frameCount,
      tracks: tracks.filter { $0.kind == .video || $0.kind == .audio }
    )
    if options.except.contains(.creationDate) { facts.creationDate = creationDate }
    if options.except.contains(.camera) { facts.camera = camera }
    if options.except.contains(.location) { facts.hasLocation = hasLocation }
    return facts
  }
}
