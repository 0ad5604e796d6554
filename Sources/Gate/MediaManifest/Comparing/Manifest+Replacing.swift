internal import MediaModel
internal import MediaPredicate

// Says where another file is imported instead of one that is left out. The comparison asks the
// older manifest: a change can only bring in what that one kept out.

extension SourceDeclaration {
  /// Whether the number of fetched files is limited, so that others take the places of those that
  /// are left out.
  var hasFetchLimit: Bool { fetch.fetchLimit > 0 }

  /// Whether what files say decides which of them are fetched, but for whether they are hidden.
  var fetchesByContent: Bool { fetch.needsContent || fetch.limitsByContent }

  /// Whether what a sidecar says may keep its file out: by a condition of the fetch, or in a
  /// Takeout, whose JSON files say what is archived or in the trash.
  var sidecarsMayExclude: Bool {
    layout.hasLooseSidecars || fetch.needsContent || includesHiddenAssets == false
  }
}

extension Manifest {
  /// Whether what files say decides which files of some source are fetched: then others may be
  /// imported instead when files lose a date, or sidecars are no longer read.
  var fetchesByContent: Bool { sources.values.contains(where: \.fetchesByContent) }

  /// Whether a microphone that is not `authorized` may refuse items of the camera for their sound.
  var mayRefuseSound: Bool {
    let microphones = sources.of(.microphone)
    return onMicrophoneRefused == .refuse
      && (microphones.isEmpty || microphones.contains { $0.value.authorizationStatus != .authorized })
  }

  /// Whether live photos of the camera may be refused as a whole; without its movie, the still of
  /// one is a photo, which is imported.
  var mayRefuseLivePhotos: Bool {
    sources.of(.camera).contains { $0.value.captureMode.needsSound } && mayRefuseSound
  }

  /// Whether others may be imported instead when files and sidecars of a source are left out.
  func mayReplaceFiles(of source: SourceID) -> Bool {
    guard let declaration = sources[source] else { return false }
    return declaration.hasFetchLimit || declaration.sidecarsMayExclude
      || source.kind == .camera && mayRefuseLivePhotos
  }

  /// Whether files of a source may be imported under `strip` that are left out under `keep`: fewer
  /// sidecars are read, an export leaves out what is hidden, and a motion photo of the camera that
  /// was refused for its sound loses its movie.
  func mayImportMoreWhenStripped(of source: SourceID) -> Bool {
    guard let declaration = sources[source] else { return false }
    let layout = declaration.layout
    return declaration.fetchesByContent
      || layout.hidesItems && !layout.leavesOutHidden && declaration.hasFetchLimit
      || source.kind == .camera && mayRefuseSound
  }

  /// Whether others may be imported instead when files or sidecars are over the limits of an item:
  /// a file that cannot be read does not count where a fetch limit depends on what files say.
  var mayReplaceOverLimit: Bool {
    mayRefuseLivePhotos
      || sources.contains {
        $0.value.sidecarsMayExclude || fetchOptions(of: $0.key).limitsByContent
      }
  }
}
