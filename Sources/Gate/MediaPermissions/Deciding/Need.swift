package import MediaManifest
package import MediaModel

/// An access that a plan needs.
package struct Need: Sendable, Hashable {
  package var source: SourceID
  package var level: AccessLevel = .readWrite
  /// The microphone is needed for the sound of the camera's items and for nothing of its own.
  package var isForSoundOnly = false

  /// The needs of a manifest's plan, in the order camera, photo library, microphone.
  ///
  /// A declared camera is needed, and so is a declared photo library unless it is only added to; the microphone, when it has a path, or when the
  /// camera's mode brings sound, whether it is declared or not; of several microphones each is. Reading the photo library needs
  /// nothing beside it, whatever is in it.
  package static func all(of manifest: Manifest) -> [Need] {
    var needs: [Need] = []
    let cameras = manifest.sources.of(.camera)
    needs += cameras.map { Need(source: $0.key) }
    if !manifest.onlyAddsToPhotoLibrary {
      needs += manifest.sources.of(.library).map { Need(source: $0.key) }
    }
    let microphones = manifest.sources.of(.microphone)
    let needsSound = cameras.contains { $0.value.captureMode.needsSound }
    for (source, declaration) in microphones where declaration.path != nil || needsSound {
      needs.append(Need(source: source, isForSoundOnly: declaration.path == nil))
    }
    if microphones.isEmpty, needsSound { needs.append(Need(source: .microphone, isForSoundOnly: true)) }
    return needs
  }

  /// The need of adding to the photo library; nil for a manifest that adds nothing to it.
  static func adding(of manifest: Manifest) -> Need? {
    manifest.libraryAddedTo.map { Need(source: $0, level: .addOnly) }
  }
}
