package import MediaModel

extension AdvisedSettings {
  /// What a manifest has set of it.
  package init(_ manifest: Manifest) {
    self.init()
    acceptsDamaged = manifest.acceptsDamaged
    takesVideos = manifest.sources[.camera]?.captureMode == .photoAndVideo
    authorizesMicrophone = manifest.sources[.microphone]?.authorizationStatus == .authorized
    hiddenSources = Set(manifest.sources.keys.filter { manifest.sources[$0]?.includesHiddenAssets == true })
  }
}
