internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool
internal import MediaWorkerProtocol

/// Makes pictures for a contact sheet whose library has no thumbnails of their size, from the library's originals in
/// confined workers.
///
/// They are in the folder only while its pages are drawn.
final class ContactSheetPictures {
  /// A tile whose picture is made.
  private struct Lack: MissingThumbnails {
    var tile: Int
    var asset: ListedAsset
    var source: ExportFolder.Source
    var thumbnails: MadeThumbnails

  }

  private let folder: ExportFolder
  private let spec: ThumbnailSpec
  private let workers: ExportWorkers
  private var requests: FileRequests<Lack>?
  /// The originals of the pictures that were made, by the numbers of their tiles.
  private(set) var made: [Int: ExportFolder.Source] = [:]
  /// The originals of which none could be made.
  private(set) var notMade: [LibraryContactSheet.NotDrawn] = []

  /// - Parameters:
  ///   - folder: The folder.
  ///   - workers: The workers.
  ///   - side: The sides of the box of each picture, in pixels.
  init(in folder: ExportFolder, _ workers: ExportWorkers, side: Int) {
    (self.folder, self.workers) = (folder, workers)
    let box = PixelSize(width: side, height: side)
    spec = ThumbnailSpec(name: "cell", size: box, contentMode: .aspectFit)
  }

  /// Begins to make the picture of an asset whose thumbnails are all smaller than its box, and than itself.
  ///
  /// - Throws: ``ExportError``.
  func add(_ asset: ListedAsset, tile: Int) throws {
    let most = asset.thumbnails.map { max($0.size.width, $0.size.height) }.max() ?? 0
    guard asset.mediaType != .audio, let main = asset.mainFile, let size = asset.facts.pixelSize,
      most < min(spec.size.width, max(size.width, size.height))
    else { return }
    let lack = Lack(
      tile: tile,
      asset: asset,
      source: ExportFolder.Source(main),
      thumbnails: MadeThumbnails([spec])
    )
    let requests =
      self.requests
      ?? workers.thumbnails(in: folder) { [unowned self] in try self.take($0, $1) }
    self.requests = requests
    try requests.begin(lack)
  }

  /// Waits for all pictures, and ends the workers.
  ///
  /// - Throws: ``ExportError``.
  func finish() throws {
    try requests?.finishAll()
    requests = nil
    notMade.sort { $0.path.lexicographicallyPrecedes($1.path) }
  }

  private func take(_ lack: Lack, _ problem: String?) throws {
    if problem == nil, let picture = lack.thumbnails.finished.first {
      try folder.holdAside(picture.bytes, number: lack.tile)
      made[lack.tile] = lack.source
    } else if folder.damaged[lack.source.path] == nil {
      notMade.append(
        LibraryContactSheet.NotDrawn(
          path: lack.source.path,
          detail: problem ?? "it shows no picture"
        )
      )
    }
  }
}
