internal import MediaLibrary
package import MediaManifest
package import MediaModel
internal import MediaPermissions
internal import MediaSources

/// The items of a run that are not in hand yet, out of which access that is taken back takes some.
package protocol RemainingItems {
  /// Drops the items of a source.
  ///
  /// - Returns: The number of dropped items.
  mutating func end(_ kind: SourceID) -> Int

  /// Drops the items of a source that `selection` does not contain.
  ///
  /// - Returns: The number of dropped items.
  mutating func narrow(_ kind: SourceID, to selection: Selection) -> Int

  /// Applies the refusal of the microphone to the items that need it.
  mutating func refuseAudio(_ policy: MicrophoneRefusalPolicy)
}
