internal import MediaGallery
internal import MediaLibrary
internal import MediaModel

/// The originals of a gallery, turned as a person has turned them, and films converted where browsers cannot play them.
final class GalleryOriginals {
  /// The films that could not be converted, and are in the gallery as they are in the library, by their paths in it,
  /// with the reason, escaped.
  private(set) var notConverted: [[UInt8]: String] = [:]
  /// The library's own films that are in the gallery, by what their paths begin with; nil for one that is damaged.
  private var own: [String: GalleryPicture.File?] = [:]
  private let folder: ExportFolder
  private let workers: ExportWorkers?
  private let height: Int?
  private lazy var maker = PieceMaker(
    in: folder,
    workers.map { .success($0) },
    replaced: { [unowned self] piece, other in
      guard case .film = piece.making else { return }
      own.updateValue(other.map(Self.file), forKey: piece.asset.start)
    },
    placed: { [unowned self] piece, _, _ in
      for case (.notConverted, let detail) in piece.shortfalls {
        notConverted[piece.path] = detail
      }
    }
  )

  /// - Parameters:
  ///   - folder: The gallery's folder.
  ///   - workers: The workers; nil to have all files as they are.
  ///   - height: The most pixels of the shorter side of films that are converted; nil for none.
  init(in folder: ExportFolder, _ workers: ExportWorkers?, height: Int?) {
    (self.folder, self.workers, self.height) = (folder, workers, height)
  }

  /// Adds a file, or begins to make it; ``mend(_:)`` tells later what became of a film.
  ///
  /// - Parameters:
  ///   - source: The library's file.
  ///   - asset: The asset that has it.
  ///   - key: The name of its files.
  ///   - isFilm: Whether it is a film, which browsers may not play.
  /// - Returns: The file; nil for one that is damaged.
  /// - Throws: ``ExportError``.
  func add(
    _ source: ExportFolder.Source,
    of asset: ListedAsset,
    key: String,
    isFilm: Bool
  ) throws -> GalleryPicture.File? {
    let shared = ExportedAsset(asset)
    shared.start = Self.start(key)
    // A page that is opened from a folder cannot play a part of a file.
    let ending = source.part == nil ? source.fileExtension : MediaFormat.mp4.fileExtension
    var piece = ExportPiece(of: shared, source, ending: ending)
    if asset.shownOrientation != nil, source.part == nil, workers != nil {
      var facts = EmbeddedFacts(packet: [])
      facts.rotation = asset.rotation
      piece = piece.instead(.embedded, facts: facts)
    }
    if isFilm, let height {
      piece = piece.instead(.film(height: height), facts: piece.facts)
      piece.ending = MediaFormat.mp4.fileExtension
    }
    return try maker.make(piece) ? Self.file(piece) : nil
  }

  /// Waits for all files that were begun.
  ///
  /// - Throws: ``ExportError``.
  func finish() throws { try maker.finishAll() }

  /// Whether no film is there as it is in the library.
  var areConverted: Bool { own.isEmpty }

  /// Gives a picture the library's own film where it is not converted.
  ///
  /// - Returns: Whether it is not.
  func mend(_ picture: inout GalleryPicture) -> Bool {
    guard let file = own[Self.start(picture.key)] else { return false }
    func name(_ name: String) -> String {
      guard let file, !name.isEmpty else { return "" }
      return "\(ExportPlan.withoutExtension(name)).\(file.ending)"
    }
    guard picture.mediaType == .video else {
      (picture.movie, picture.movieName) = (file, name(picture.movieName))
      return true
    }
    (picture.original, picture.name) = (file, name(picture.name))
    return true
  }

  private static func start(_ key: String) -> String {
    GalleryPicture.path(.originals, key, GalleryPicture.File(ending: "", size: nil))
  }

  private static func file(_ piece: ExportPiece) -> GalleryPicture.File {
    GalleryPicture.File(ending: piece.ending, size: nil)
  }
}
