internal import MediaDigest
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool

/// Makes thumbnails that a library lacks of its originals, into the folder of an export, in confined workers.
final class ThumbnailMaking {
  /// A thumbnail with its place in the folder.
  struct Wanted {
    let path: [UInt8]
    let spec: ThumbnailSpec
  }

  /// What became of a thumbnail.
  enum Outcome {
    /// Its bytes, its place in the folder, and the digest by which a later command knows it.
    case made([UInt8], path: [UInt8], recipe: String)
    /// The original's path in the library, and the reason, escaped.
    case failed(original: [UInt8], String)
  }

  private let folder: ExportFolder
  private let workers: Result<ExportWorkers, ExportError>
  private lazy var originals = OriginalThumbnails<[Wanted]>(in: folder, workers) {
    [unowned self] in try take($0)
  }
  private let keeps: (_ recipe: String, _ path: [UInt8]) throws -> Bool
  private let finish: (Outcome) throws -> Void

  /// - Parameters:
  ///   - folder: The folder.
  ///   - workers: The workers, or the reason that there are none, which counts once a thumbnail is lacking.
  ///   - keeps: Takes a file over from the earlier folder, by its recipe and its path, if it is there.
  ///   - finish: Takes each thumbnail.
  init(
    in folder: ExportFolder,
    _ workers: Result<ExportWorkers, ExportError>,
    keeps: @escaping (_ recipe: String, _ path: [UInt8]) throws -> Bool,
    finish: @escaping (Outcome) throws -> Void
  ) {
    (self.folder, self.workers) = (folder, workers)
    (self.keeps, self.finish) = (keeps, finish)
  }

  /// Begins to make thumbnails of an asset, but for those that an earlier command has made in the same way.
  ///
  /// - Throws: ``ExportError``, also when no worker can be confined.
  func make(_ thumbnails: [Wanted], of asset: ListedAsset) throws {
    guard let main = asset.mainFile else { return }
    let source = ExportFolder.Source(main)
    let wanted = try thumbnails.filter {
      try !keeps(Self.recipe($0.spec, source, of: asset), $0.path)
    }
    if wanted.isEmpty { return }
    try originals.make(wanted.map(\.spec), of: asset, source, for: wanted)
  }

  /// Waits for all thumbnails that were begun.
  ///
  /// - Throws: ``ExportError``.
  func finishAll() throws { try originals.finishAll() }

  private func take(_ answer: OriginalThumbnails<[Wanted]>.Answer) throws {
    let source = answer.source
    for wanted in answer.wanted {
      if let bytes = answer.thumbnail(wanted.spec)?.bytes {
        let recipe = Self.recipe(wanted.spec, source, of: answer.asset)
        try finish(.made(bytes, path: wanted.path, recipe: recipe))
      } else if let problem = answer.problem {
        try finish(.failed(original: source.path, problem))
      }
    }
  }

  /// The digest by which a thumbnail is known to be made of this file, in this way.
  static func recipe(
    _ spec: ThumbnailSpec,
    _ source: ExportFolder.Source,
    of asset: ListedAsset
  ) -> String {
    var words = "\(spec.name) \(spec.fingerprint) \(source.sha256)"
    if asset.rotation != 0 { words += " \(asset.rotation)" }
    return Hexadecimal.text(SHA256.hash(Array(words.utf8)))
  }
}
