internal import MediaGallery
internal import MediaLibrary
internal import MediaModel

/// The originals of a gallery, turned as a person has turned them, stripped if that is asked for, and films converted where
/// browsers cannot play them.
final class GalleryOriginals {
  /// The films that could not be converted, and are in the gallery as they are in the library, by their paths in it,
  /// with the reason, escaped.
  private(set) var notConverted: [[UInt8]: String] = [:]
  /// What stands in the place of files that were not made, by their paths; nil for nothing.
  private var others: [[UInt8]: GalleryPicture.File?] = [:]
  /// The lengths of stripped files, by their paths.
  private var lengths: [[UInt8]: Int64] = [:]
  /// The library's files that are left out of a gallery with a password, by their paths in the library, with the
  /// reason, escaped.
  private(set) var tooLong: [[UInt8]: String] = [:]
  private let folder: ExportFolder
  private let workers: ExportWorkers?
  private let height: Int?
  private let receipts: StrippingReceipts?
  private lazy var maker = PieceMaker(
    in: folder,
    workers.map { .success($0) },
    receipts: receipts,
    replaced: { [unowned self] piece, other in
      if other?.ending != piece.ending { others.updateValue(other.map(Self.file), forKey: piece.path) }
    },
    placed: { [unowned self] piece, content, _ in
      for case (.notConverted, let detail) in piece.shortfalls {
        notConverted[piece.path] = detail
      }
      if receipts != nil { lengths[piece.path] = try content.digest(of: piece.path, in: folder).bytes }
    }
  )

  /// - Parameters:
  ///   - folder: The gallery's folder.
  ///   - workers: The workers; nil to have all files as they are.
  ///   - height: The most pixels of the shorter side of films that are converted; nil for none.
  ///   - receipts: Takes what was stripped; nil where nothing is.
  init(in folder: ExportFolder, _ workers: ExportWorkers?, height: Int?, receipts: StrippingReceipts?) {
    (self.folder, self.workers, self.height, self.receipts) = (folder, workers, height, receipts)
  }

  /// The files that could not be stripped, and are not in the gallery, by their paths in the library, with the reason,
  /// escaped.
  var notStripped: [[UInt8]: String] { maker.notStripped }

  /// Adds a file, or begins to make it; ``mend(_:)`` tells later what became of it.
  ///
  /// - Parameters:
  ///   - source: The library's file.
  ///   - asset: The asset that has it.
  ///   - key: The name of its files.
  ///   - isFilm: Whether it is a film, which browsers may not play.
  /// - Returns: The file; nil for one that is damaged, or too long for a gallery with a password.
  /// - Throws: ``ExportError``.
  func add(
    _ source: ExportFolder.Source,
    of asset: ListedAsset,
    key: String,
    isFilm: Bool
  ) throws -> GalleryPicture.File? {
    let length = source.part.map { Int64($0.count) } ?? source.bytes
    let isSealed = folder.seal != nil && !(isFilm && height != nil)
    if isSealed, length > FolderSeal.mostBytes {
      tooLong[source.path] = FolderSeal.TooLong(length: length).reason
      return nil
    }
    let shared = ExportedAsset(asset, strippedBy: receipts?.policy)
    shared.start = Self.start(key)
    // A page that is opened from a folder cannot play a part of a file.
    let ending = source.part == nil ? source.fileExtension : MediaFormat.mp4.fileExtension
    var piece = ExportPiece(receipts == nil ? .copy : .stripped, of: shared, source, ending: ending)
    if asset.shownOrientation != nil, source.part == nil, workers != nil {
      var facts = EmbeddedFacts(packet: [])
      facts.rotation = asset.rotation
      piece = piece.instead(receipts == nil ? .embedded : .stripped, facts: facts)
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

  /// Whether ``mend(_:)`` changes no picture.
  var areAsBegun: Bool { others.isEmpty && lengths.isEmpty }

  /// Gives a picture what stands in the place of files that were not made, and the length of its stripped file.
  ///
  /// - Returns: Whether it is another one by that.
  func mend(_ picture: inout GalleryPicture) -> Bool {
    let before = picture
    picture.movie = file(in: picture.movie, picture.key)
    picture.original = file(in: picture.original, picture.key)
    picture.name = Self.name(picture.name, of: picture.original, before: before.original)
    picture.movieName = Self.name(picture.movieName, of: picture.movie, before: before.movie)
    if receipts != nil {
      picture.bytes = picture.original.flatMap { lengths[Self.path($0, picture.key)] } ?? 0
    }
    return picture != before
  }

  /// The name of a download with the ending of what stands in the place of its file; empty for nothing.
  private static func name(
    _ name: String,
    of file: GalleryPicture.File?,
    before: GalleryPicture.File?
  ) -> String {
    if file?.ending == before?.ending || name.isEmpty { return name }
    return file.map { "\(ExportPlan.withoutExtension(name)).\($0.ending)" } ?? ""
  }

  /// What is there in the place of a file.
  private func file(in place: GalleryPicture.File?, _ key: String) -> GalleryPicture.File? {
    var file = place
    // Each one has another ending than the one before: of a film that, and its own.
    while let path = file.map({ Self.path($0, key) }), let other = others[path] { file = other }
    return file
  }

  private static func path(_ file: GalleryPicture.File, _ key: String) -> [UInt8] {
    Array((start(key) + file.ending).utf8)
  }

  private static func start(_ key: String) -> String {
    GalleryPicture.path(.originals, key, GalleryPicture.File(ending: "", size: nil))
  }

  private static func file(_ piece: ExportPiece) -> GalleryPicture.File {
    GalleryPicture.File(ending: piece.ending, size: nil)
  }
}
