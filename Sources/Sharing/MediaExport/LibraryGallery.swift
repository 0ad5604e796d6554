internal import MediaDigest
internal import MediaFileSystem
package import MediaGallery
package import MediaLibrary
package import MediaModel
internal import MediaPredicate

/// Makes a gallery of a library's assets.
package struct LibraryGallery {
  private let reader: CatalogueReader
  private let query: AssetQuery
  private var options: GalleryOptions
  /// Whether no date of a picture is known, so that they are in another order than that of their dates, which nobody
  /// has named.
  package let lacksDates: Bool
  /// The people whose names are taken out of keywords; nil for none.
  private let people: KnownPeople?
  /// The row of the picture on top of the first page, if a person named it.
  private let cover: Int64?
  /// What is said of stripped copies; nil where none is stripped.
  private let receipts: StrippingReceipts?
  /// What the pages are made of; its file is made before a process is confined.
  private let store = SpooledBytes()

  /// - Parameters:
  ///   - reader: The library; without its private facts, unless a person wants them on the pages.
  ///   - query: The assets, and their order; without one they are in that of ``CatalogueReader/displayOrder(of:isNeutral:)``,
  ///     or newest saved first where these are the months.
  ///   - options: The choices of the person.
  ///   - cover: The localIdentifier of the picture on top of the first page, or a beginning that no other asset
  ///     has; nil for the first favorite, or else the first picture that is wider than high.
  ///   - policy: The policy by which originals are stripped, and what else they say is on no page; nil for the library's
  ///     files as they are.
  /// - Throws: ``LibraryError``, ``MissingCover``.
  package init(
    of reader: CatalogueReader,
    _ query: AssetQuery,
    options: GalleryOptions,
    cover: String?,
    strippedBy policy: MetadataPolicy? = nil
  ) throws {
    self.reader = reader
    receipts = policy.map { StrippingReceipts($0, of: reader) }
    var query = query
    self.options = options
    self.options.identifier = try Self.identifier(reader, options)
    let dateOfMonths: PredicateKey = options.months == .saved ? .addedDate : .creationDate
    let showsDates = options.months == .saved || policy?.keeps(.creationDate) != false
    let isOrdered = !query.sortDescriptors.isEmpty
    if !isOrdered {
      query.sortDescriptors =
        options.months == .saved
        ? [FetchSortDescriptor(.addedDate, ascending: false)]
        : try reader.displayOrder(of: query, isNeutral: options.isNeutral)
    }
    if let first = query.sortDescriptors.first {
      self.options.order =
        first.key != dateOfMonths || !showsDates ? .other : first.ascending ? .oldestFirst : .newestFirst
    }
    lacksDates = !isOrdered && showsDates && self.options.order == .other
    people = try options.includesDescriptions && !options.tellsPeople ? reader.knownPeople() : nil
    self.cover = try cover.map { try Self.cover($0, reader, query) }
    self.query = query
  }

  /// The name of the gallery in browsers and in selections: the same each time that it is made of a library and with
  /// a title.
  private static func identifier(
    _ reader: CatalogueReader,
    _ options: GalleryOptions
  ) throws(LibraryError) -> String {
    var first = AssetQuery()
    first.includesHidden = true
    first.sortDescriptors = [FetchSortDescriptor(.addedDate, ascending: true)]
    first.limit = 1
    let row = try reader.select(first).rows.first
    let asset = try row.flatMap { row throws(LibraryError) in try reader.asset(row: row) }
    let text = "\(asset?.localIdentifier ?? "")\n\(options.title)"
    let digits = Hexadecimal.text(SHA256.hash(Array(text.utf8))).uppercased()
    return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(4))"
  }

  /// The row of the only asset whose localIdentifier begins with a text.
  private static func cover(
    _ text: String,
    _ reader: CatalogueReader,
    _ query: AssetQuery
  ) throws -> Int64 {
    var rows: [Int64] = []
    let wanted = text.uppercased()
    try reader.forEachAsset(of: reader.select(query)) { asset in
      if asset.localIdentifier.uppercased().hasPrefix(wanted) { rows.append(asset.row) }
    }
    guard let row = rows.first, rows.count == 1 else {
      throw MissingCover(text: text, count: rows.count)
    }
    return row
  }

  /// The digest of the library's state and the choices; nil when the library has no history, and so no state.
  package func state(of choices: String) throws(LibraryError) -> String? {
    try reader.state(of: "\(options)\n\(receipts?.policy.rawValue ?? "")\n\(choices)")
  }

  /// What a gallery has, and what it lacks; files by their paths in the library, each with the reason, escaped.
  package struct Written {
    package var pictures: Int
    package var withoutThumbnail: Int
    /// Videos and recordings that the pages or browsers do not play.
    package var unplayed: Int
    /// The films that could not be converted, and are there as in the library.
    package var notConverted: [[UInt8]: String]
    /// The files that could not be stripped, and are not there.
    package var notStripped: [[UInt8]: String]
    /// The files that are too long for a gallery with a password, and are not there.
    package var tooLong: [[UInt8]: String]
    package var made: MadePictures
    /// The files of "Download all".
    package var downloads: [GalleryDownload]

    /// All that is missing, or not as it was asked for.
    package var lacking: [[UInt8]: String] {
      [notConverted, notStripped, tooLong].reduce(made.problems) { $0.merging($1) { $1 } }
    }
  }

  /// Writes the gallery into a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - workers: The workers that make the sizes which the library lacks, or the reason that there are none; nil to
  ///     show the thumbnails that it has.
  ///   - filmHeight: The most pixels of the shorter side of films that are converted since browsers cannot play them;
  ///     nil to have all films as they are.
  ///   - announceZIPs: Is told, before any is made, how many bytes the ZIPs of "Download all" take that are made, and
  ///     how many they are.
  /// - Returns: What the gallery has and lacks.
  /// - Throws: ``ExportError``, ``LibraryError``.
  package func write(
    to folder: ExportFolder,
    workers: Result<ExportWorkers, ExportError>? = nil,
    filmHeight: Int? = nil,
    announceZIPs: (_ bytes: Int64, _ count: Int) -> Void = { _, _ in }
  ) throws -> Written {
    let gathered = GatheredPictures(in: store)
    let originals = GalleryOriginals(
      in: folder,
      try? workers?.get(),
      height: filmHeight,
      receipts: receipts
    )
    let files = GalleryFiles(in: folder, workers, complete: gathered.finish)
    var unplayed = 0
    var names = DownloadNames()
    try reader.forEachAsset(of: reader.select(query), readsThumbnails: true) { listed in
      let asset = receipts.map { listed.stripped(by: $0.policy) } ?? listed
      let isPlayed =
        options.includesOriginals
        ? filmHeight != nil || !asset.files.contains(where: Self.isUnplayed)
        : asset.mediaType == .image
      if !isPlayed { unplayed += 1 }
      var picture = try picture(asset, number: gathered.rows.count + 1, originals)
      names.name(&picture, of: asset, isStripped: receipts != nil)
      let number = gathered.begin(picture, row: asset.row)
      if let own = try files.add(asset, number: number, key: picture.key) {
        try gathered.finish(number, own)
      }
    }
    try files.finish()
    try originals.finish()
    try gathered.mend(with: originals)
    let downloads = try downloads(of: gathered, in: folder, announceZIPs)
    try writePages(gathered, downloads, to: folder)
    if options.includesOriginals, let receipts {
      try folder.write(to: StrippingReceipts.name) { file in try receipts.pass { try file.write($0) } }
    }
    for (path, bytes) in options.lock?.files(in: options.language, digest: SHA256.hash) ?? [] {
      try folder.write(bytes, to: Array(path.utf8), isPlain: true)
    }
    return Written(
      pictures: gathered.pictures.count,
      withoutThumbnail: gathered.pictures.bareCount,
      unplayed: unplayed,
      notConverted: originals.notConverted,
      notStripped: originals.notStripped,
      tooLong: originals.tooLong,
      made: files.summary,
      downloads: downloads
    )
  }

  private func writePages(
    _ gathered: GatheredPictures,
    _ downloads: [GalleryDownload],
    to folder: ExportFolder
  ) throws {
    let (pictures, positions) = (gathered.pictures, RowPositions(of: gathered.rows))
    let gallery = Gallery(
      options: options,
      pictures: pictures,
      albums: try albums(positions),
      cover: try cover.flatMap { positions[$0] } ?? defaultCover(of: pictures),
      downloads: downloads
    )
    try gallery.write { path, fill in
      try folder.write(to: Array(path.utf8)) { file in try fill { try file.write($0) } }
    }
  }

  private func downloads(
    of gathered: GatheredPictures,
    in folder: ExportFolder,
    _ announce: (_ bytes: Int64, _ count: Int) -> Void
  ) throws -> [GalleryDownload] {
    guard options.offersDownloadAll else { return [] }
    let downloads = try GalleryDownloads(in: folder, gathered)
    return try downloads.make(titled: options.title, room: folder.room(), announce: announce)
  }

  /// Whether a file is a film in a container that browsers do not open; of the others only a worker knows the codec.
  private static func isUnplayed(_ file: ListedAsset.File) -> Bool {
    let format = MediaFormat(rawValue: file.format)
    return format?.mediaType == .video && ![.mp4, .mov, .webm].contains(format)
  }

  /// The first favorite, or else the first picture that is wider than high; where pictures are in the order of their
  /// dates, one that has a date.
  private func defaultCover(of pictures: GalleryPictures) throws -> Int? {
    var wide: Int?
    for position in 0..<pictures.count {
      let picture = try pictures[position]
      guard picture.date != nil || options.order == .other, picture.tile != nil,
        !picture.badges.contains("rejected")
      else { continue }
      if picture.isFavorite { return position }
      guard wide == nil, let size = picture.pixelSize else { continue }
      // A panorama would be a strip of its middle.
      let isFit = 10 * size.width >= 12 * size.height && 2 * size.height >= size.width
      if isFit { wide = position }
    }
    return wide
  }

  // MARK: - Pictures

  /// Adds an asset's originals to the folder, and tells what its pages show.
  private func picture(
    _ asset: ListedAsset,
    number: Int,
    _ originals: GalleryOriginals
  ) throws -> GalleryPicture {
    let key = String(asset.localIdentifier.prefix { $0 != "/" })
    let noun =
      asset.mediaType == .image ? "Photo" : asset.mediaType == .video ? "Video" : "Recording"
    var picture = GalleryPicture(
      key: key,
      title: options.isNeutral ? "\(noun) \(number)" : asset.label,
      date: options.months == .saved
        ? String(asset.added.prefix(19)) : asset.facts.creationDate?.local,
      mediaType: asset.mediaType
    )
    picture.badges = asset.tileBadges
    picture.isFavorite = asset.described.isFavorite == true
    picture.pixelSize = asset.facts.pixelSize
    picture.bytes = asset.files.first?.bytes ?? 0
    if !options.isNeutral { picture.camera = asset.facts.camera }
    if options.includesDescriptions {
      var described = asset.described
      if let people { described.removeNames(of: people) }
      (picture.caption, picture.keywords) = (described.caption, described.keywords)
    }
    if options.includesOriginals {
      try add(originals, of: asset, to: &picture)
    }
    return picture
  }

  private func add(
    _ originals: GalleryOriginals,
    of asset: ListedAsset,
    to picture: inout GalleryPicture
  ) throws {
    let key = picture.key
    func add(_ file: ListedAsset.File) throws -> GalleryPicture.File? {
      let isFilm = FilmConversion.concerns(file)
      return try originals.add(ExportFolder.Source(file), of: asset, key: key, isFilm: isFilm)
    }
    let described = asset.files.filter { ResourceRole(rawValue: $0.role)?.isSidecar != true }
    guard let main = described.first else { return }
    picture.original = try add(main)
    if let movie = described.dropFirst().first(where: { $0.role == "pairedVideo" }) {
      picture.movie = try add(movie)
    } else if let source = ExportFolder.Source(main).movie(asset.facts.embeddedMovie) {
      picture.movie = try originals.add(source, of: asset, key: key, isFilm: false)
    }
  }

  // MARK: - Albums

  /// The albums of the pictures; all of them are "Recents", and hidden ones are in no gallery.
  private func albums(_ positions: RowPositions) throws -> [GalleryAlbum] {
    guard query.album == nil else { return [] }
    // In an album of a person or a folder, the picture that stands for a stack stands for each of it.
    var standing: [Int64: Int] = [:]
    for stack in query.showsCoversOnly ? try reader.stacks(ambiguous: false) : [] {
      guard let position = stack.assets.lazy.compactMap({ positions[$0] }).first else { continue }
      for row in stack.assets { standing[row] = position }
    }
    return try reader.albums().albums.compactMap { listed in
      if [.smart(.recents), .smart(.hidden)].contains(listed.album) { return nil }
      if options.isNeutral, listed.album.folderText != nil { return nil }
      // The others are made of what stripping takes.
      if receipts != nil, case .smart(let smart) = listed.album, !smart.isOfStripped { return nil }
      var own = query
      (own.album, own.showsCoversOnly) = (listed.album, false)
      let symbol = Self.symbol(of: listed.album)
      let pictures = try reader.select(own).rows.compactMap { row in
        positions[row] ?? (symbol == nil ? standing[row] : nil)
      }
      return GalleryAlbum(title: listed.album.title, symbol: symbol, pictures: Set(pictures).sorted())
    }
  }

  /// The drawing of a smart album; nil of one that a person or a folder made.
  private static func symbol(of album: Album) -> String? {
    guard case .smart(let smart) = album else { return nil }
    return switch smart {
    case .favorites: "heart"
    case .videos, .sloMo: "film"
    case .screenshots, .selfies, .raw: "camera"
    case .livePhotos: "live"
    case .panoramas: "pano"
    case .recents, .bursts, .animated, .hidden: "photo"
    }
  }
}

/// A cover that no picture of a gallery is, or that is the beginning of several identifiers.
package struct MissingCover: Error {
  package var text: String
  package var count: Int
}
