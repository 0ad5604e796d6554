package import MediaManifest
package import MediaModel

/// An access that a plan needs.
package struct Need: Sendable, Hashable {
  package var source: SourceKind
  package var level: AccessLevel = .readWrite
  /// The microphone is needed for the sound of the camera's items and for nothing of its own.
  package var isForSoundOnly = false

  /// The needs of a manifest's plan, in the order camera, photo library, microphone.
  ///
  /// A declared camera is needed, and so is a declared photo library unless it is only added to; the microphone, when it has a path, or when the
  /// camera's mode brings sound, whether it is declared or not. Reading the photo library needs
  /// nothing beside it, whatever is in it.
  package static func all(of manifest: Manifest) -> [Need] {
    var needs: [Need] = []
    let camera = manifest.sources[.camera]
    if camera != nil { needs.append(Need(source: .camera)) }
    if manifest.sources[.library] != nil, !manifest.onlyAddsToPhotoLibrary {
      needs.append(Need(source: .library))
    }
    let hasMicrophonePath = manifest.sources[.microphone]?.path != nil
    if hasMicrophonePath || camera?.captureMode.needsSound ?? false {
      needs.append(Need(source: .microphone, isForSoundOnly: !hasMicrophonePath))
    }
    return needs
  }

  /// The need of adding to the photo library; nil for a manifest that adds nothing to it.
  static func adding(of manifest: Manifest) -> Need? {
    manifest.addsToPhotoLibrary ? Need(source: .library, level: .addOnly) : nil
  }
}
