internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Makes thumbnails of a library's originals in confined workers, those of one asset by one request.
final class OriginalThumbnails<Wanted> {
  /// What became of the thumbnails of an asset.
  struct Answer {
    let asset: ListedAsset
    /// The original.
    let source: ExportFolder.Source
    /// What they were asked for.
    let wanted: Wanted
    fileprivate var thumbnails: MadeThumbnails
    /// The reason that some were not made, escaped; nil where the folder names the original as damaged.
    fileprivate(set) var problem: String? = "it shows no picture"

    /// A thumbnail; nil where it was not made.
    func thumbnail(_ spec: ThumbnailSpec) -> MadeThumbnails.Thumbnail? {
      thumbnails.finished.first { $0.spec.name == spec.name }
    }
  }

  private let folder: ExportFolder
  private let workers: Result<ExportWorkers, ExportError>
  private let finish: (Answer) throws -> Void
  private var requests: FileRequests<Answer>?

  /// - Parameters:
  ///   - folder: Opens the originals, which are hashed before a worker gets them.
  ///   - workers: The workers, or the reason that there are none, which counts once a thumbnail is asked for.
  ///   - finish: Takes the thumbnails of each asset.
  init(
    in folder: ExportFolder,
    _ workers: Result<ExportWorkers, ExportError>,
    finish: @escaping (Answer) throws -> Void
  ) {
    (self.folder, self.workers, self.finish) = (folder, workers, finish)
  }

  /// Begins to make thumbnails of an asset; waits for room if all workers are busy.
  ///
  /// - Parameters:
  ///   - specs: Their settings, of different names.
  ///   - asset: The asset.
  ///   - source: Its original.
  ///   - wanted: What they are asked for.
  /// - Throws: ``ExportError``, also when no worker can be confined, and the errors of the function that takes them.
  func make(
    _ specs: [ThumbnailSpec],
    of asset: ListedAsset,
    _ source: ExportFolder.Source,
    for wanted: Wanted
  ) throws {
    let requests = try self.requests ?? begin(workers.get())
    self.requests = requests
    let thumbnails = MadeThumbnails(specs)
    try requests.begin(Answer(asset: asset, source: source, wanted: wanted, thumbnails: thumbnails))
  }

  /// Waits for all thumbnails, and ends the workers, whose memory others may need.
  ///
  /// - Throws: As ``make(_:of:_:for:)``.
  func finishAll() throws {
    try requests?.finishAll()
    requests = nil
  }

  private func begin(_ workers: ExportWorkers) -> FileRequests<Answer> {
    FileRequests(
      workers.pool(),
      purpose: \.asset.workerPurpose,
      open: { [folder] in (try folder.open($0.source)?.file, "") },
      request: { answer, identifier in
        let asset = answer.asset
        let policy = MetadataPolicy(rawValue: asset.policy) ?? .strip
        return .job(
          answer.thumbnails.job(identifier, of: asset.mediaType, policy, rotation: asset.rotation)
        )
      },
      take: { (answer, message) throws(ProtocolError) in try answer.thumbnails.take(message) },
      finish: { [folder, finish] answer, problem in
        var answer = answer
        if let problem {
          (answer.problem, answer.thumbnails) = (problem, MadeThumbnails([]))
        }
        if folder.damaged[answer.source.path] != nil { answer.problem = nil }
        try finish(answer)
      },
      wrapping: ExportError.init
    )
  }
}

extension ListedAsset {
  /// The first file that is no sidecar, of which its thumbnails are made.
  var mainFile: File? { files.first { ResourceRole(rawValue: $0.role)?.isSidecar != true } }

  /// The worker that reads its files: one decodes those of one source and one policy, as in a run.
  var workerPurpose: WorkerPurpose {
    .files(
      of: SourceID(kind: source, name: sourceName) ?? .library,
      MetadataPolicy(rawValue: policy) ?? .strip
    )
  }
}
