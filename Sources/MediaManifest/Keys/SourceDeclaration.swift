package import MediaModel
package import MediaSyntax

/// The declaration of one source in a manifest.
package struct SourceDeclaration: Sendable, Hashable {
  /// The path relative to the manifest; nil only for the microphone.
  package var path: String?
  /// The readWrite status, or the only one; `notDetermined` when the manifest does not say.
  package var authorizationStatus: AuthorizationStatus
  /// Photo library only: as written for adding alone, never `limited`; nil when the manifest does
  /// not say.
  package var addOnlyStatus: AuthorizationStatus?
  /// The value as written; the default follows from the status.
  package var required: Bool?
  /// Nil when the manifest has none, which under `limited` shows nothing.
  package var selection: [SelectionPattern]?
  /// Camera only.
  package var captureMode: CaptureMode
  /// Photo library only; nil means all.
  package var mediaTypes: Set<MediaType>?
  /// Photo library only: a person is asked to pick.
  package var pick: PickRequest?
  /// Replaces the manifest's policy.
  package var metadata: MetadataPolicy?
  /// Whether file systems that are mounted within the source are entered.
  package var crossMounts: Bool
  package var hardLinks: HardLinkPolicy
  /// The position of its path in the manifest, or of its key when it has no path.
  package var position: TextPosition

  package init(
    path: String? = nil,
    authorizationStatus: AuthorizationStatus = .notDetermined,
    addOnlyStatus: AuthorizationStatus? = nil,
    required: Bool? = nil,
    selection: [SelectionPattern]? = nil,
    captureMode: CaptureMode = .photo,
    mediaTypes: Set<MediaType>? = nil,
    pick: PickRequest? = nil,
    metadata: MetadataPolicy? = nil,
    crossMounts: Bool = false,
    hardLinks: HardLinkPolicy = .refuse,
    position: TextPosition = .start
  ) {
    self.path = path
    self.authorizationStatus = authorizationStatus
    self.addOnlyStatus = addOnlyStatus
    self.required = required
    self.selection = selection
    self.captureMode = captureMode
    self.mediaTypes = mediaTypes
    self.pick = pick
    self.metadata = metadata
    self.crossMounts = crossMounts
    self.hardLinks = hardLinks
    self.position = position
  }

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
