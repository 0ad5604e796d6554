package import MediaFileSystem
internal import MediaListing
package import MediaManifest
package import MediaModel
package import MediaPredicate
package import MediaWorkerPool

/// An allowed source that a run lists and imports.
package struct PlannedSource {
  package var id: SourceID
  /// How its files are listed and read.
  package var media: any MediaSource
  /// The manifest's own words.
  package var path: String
  /// The folder with every symbolic link resolved.
  package var resolvedPath: [UInt8]
  /// Opened with O_PATH: nothing can be read through it that confinement does not allow. Of a camera its own
  /// file, which confinement does not allow at all.
  package var root: Descriptor
  package var basis: DecisionReason
  package var policy: MetadataPolicy
  /// Nil when the whole source is allowed.
  package var selection: Selection?
  package var captureMode: CaptureMode?
  package var mediaTypes: Set<MediaType>
  package var fetch = FetchOptions()
  package var crossMounts: Bool
  /// The folders and mounts that the walk must not enter, other sources above all.
  package var boundary: SourceBoundary
  package var allowsHardLinks: Bool
  package var ignored: IgnoreRules
  /// The policy for items with sound when the microphone is refused; nil when it is not.
  package var audioRefusal: MicrophoneRefusalPolicy?
  /// Whether sidecars are read: where nothing of them is stored or is in labels, they are not opened.
  package var readsSidecars = false
  /// Whether the albums that the source has are stored.
  package var storesAlbums = false
  /// All that failures of its items depend on besides their files, see ``FailureConditions``; nil before it
  /// is listed.
  package var conditions: String?

  /// Makes a source without the properties that have a usual value.
  package init(
    id: SourceID,
    media: any MediaSource = FolderSource(),
    path: String,
    resolvedPath: [UInt8],
    root: Descriptor,
    basis: DecisionReason,
    policy: MetadataPolicy,
    selection: Selection? = nil,
    captureMode: CaptureMode? = nil,
    mediaTypes: Set<MediaType>,
    fetch: FetchOptions = FetchOptions(),
    crossMounts: Bool,
    boundary: SourceBoundary,
    allowsHardLinks: Bool,
    ignored: IgnoreRules,
    audioRefusal: MicrophoneRefusalPolicy? = nil,
    readsSidecars: Bool = false,
    storesAlbums: Bool = false
  ) {
    self.id = id
    self.media = media
    self.path = path
    self.resolvedPath = resolvedPath
    self.root = root
    self.basis = basis
    self.policy = policy
    self.selection = selection
    self.captureMode = captureMode
    self.mediaTypes = mediaTypes
    self.fetch = fetch
    self.crossMounts = crossMounts
    self.boundary = boundary
    self.allowsHardLinks = allowsHardLinks
    self.ignored = ignored
    self.audioRefusal = audioRefusal
    self.readsSidecars = readsSidecars
    self.storesAlbums = storesAlbums
  }

  /// Whether the source may have albums of its own.
  package var hasAlbums: Bool { media.hasTitledFolders || media.describesFiles }

  /// The files that a worker of this source gets.
  package var purpose: WorkerPurpose { .files(of: id, policy) }

  /// The media types that a worker processes; of other files it only reports the format.
  package var acceptedMediaTypes: Set<MediaType> {
    switch captureMode {
    case nil: mediaTypes
    case .photo: [.image]
    case .photoAndLivePhoto, .photoAndVideo:
      audioRefusal == nil || audioRefusal == .mute ? [.image, .video] : [.image]
    }
  }

  /// Whether a still and a movie of this source may become one live photo.
  package var publishesLivePhotos: Bool {
    acceptedMediaTypes.isSuperset(of: [.image, .video])
  }

  package func refusesHardLink(_ status: FileStatus, guardedDevices: Set<UInt64>) -> Bool {
    !allowsHardLinks && status.linkCount > 1 && guardedDevices.contains(status.device)
  }

  /// Opens a listed file that has its record.
  ///
  /// - Throws: ``SourceFileFailure`` for one that cannot be opened, is no file, or is another one than was listed.
  func open(_ item: ListedItem) throws(SourceFileFailure) -> (file: Descriptor, status: FileStatus) {
    do throws(FileSystemError) {
      let file = try FileSystem.openForReading(beneath: root, item.path.bytes, crossMounts: crossMounts)
      let status = try file.status()
      if status.kind == .regular, status.isSameInode(as: item.status) { return (file, status) }
    } catch {
      throw SourceFileFailure(reason: .cannotOpen, detail: error.reason(besides: item.path.text))
    }
    throw SourceFileFailure(reason: .changedDuringRun, detail: "it has changed")
  }
}
