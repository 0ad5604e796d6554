internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool

/// Makes pictures for a contact sheet whose library has no thumbnails of their size, from the library's originals in
/// confined workers.
///
/// They are in the folder only while its pages are drawn.
final class ContactSheetPictures {
  private let folder: ExportFolder
  private let spec: ThumbnailSpec
  private let workers: ExportWorkers
  /// The pictures that are being made, for their tiles.
  private lazy var pictures = OriginalThumbnails<Int>(in: folder, .success(workers)) {
    [unowned self] in try take($0)
  }
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
    try pictures.make([spec], of: asset, ExportFolder.Source(main), for: tile)
  }

  /// Waits for all pictures, and ends the workers.
  ///
  /// - Throws: ``ExportError``.
  func finish() throws {
    try pictures.finishAll()
    notMade.sort { $0.path.lexicographicallyPrecedes($1.path) }
  }

  private func take(_ answer: OriginalThumbnails<Int>.Answer) throws {
    let source = answer.source
    if let picture = answer.thumbnail(spec) {
      try folder.holdAside(picture.bytes, number: answer.wanted)
      made[answer.wanted] = source
    } else if let problem = answer.problem {
      notMade.append(LibraryContactSheet.NotDrawn(path: source.path, detail: problem))
    }
  }
}
