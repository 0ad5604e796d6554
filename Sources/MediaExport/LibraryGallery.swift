package import MediaGallery
package import MediaLibrary
internal import MediaModel
internal import MediaPredicate

/// Makes a gallery of a library's assets.
package struct LibraryGallery {
  private let reader: CatalogueReader
  private let query: AssetQuery
  private var options: GalleryOptions

  /// - Parameters:
  ///   - reader: The library; without its private facts, unless a person wants them on the pages.
  ///   - query: The assets; they are shown newest first.
  ///   - options: The choices of the person.
  ///   - months: The date that makes the months; nil the date of capture where any asset has one, and the
  ///     date of saving otherwise.
  /// - Throws: ``LibraryError``.
  package init(
    of reader: CatalogueReader,
    _ query: AssetQuery,
    options: GalleryOptions,
    months: GalleryOptions.Months?
  ) throws(LibraryError) {
    self.reader = reader
    var query = query
    self.options = options
    if let months {
      self.options.months = months
    } else {
      self.options.months = try Self.months(reader, query)
    }
    query.sortDescriptors =
      self.options.months == .created ? [FetchSortDescriptor(.creationDate, ascending: false)] : []
    self.query = query
  }

  private static func months(
    _ reader: CatalogueReader,
    _ query: AssetQuery
  ) throws(LibraryError) -> GalleryOptions.Months {
    var newest = query
    newest.sortDescriptors = [FetchSortDescriptor(.creationDate, ascending: false)]
    newest.limit = 1
    // Dated assets come first.
    guard let row = try reader.select(newest).rows.first, let asset = try reader.asset(row: row)
    else {
      return .created
    }
    return asset.creationDate == nil ? .saved : .created
  }

  /// The digest of the library's state and the choices; nil when the library has no history, and so no state.
  package func state(of choices: String) throws(LibraryError) -> String? {
    try reader.state(of: "\(options)\n\(choices)")
  }

  /// Writes the gallery into a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - workers: The workers that make the sizes which the library lacks, or the reason that there are none; nil to
  ///     show the thumbnails that it has.
  /// - Returns: The number of pictures, and of those without a thumbnail, and what was made.
  /// - Throws: ``ExportError``, ``LibraryError``.
  package func write(
    to folder: ExportFolder,
    workers: Result<ExportWorkers, ExportError>? = nil
  ) throws -> (pictures: Int, withoutThumbnail: Int, made: MadePictures) {
    let files = GalleryFiles(in: folder, workers)
    var pictures: [GalleryPicture] = []
    var positions: [Int64: Int] = [:]
    try reader.forEachAsset(of: reader.select(query), readsThumbnails: true) { asset in
      positions[asset.row] = pictures.count
      var picture = try picture(asset, number: pictures.count + 1, folder)
      let own = try files.add(asset, number: pictures.count, key: picture.key)
      (picture.tile, picture.view) = (own.tile, own.view)
      pictures.append(picture)
    }
    try files.finish()
    for (number, own) in files.made {
      (pictures[number].tile, pictures[number].view) = (own.tile, own.view)
    }
    let gallery = Gallery(
      options: options,
      pictures: pictures,
      albums: try albums(positions)
    )
    try gallery.write { path, bytes in try folder.write(bytes, to: Array(path.utf8)) }
    return (pictures.count, pictures.count { $0.tile == nil }, files.summary)
  }

  // MARK: - Pictures

  /// Adds an asset's originals to the folder, and tells what its pages show.
  private func picture(
    _ asset: ListedAsset,
    number: Int,
    _ folder: ExportFolder
  ) throws -> GalleryPicture {
    let key = String(asset.localIdentifier.prefix { $0 != "/" })
    let noun =
      asset.mediaType == .image ? "Photo" : asset.mediaType == .video ? "Video" : "Recording"
    var picture = GalleryPicture(
      key: key,
      title: options.isNeutral ? "\(noun) \(number)" : asset.label,
      date: options.months == .saved ? String(asset.added.prefix(19)) : asset.creationDate,
      mediaType: asset.mediaType
    )
    picture.badges = asset.tileBadges
    picture.pixelSize = asset.pixelSize
    if options.includesDescriptions {
      (picture.caption, picture.keywords) = (asset.caption, asset.keywords)
    }
    if options.includesOriginals { try addOriginals(of: asset, to: &picture, folder) }
    return picture
  }

  private func addOriginals(
    of asset: ListedAsset,
    to picture: inout GalleryPicture,
    _ folder: ExportFolder
  ) throws {
    func add(_ source: ExportFolder.Source, _ ending: String) throws -> GalleryPicture.File? {
      let file = GalleryPicture.File(ending: ending, size: nil)
      let path = Array(GalleryPicture.path(.originals, picture.key, file).utf8)
      return try folder.add(source, at: path) ? file : nil
    }
    func add(_ found: ListedAsset.File) throws -> GalleryPicture.File? {
      let source = ExportFolder.Source(found)
      return try add(source, source.fileExtension)
    }
    let described = asset.files.filter { ResourceRole(rawValue: $0.role)?.isSidecar != true }
    guard let main = described.first else { return }
    if let original = try add(main) {
      picture.original = original
      picture.name = "\(picture.title).\(original.ending)"
    }
    if let movie = described.dropFirst().first(where: { $0.role == "pairedVideo" }) {
      picture.movie = try add(movie)
    } else if let movie = asset.embeddedMovie, movie.fits(Int(main.bytes)) {
      // A page that is opened from a folder cannot play a part of a file.
      var source = ExportFolder.Source(main)
      source.part = Int64(movie.offset)..<Int64(movie.offset + movie.length)
      picture.movie = try add(source, MediaFormat.mp4.fileExtension)
    }
  }

  // MARK: - Albums

  /// The albums of the pictures; all of them are "Recents", and hidden ones are in no gallery.
  private func albums(_ positions: [Int64: Int]) throws -> [GalleryAlbum] {
    guard query.album == nil else { return [] }
    return try reader.albums().albums.compactMap { listed in
      if [.smart(.recents), .smart(.hidden)].contains(listed.album) { return nil }
      if options.isNeutral, listed.album.folderText != nil { return nil }
      var own = query
      own.album = listed.album
      return GalleryAlbum(
        title: listed.album.title,
        pictures: try reader.select(own).rows.compactMap { positions[$0] }
      )
    }
  }
}
