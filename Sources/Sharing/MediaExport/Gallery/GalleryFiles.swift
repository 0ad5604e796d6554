internal import MediaFileSystem
internal import MediaGallery
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool

/// What a gallery has made of originals, since its library lacks the sizes.
package struct MadePictures: Sendable, Hashable {
  /// The pictures for pages.
  package var tiles = 0
  /// The pictures for the viewer.
  package var views = 0
  /// The labels of the first two assets of which some were made.
  package var examples: [String] = []
  /// The originals of which none could be made, by their paths in the library, with the reason, escaped.
  package var problems: [[UInt8]: String] = [:]
  /// Those of them that have no other picture either.
  package var bare: Set<[UInt8]> = []

  package init() {}
}

/// Puts the tiles and the viewer's pictures of assets into a gallery's folder: thumbnails of the library, and where it
/// lacks a size, what confined workers make of its originals.
final class GalleryFiles {
  /// The files of a picture.
  struct Files {
    var tile: GalleryPicture.File?
    var view: GalleryPicture.File?

    fileprivate subscript(size: GallerySize) -> GalleryPicture.File? {
      get { size == .tile ? tile : view }
      set { if size == .tile { tile = newValue } else { view = newValue } }
    }
  }

  /// A picture of which sizes are made.
  private struct Lack {
    var number: Int
    var key: String
    /// That of the picture.
    var size: PixelSize
    /// The files that it has already.
    var files: Files
    var lacking: [GallerySize] = []
  }

  private let folder: ExportFolder
  private let workers: Result<ExportWorkers, ExportError>?
  private lazy var originals = workers.map {
    OriginalThumbnails<Lack>(in: folder, $0) { [unowned self] in try take($0) }
  }
  /// Takes the files of a picture of which some were made, with its number.
  private let complete: (_ number: Int, Files) throws -> Void
  private(set) var summary = MadePictures()

  /// - Parameters:
  ///   - folder: The folder.
  ///   - workers: The workers, or the reason that there are none, which counts once a size is lacking; nil to make
  ///     nothing.
  ///   - complete: Takes the files of each picture of which some were made, with its number.
  init(
    in folder: ExportFolder,
    _ workers: Result<ExportWorkers, ExportError>?,
    complete: @escaping (_ number: Int, Files) throws -> Void
  ) {
    (self.folder, self.workers, self.complete) = (folder, workers, complete)
  }

  /// Adds the pictures of an asset, which was read with its thumbnails, or begins to make them.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - number: Its place in the gallery.
  ///   - key: The name of its files.
  /// - Returns: The files; nil when some are being made, and `complete` gets all of them.
  /// - Throws: ``ExportError``, also when sizes are lacking and no worker can be confined.
  func add(_ asset: ListedAsset, number: Int, key: String) throws -> Files? {
    var files = Files()
    let lacking = try GallerySize.allCases.filter { size in
      try !add(size, size.fitting(asset), key, to: &files)
    }
    if lacking.isEmpty { return files }
    guard let originals, asset.mediaType != .audio, let size = asset.facts.pixelSize,
      let main = asset.mainFile
    else {
      try addOthers(lacking, of: asset, key, to: &files)
      return files
    }
    let source = ExportFolder.Source(main)
    var lack = Lack(number: number, key: key, size: size, files: files)
    // A small picture is the same on a page and in the viewer.
    let isSmall =
      size.fitting(GallerySize.tile.spec.size) == size.fitting(GallerySize.view.spec.size)
    for size in lacking where !(isSmall && size == .view && lacking.contains(.tile)) {
      let file = file(size, of: asset, lack)
      let recipe = ExportPiece.recipe(size.spec, source, of: asset)
      if try folder.keep(recipe, at: path(size, key, file)) {
        lack.files[size] = file
      } else {
        lack.lacking.append(size)
      }
    }
    if lack.lacking.isEmpty { return lack.files }
    try originals.make(lack.lacking.map(\.spec), of: asset, source, for: lack)
    return nil
  }

  /// Waits for all pictures that are being made, and ends the workers, whose memory the pages may need.
  ///
  /// - Throws: ``ExportError``.
  func finish() throws {
    try originals?.finishAll()
  }

  // MARK: Thumbnails of the library

  /// Adds the first of some thumbnails that is not damaged.
  ///
  /// - Returns: Whether one was added; also when it is there as the tile.
  private func add(
    _ size: GallerySize,
    _ candidates: [ListedAsset.Thumbnail],
    _ key: String,
    to files: inout Files
  ) throws -> Bool {
    for thumbnail in candidates {
      let source = ExportFolder.Source(thumbnail)
      let file = GalleryPicture.File(
        ending: source.fileExtension,
        size: thumbnail.size,
        thumbHash: thumbnail.thumbHash
      )
      if size == .view, files.tile == file { return true }
      if try folder.add(source, at: path(size, key, file)) {
        files[size] = file
        return true
      }
    }
    return false
  }

  private func addOthers(
    _ sizes: [GallerySize],
    of asset: ListedAsset,
    _ key: String,
    to files: inout Files
  ) throws {
    for size in sizes { _ = try add(size, size.any(asset.thumbnails), key, to: &files) }
  }

  private func path(
    _ size: GallerySize,
    _ key: String,
    _ file: GalleryPicture.File
  ) -> [UInt8] { Array(GalleryPicture.path(size.folder, key, file).utf8) }

  // MARK: Pictures that are made

  /// What a picture that is made is on a page, the same for each call: whether it was made before or now.
  private func file(
    _ size: GallerySize,
    of asset: ListedAsset,
    _ lack: Lack
  ) -> GalleryPicture.File {
    GalleryPicture.File(
      ending: MediaFormat.jpeg.fileExtension,
      size: lack.size.fitting(size.spec.size),
      thumbHash: asset.thumbnails.lazy.compactMap(\.thumbHash).first
    )
  }

  /// Takes what was made; a thumbnail of another size takes the place of what was not.
  private func take(_ answer: OriginalThumbnails<Lack>.Answer) throws {
    let (lack, asset, source) = (answer.wanted, answer.asset, answer.source)
    var files = lack.files
    let earlier = summary.tiles + summary.views
    for size in lack.lacking {
      guard let thumbnail = answer.thumbnail(size.spec) else {
        if let problem = answer.problem { summary.problems[source.path] = problem }
        try addOthers([size], of: asset, lack.key, to: &files)
        continue
      }
      var file = file(size, of: asset, lack)
      // The preview of a camera raw file may be smaller; it is made by each call.
      let isExpected = file.size?.isNear(thumbnail.size) ?? false
      if !isExpected { file.size = thumbnail.size }
      let isHeld = try folder.write(
        thumbnail.bytes,
        to: path(size, lack.key, file),
        recipe: isExpected ? ExportPiece.recipe(size.spec, source, of: asset) : ""
      )
      // What the folder's file system refuses is named by the folder.
      guard isHeld else { continue }
      files[size] = file
      if size == .tile { summary.tiles += 1 } else { summary.views += 1 }
    }
    if summary.tiles + summary.views > earlier, summary.examples.count < 2 {
      summary.examples.append(asset.label)
    }
    if files.tile == nil { summary.bare.insert(source.path) }
    try complete(lack.number, files)
  }
}
