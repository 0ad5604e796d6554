package import MediaModel
package import MediaPredicate
package import MediaSyntax

/// The declaration of one source in a manifest.
package struct SourceDeclaration: Sendable, Hashable {
  /// The path relative to the manifest; nil only for the microphone.
  package var path: String?
  /// Camera and photo library only: how its files are arranged.
  package var layout: SourceLayout = .folder
  /// The readWrite status, or the only one; `notDetermined` when the manifest does not say.
  package var authorizationStatus: AuthorizationStatus = .notDetermined
  /// Photo library only: as written for adding alone, never `limited`; nil when the manifest does
  /// not say.
  package var addOnlyStatus: AuthorizationStatus?
  /// The value as written; the default follows from the status.
  package var required: Bool?
  /// Nil when the manifest has none, which under `limited` shows nothing.
  package var selection: [SelectionPattern]?
  /// Camera only.
  package var captureMode: CaptureMode = .photo
  /// Camera only: whether what is imported is added to the photo library too, byte for byte.
  package var savesToPhotoLibrary = false
  /// Photo library only; nil means all.
  package var mediaTypes: Set<MediaType>?
  /// Photo library only: what is imported of it, but for the next.
  package var fetch = FetchOptions()
  /// Photo library only: whether assets that a person hid are fetched; nil for all but those of a Photos library.
  package var includesHiddenAssets: Bool?
  /// Photo library only: a person is asked to pick.
  package var pick: PickRequest?
  /// Replaces the manifest's policy.
  package var metadata: MetadataPolicy?
  /// Whether file systems that are mounted within the source are entered.
  package var crossMounts = false
  package var hardLinks: HardLinkPolicy = .refuse
  /// Patterns of files and folders that are left out.
  package var ignore: [SelectionPattern] = []
  /// Whether what is left out by default is, see ``IgnoreRules/usesDefaults``.
  package var ignoresDefaults = true
  /// How its dates are completed.
  package var dates = SourceDates()
  /// Patterns of GPS tracks, relative to the manifest.
  package var tracks: [SelectionPattern] = []
  /// The seconds within which a point of a track has to be.
  package var maximumGap = 60
  /// As written; nil for a source that is called by its kind's word.
  var name: String?
  /// Its place in the list of its kind's sources; nil for one that is in no list.
  package var listIndex: Int?
  /// The position of its path in the manifest, or of its key when it has no path.
  package var position: TextPosition = .start

  /// The statuses by access level; a level without a status is absent,
  /// but readWrite is always there.
  ///
  /// Deciding, not this property, knows that a client that may read may add.
  package var statuses: [AccessLevel: AuthorizationStatus] {
    var statuses: [AccessLevel: AuthorizationStatus] = [.readWrite: authorizationStatus]
    statuses[.addOnly] = addOnlyStatus
    return statuses
  }
}
