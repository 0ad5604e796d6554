internal import MediaCameras
internal import MediaFileSystem
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPredicate
internal import MediaWorkerPool

/// An allowed source that a run lists and imports.
struct PlannedSource {
  var kind: SourceKind
  var layout: SourceLayout = .folder
  /// Its files that are no files of their own; nil where all are.
  var files: (any SourceFiles)?
  /// The camera that it is; nil for a folder.
  var camera: CameraDevice?
  /// The manifest's own words.
  var path: String
  /// The folder with every symbolic link resolved.
  var resolvedPath: [UInt8]
  /// Opened with O_PATH: nothing can be read through it that confinement does not allow. Of a camera its own
  /// file, which confinement does not allow at all.
  var root: Descriptor
  var basis: DecisionReason
  var policy: MetadataPolicy
  /// Nil when the whole source is allowed.
  var selection: Selection?
  var captureMode: CaptureMode?
  var mediaTypes: Set<MediaType>
  var fetch = FetchOptions()
  var crossMounts: Bool
  /// The folders and mounts that the walk must not enter, other sources above all.
  var boundary: SourceBoundary
  var allowsHardLinks: Bool
  var ignored: IgnoreRules
  /// The policy for items with sound when the microphone is refused; nil when it is not.
  var audioRefusal: MicrophoneRefusalPolicy?
  /// Whether sidecars are read: where nothing of them is stored or is in labels, they are not opened.
  var readsSidecars = false
  /// Whether the albums that the source has are stored.
  var storesAlbums = false
  /// All that failures of its items depend on besides their files, see ``FailureConditions``; nil before it
  /// is listed.
  var conditions: String?
  /// What its database says, if it is a Photos library.
  var photos: PhotosSource?

  /// The files that a worker of this source gets.
  var purpose: WorkerPurpose { .files(of: kind, policy) }

  /// The media types that a worker processes; of other files it only reports the format.
  var acceptedMediaTypes: Set<MediaType> {
    switch captureMode {
    case nil: mediaTypes
    case .photo: [.image]
    case .photoAndLivePhoto, .photoAndVideo:
      audioRefusal == nil || audioRefusal == .mute ? [.image, .video] : [.image]
    }
  }

  /// Whether a still and a movie of this source may become one live photo.
  var publishesLivePhotos: Bool {
    captureMode != .photoAndVideo && acceptedMediaTypes.isSuperset(of: [.image, .video])
  }

  func refusesHardLink(_ status: FileStatus, guardedDevices: Set<UInt64>) -> Bool {
    !allowsHardLinks && status.linkCount > 1 && guardedDevices.contains(status.device)
  }
}
