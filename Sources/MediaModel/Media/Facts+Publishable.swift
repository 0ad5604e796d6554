extension Facts {
  /// Returns the facts that the catalogue may hold about a file that was stripped under `options`:
  /// those that the stripped file still contains or that decoding it shows.
  ///
  /// Video and audio tracks are listed, since the stripped file still has them. The date is
  /// included only under `creationDate`, the camera only under `camera`, and whether there is a GPS
  /// location only under `location`. The date is the one that the file states itself, which the
  /// stripped file has, whatever rule gave another. The content identifier is never included, because
  /// the stripped file has a fresh one, nor is anything of the description.
  package func publishable(under options: StripOptions) -> Facts {
    var facts = Facts(
      format: format,
      pixelSize: pixelSize,
      orientation: orientation,
      durationMilliseconds: durationMilliseconds,
      frameCount: frameCount,
      tracks: tracks.filter { $0.kind == .video || $0.kind == .audio }
    )
    if options.except.contains(.creationDate) {
      facts.creationDate = description == nil ? creationDate : description?.stated
    }
    if options.except.contains(.camera) { facts.camera = camera }
    if options.except.contains(.location) { facts.hasLocation = hasLocation }
    return facts
  }
}
