internal import MediaDigest
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool

/// A thumbnail of each asset, as an export is to have it.
package struct ExportedThumbnail: Sendable, Hashable {
  /// The pixels that ``side`` may have.
  package static let sides = 16...16_384

  /// The name in the manifest.
  package let name: String
  /// The pixels of both sides of the box that shows the whole picture; nil for the size that the library's have.
  package let side: Int?

  /// Reads a name, or a name and the pixels of a side, such as `large:1600`; nil for another text.
  package init?(_ text: String) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    let side = words.count == 2 ? Int(words[1]) : nil
    guard !words[0].isEmpty, words.count == 1 || side.map(Self.sides.contains) == true else {
      return nil
    }
    (name, self.side) = (String(words[0]), side)
  }

  /// The settings by which it is made of an original; nil where the library has none of this name and no size is
  /// said.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  func spec(_ reader: CatalogueReader) throws(LibraryError) -> ThumbnailSpec? {
    if let side {
      let box = PixelSize(width: side, height: side)
      return ThumbnailSpec(name: name, size: box, contentMode: .aspectFit)
    }
    return try reader.fingerprint(ofThumbnails: name).flatMap {
      ThumbnailSpec(name: name, fingerprint: $0)
    }
  }

  /// Whether it is this thumbnail of the library, which has its size.
  func isServed(by thumbnail: ListedAsset.Thumbnail, of asset: ListedAsset) -> Bool {
    guard thumbnail.name == name else { return false }
    guard let side, let picture = asset.facts.pixelSize else { return true }
    return picture.fitting(PixelSize(width: side, height: side)).isNear(thumbnail.size)
  }
}

extension PixelSize {
  /// The size of a picture of this size within a box; it is never enlarged.
  func fitting(_ box: PixelSize) -> PixelSize {
    let isWide = width * box.height >= height * box.width
    let (side, whole) = isWide ? (box.width, width) : (box.height, height)
    if whole <= side { return self }
    func scaled(_ length: Int) -> Int { max(1, (length * side + whole / 2) / whole) }
    return PixelSize(width: scaled(width), height: scaled(height))
  }

  /// Whether two sizes differ by the rounding of a side alone.
  func isNear(_ other: PixelSize) -> Bool {
    abs(width - other.width) <= 1 && abs(height - other.height) <= 1
  }
}

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
