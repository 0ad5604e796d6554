internal import MediaGallery
internal import MediaLibrary
internal import MediaModel

/// The films of a gallery, converted where browsers cannot play them.
package final class GalleryFilms {
  /// The films that could not be converted, and are in the gallery as they are in the library.
  package private(set) var notConverted: [LibraryExport.NotConverted] = []
  /// The library's own files that are in the gallery, by the paths of converted ones; nil for one that is damaged.
  private var own: [[UInt8]: GalleryPicture.File?] = [:]
  private let folder: ExportFolder
  private let workers: ExportWorkers
  private let height: Int
  private lazy var conversion = FilmConversion(in: folder, workers, height: height) {
    [unowned self] film, problem in try self.take(film, problem)
  }
  /// Turns films that are not converted.
  private lazy var turning = FactEmbedding(in: folder, workers) { [folder] copy, _ in
    if copy.written == nil { _ = try folder.add(copy.source, at: copy.path) }
  }

  /// - Parameters:
  ///   - folder: The gallery's folder.
  ///   - workers: The workers.
  ///   - height: The most pixels of the shorter side.
  package init(in folder: ExportFolder, _ workers: ExportWorkers, height: Int) {
    (self.folder, self.workers, self.height) = (folder, workers, height)
  }

  /// Begins to convert a film; ``mend(_:)`` tells later what became of it.
  ///
  /// - Parameters:
  ///   - file: The film.
  ///   - asset: The asset that has it.
  ///   - key: The name of its files.
  /// - Returns: The converted film.
  /// - Throws: ``ExportError``.
  func add(
    _ file: ListedAsset.File,
    of asset: ListedAsset,
    key: String
  ) throws -> GalleryPicture.File {
    let source = ExportFolder.Source(file)
    try conversion.convert(
      source,
      of: asset,
      at: Self.path(key, Self.converted),
      orAt: Self.path(key, Self.file(of: source)),
      unlessKept: { try folder.keep($0, at: $1) }
    )
    return Self.converted
  }

  /// Waits for all films that were begun.
  ///
  /// - Throws: ``ExportError``.
  func finish() throws {
    try conversion.finishAll()
    try turning.finishAll()
    notConverted.sort { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// Whether no film is there as it is in the library.
  var areConverted: Bool { own.isEmpty }

  /// Gives a picture the library's own film where it is not converted.
  ///
  /// - Returns: Whether it is not.
  func mend(_ picture: inout GalleryPicture) -> Bool {
    guard let file = own[Self.path(picture.key, Self.converted)] else { return false }
    guard picture.mediaType == .video else {
      picture.movie = file
      return true
    }
    picture.original = file
    picture.name = file.map { "\(picture.title).\($0.ending)" } ?? ""
    return true
  }

  private func take(_ film: FilmConversion.Film, _ problem: String?) throws {
    if film.written != nil { return }
    var isThere = true
    if let copy = film.turned {
      if try !folder.keep(copy.recipe, at: copy.path) { try turning.embed(copy) }
    } else {
      isThere = try folder.add(film.source, at: film.originalPath)
    }
    own.updateValue(isThere ? Self.file(of: film.source) : nil, forKey: film.path)
    guard isThere, let problem else { return }
    notConverted.append(LibraryExport.NotConverted(path: film.originalPath, detail: problem))
  }

  private static let converted = GalleryPicture.File(
    ending: MediaFormat.mp4.fileExtension,
    size: nil
  )

  private static func file(of source: ExportFolder.Source) -> GalleryPicture.File {
    GalleryPicture.File(ending: source.fileExtension, size: nil)
  }

  private static func path(_ key: String, _ file: GalleryPicture.File) -> [UInt8] {
    Array(GalleryPicture.path(.originals, key, file).utf8)
  }
}
