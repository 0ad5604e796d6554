internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// An asset of which thumbnails are made of the library's original.
protocol MissingThumbnails {
  var asset: ListedAsset { get }
  /// The original.
  var source: ExportFolder.Source { get }
  var thumbnails: MadeThumbnails { get set }
}

extension ListedAsset {
  /// The first file that is no sidecar, of which its thumbnails are made.
  var mainFile: File? { files.first { ResourceRole(rawValue: $0.role)?.isSidecar != true } }

  /// The worker that reads its files: one decodes those of one source and one policy, as in a run.
  var workerPurpose: WorkerPurpose {
    .files(
      of: SourceKind(rawValue: source) ?? .library,
      MetadataPolicy(rawValue: policy) ?? .strip
    )
  }
}

extension ExportWorkers {
  /// The requests for thumbnails of originals, which are hashed before a worker gets them.
  ///
  /// - Parameters:
  ///   - folder: Opens the originals.
  ///   - finish: Takes each asset, with the reason why nothing was made.
  /// - Returns: The requests, on workers of their own.
  func thumbnails<Missing: MissingThumbnails>(
    in folder: ExportFolder,
    finish: @escaping (Missing, _ problem: String?) throws -> Void
  ) -> FileRequests<Missing> {
    FileRequests(
      pool(),
      purpose: \.asset.workerPurpose,
      open: { (try folder.open($0.source)?.file, "") },
      request: { missing, identifier in
        let policy = MetadataPolicy(rawValue: missing.asset.policy) ?? .strip
        let asset = missing.asset
        return .job(
          missing.thumbnails.job(identifier, of: asset.mediaType, policy, rotation: asset.rotation)
        )
      },
      take: { (missing, message) throws(ProtocolError) in try missing.thumbnails.take(message) },
      finish: finish,
      wrapping: ExportError.init
    )
  }
}
