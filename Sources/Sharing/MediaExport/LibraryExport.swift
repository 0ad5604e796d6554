package import MediaLibrary
internal import MediaModel
internal import MediaPredicate
internal import MediaWorkerPool

/// The choices of a person: which files of each asset are exported, and where.
package struct ExportOptions: Sendable, Hashable {
  package var layout: ExportLayout
  /// Whether the library's own files are in it.
  package var includesOriginals = true
  /// The thumbnails that are in it, each name once.
  package var thumbnails: [ExportedThumbnail] = []
  /// What becomes of motion photos.
  package var motion = MotionExport.keep
  /// The quality of the JPEGs to which pictures of other formats are converted, 1 to 100; nil for none.
  package var jpegQuality: Int?
  /// The most pixels of the shorter side of films that are converted to H.264; nil for none.
  package var filmHeight: Int?
  /// Whether an XMP packet lies beside each main file.
  package var writesSidecars = false
  /// Whether files have the extensions that they had in their source, such as `.insv` of a film in MP4.
  package var keepsExtensions = false
  /// The facts that are written into copies of the main files, each once, in the order of their cases.
  package var embeds: [ExportedFact] = []
  /// Whether numbers stand in place of labels.
  package var isNeutral = false
  /// Whether the folder is a bag of RFC 8493.
  package var makesBag = false
  /// What a person says of the bag.
  package var bag = BagDescription()
  /// The metadata of an RO-Crate; nil for none.
  package var crate: CrateOptions?

  package init(layout: ExportLayout) { self.layout = layout }
}

/// What becomes of a motion photo, whose movie lies within the picture's file, in an export.
package enum MotionExport: String, CaseIterable, Sendable {
  /// The file as it is in the library.
  case keep
  /// The picture without the movie and what is behind it.
  case still
  /// The picture without the movie, and the movie as a file beside it.
  case split
}

/// What a person says of an RO-Crate.
package struct CrateOptions: Sendable, Hashable {
  package var title: String
  /// Under which terms it may be used: an address, or text.
  package var license: String

  /// Creates what the metadata file says of the whole.
  package init(title: String, license: String) {
    self.title = title
    self.license = license
  }
}

/// Puts copies of a library's files into a folder, under names for people.
package struct LibraryExport {
  /// The counts of an export.
  package struct Summary: Sendable, Hashable {
    /// Assets of which a file is in the folder.
    package var assets = 0
    /// Those of them whose name tells what the source's file was called.
    package var originalNames = 0
    /// Assets that have none of the thumbnails that were asked for, nor get any.
    package var withoutThumbnail = 0
    /// Assets without a known date of capture, if the layout has one.
    package var undated = 0
    /// Whether the layout has an album, and no asset is in one.
    package var lacksAlbums = false
    /// The number of pictures that were converted, without those that an earlier call had converted.
    package var pictures = 0
    /// The same of films.
    package var films = 0
    /// The pictures and films that could not be converted, and are in the folder as they are in the library.
    package var notConverted: [NotConverted] = []
    /// The files into which facts could not be written, so that a sidecar has them.
    package var besides: [NotConverted] = []
    /// The library's own sidecars that are as they are, since nothing could be added to them.
    package var notCompleted: [NotConverted] = []
    /// The number of thumbnails that were made of originals.
    package var thumbnailsMade = 0
    /// The originals of which no thumbnail could be made, by their paths in the library, with the reason, escaped.
    package var notMade: [[UInt8]: String] = [:]
  }

  /// A picture that could not be converted, or a file into which facts could not be written.
  package struct NotConverted: Sendable, Hashable {
    /// Its place in the folder.
    package var path: [UInt8]
    /// The reason, escaped.
    package var detail: String
  }

  private let reader: CatalogueReader
  private let query: AssetQuery
  let options: ExportOptions
  private let readsPrivateFacts: Bool
  private let inventory: Inventory

  /// - Parameters:
  ///   - reader: The library.
  ///   - query: The assets; they are numbered in the order in which they were saved.
  ///   - options: The choices of the person.
  ///   - readsPrivateFacts: Whether the reader has the library's private facts too.
  ///   - imports: The imports of the library, in their order, for the metadata of a crate.
  package init(
    of reader: CatalogueReader,
    _ query: AssetQuery,
    options: ExportOptions,
    readsPrivateFacts: Bool = false,
    imports: [ImportRun] = []
  ) {
    self.reader = reader
    // The files that it needs are made before a process is confined.
    inventory = Inventory(options, imports)
    var query = query
    // Numbers stay those of their assets when new ones are saved.
    query.sortDescriptors = [FetchSortDescriptor(.addedDate, ascending: true)]
    self.query = query
    self.options = options
    self.readsPrivateFacts = readsPrivateFacts
  }

  /// The digest of the library's state and the choices; nil when the library has no history, and so no state.
  package func state(of choices: String) throws(LibraryError) -> String? {
    try reader.state(of: "\(options)\n\(choices)")
  }

  /// Writes the files into a folder, once.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - workers: The workers that convert pictures and films, write facts and make thumbnails, or the reason that
  ///     there are none, which counts once the library lacks a thumbnail. They are needed when the options have a
  ///     quality, a height, or facts; without them, sidecars of the library are as they are. Nil to make nothing.
  /// - Returns: The counts.
  /// - Throws: ``ExportError``, ``LibraryError``.
  package func write(
    to folder: ExportFolder,
    workers: Result<ExportWorkers, ExportError>?
  ) throws -> Summary {
    let work = ExportWork(folder, inventory)
    var names = ExportNames()
    let makers = Makers(options, folder, workers, work)
    let specs = try specs(makers)
    let selection = try reader.select(query)
    let albums = try albumsOfAssets(work)
    try reader.forEachAsset(of: selection, readsThumbnails: !options.thumbnails.isEmpty) { asset in
      let files = self.files(of: asset, specs)
      let base = basePath(of: asset, number: work.assets + 1, album: albums[asset.row] ?? [])
      let paths = names.paths(
        folders: base.folders,
        name: base.name,
        // The name of the library's own file is taken too, should it not be possible to convert it, and that of a
        // sidecar, should it not be possible to write facts into a file.
        endings: files.map(\.ending) + files.compactMap(\.originalEnding)
          + files.compactMap(\.sidecarEnding)
      ).map { Array($0.utf8) }
      count(asset, files, at: paths, work)
      var originalPaths = paths[files.count...]
      let sidecars = files.compactMap(\.sidecar)
      work.reserve(zip(paths.suffix(sidecars.count), sidecars))
      if let index = files.firstIndex(where: \.awaitsPicture) {
        work.note(about(files[index], of: asset), at: paths[index])
        work.hold(files[index].content, of: paths[0])
      }
      var lacking: [ThumbnailMaking.Wanted] = []
      for (path, file) in zip(paths, files) where !file.awaitsPicture {
        work.note(about(file, of: asset), at: path)
        if file.isThumbnail {
          let isThere = try work.add(file.content, at: path)
          // A name that the folder cannot hold is none for another file either.
          guard !isThere, folder.refused[path] == nil, let spec = file.spec else { continue }
          lacking.append(ThumbnailMaking.Wanted(path: path, spec: spec))
          continue
        }
        guard case .library(let source) = file.content else {
          // A sidecar describes the main file.
          if !isDamaged(files.first, in: folder), folder.refused[paths[0]] == nil {
            try work.add(file.content, at: path)
          }
          continue
        }
        let originalPath = file.originalEnding.flatMap { _ in originalPaths.popFirst() }
        if let originalPath {
          work.note(about(file, of: asset, converted: false), at: originalPath)
        }
        let isMade = try makers.take(file, source, of: asset, at: path, orAt: originalPath, work)
        if !isMade, try work.add(file.content, at: path) {
          try work.take(file, at: path)
        }
      }
      try makers.thumbnails?.make(lacking, of: asset)
    }
    try makers.finishAll()
    return try work.finish()
  }

  private func isDamaged(_ file: File?, in folder: ExportFolder) -> Bool {
    guard case .library(let source)? = file?.content else { return false }
    return folder.damaged[source.path] != nil
  }

  /// Counts an asset with the files that it has in the export, and what it lacks.
  private func count(
    _ asset: ListedAsset,
    _ files: [File],
    at paths: [[UInt8]],
    _ work: ExportWork
  ) {
    work.expect(paths, tellsOriginalName: !options.isNeutral && tellsOriginalName(asset))
    if options.layout.namesCreationDates, asset.facts.creationDate == nil {
      work.summary.undated += 1
    }
    if !options.thumbnails.isEmpty, !files.contains(where: \.isThumbnail) {
      work.summary.withoutThumbnail += 1
    }
  }

  /// The folders of an asset's files, and the name that they share.
  private func basePath(
    of asset: ListedAsset,
    number: Int,
    album: [String]
  ) -> (folders: [String], name: String) {
    inPayload(
      options.layout.path(
        of: ExportLayout.Values(
          label: options.isNeutral ? PaddedNumber.text(number, width: 6) : asset.label,
          number: number,
          album: album,
          source: asset.source,
          saved: String(asset.added.prefix(19)),
          created: asset.facts.creationDate?.local
        )
      )
    )
  }

  // MARK: - The files of an asset

  /// A file of an export, before it has a place.
  struct File {
    enum Content {
      case library(ExportFolder.Source)
      /// An XMP packet, and whether it has a place.
      case sidecar([UInt8], statesPlace: Bool)
      /// A worker makes it.
      case made
    }

    /// The text behind the name that all files of an asset share.
    var ending: String
    var content: Content
    /// Its media type; nil where it is not known.
    var mediaType: String?
    /// The format of the library's own file; nil of one that is none of media.
    var format: MediaFormat?
    var isThumbnail = false
    /// The settings of a thumbnail that is made where the library's is lacking or damaged.
    var spec: ThumbnailSpec?
    /// Whether it is a film, which is converted unless browsers play it.
    var isFilm = false
    /// The ending of the library's own file, if it is converted.
    var originalEnding: String?
    /// The facts that are written into it; nil for none.
    var facts: EmbeddedFacts?
    /// Whether they say where it was taken.
    var givesPlace = false
    /// The ending of the sidecar that has them if they cannot be written into it, or that it has if it cannot be
    /// converted.
    var sidecarEnding: String?
    /// That sidecar.
    var sidecar: Content?
    /// Whether it is the sidecar of a picture that is converted, and named after what becomes of that.
    var awaitsPicture = false
    /// The reason that a sidecar has the facts from the start.
    var besides: String?
    /// Whether it is a sidecar of the library that gets what it lacks.
    var isSidecar = false
    /// The reason that it does not get it.
    var lacking: String?
  }

  private func files(of asset: ListedAsset, _ specs: [ThumbnailSpec?]) -> [File] {
    var files: [File] = []
    if options.includesOriginals {
      for (index, assetFile) in asset.files.enumerated() {
        var source = ExportFolder.Source(assetFile)
        let movie = index == 0 && options.motion != .keep ? Self.movie(of: asset, in: &source) : nil
        var file = File(
          ending: ending(of: assetFile, of: asset),
          content: .library(source),
          mediaType: Self.mediaType(of: assetFile),
          format: MediaFormat(rawValue: assetFile.format)
        )
        if options.jpegQuality != nil, isConverted(assetFile, of: asset) {
          file.originalEnding = file.ending
          file.ending = Self.withoutExtension(file.ending) + ".jpg"
        }
        if options.filmHeight != nil, source.part == nil, FilmConversion.concerns(assetFile) {
          file.isFilm = true
          file.originalEnding = file.ending
          file.ending = Self.withoutExtension(file.ending) + "." + MediaFormat.mp4.fileExtension
        }
        files.append(file)
        if options.motion == .split, let movie { files.append(movie) }
      }
    }
    files += thumbnails(of: asset, specs)
    Self.makeDistinct(&files)
    embedFacts(of: asset, in: &files)
    if options.writesSidecars, let main = files.first {
      let isConverted = main.originalEnding != nil
      let own = sidecar(of: asset, isTurned: true)
      if let facts = isConverted ? sidecar(of: asset, isTurned: false) : own {
        addSidecar(facts, named: main.ending + ".xmp", orElse: own ?? facts, to: &files)
      }
    }
    return files
  }

  /// The settings of the thumbnails that are asked for, in their order; nil where nothing is to be made.
  private func specs(_ makers: Makers) throws(LibraryError) -> [ThumbnailSpec?] {
    try options.thumbnails.map { wanted throws(LibraryError) in
      makers.thumbnails == nil ? nil : try wanted.spec(reader)
    }
  }

  /// The thumbnails of an asset that the library has or that can be made.
  private func thumbnails(of asset: ListedAsset, _ specs: [ThumbnailSpec?]) -> [File] {
    let isAlone = !options.includesOriginals && options.thumbnails.count == 1
    return zip(options.thumbnails, specs).compactMap { wanted, spec in
      let own = asset.thumbnails.first { wanted.isServed(by: $0, of: asset) }
      var spec = spec.flatMap { $0.accepts(asset.mediaType) ? $0 : nil }
      guard let format = own.flatMap({ Self.format(of: $0) }) ?? spec?.format else { return nil }
      // In the place of one that is damaged comes one of its format.
      spec?.format = format
      return File(
        ending: (isAlone ? "" : " (\(wanted.name))") + "." + format.fileExtension,
        content: own.map { .library(ExportFolder.Source($0)) } ?? .made,
        mediaType: MediaFormat(format).mediaTypeName,
        isThumbnail: true,
        spec: spec
      )
    }
  }

  private static func format(of thumbnail: ListedAsset.Thumbnail) -> ThumbnailFormat? {
    let ending = ExportFolder.Source(thumbnail).fileExtension
    return ThumbnailFormat.allCases.first { $0.fileExtension == ending }
  }

  /// Adds a sidecar, or another one beside a picture that cannot be converted; one of the library's own, which a person
  /// or a program wrote, gets what it lacks.
  private func addSidecar(
    _ facts: EmbeddedFacts,
    named ending: String,
    orElse original: EmbeddedFacts,
    to files: inout [File]
  ) {
    guard let own = files.firstIndex(where: { $0.ending.lowercased() == ending.lowercased() })
    else {
      var file = File(ending: ending, content: facts.sidecar, mediaType: Self.sidecarType)
      if let ending = files[0].originalEnding {
        file.awaitsPicture = true
        if !Self.has(ending + ".xmp", in: files) {
          (files[0].sidecarEnding, files[0].sidecar) = (ending + ".xmp", original.sidecar)
        }
      }
      files.append(file)
      return
    }
    guard case .library = files[own].content, files[own].mediaType == Self.sidecarType else {
      return
    }
    files[own].isSidecar = true
    if facts.packet.count > EmbeddedFacts.mostPacketBytes {
      files[own].lacking = "the facts are too long"
    } else {
      files[own].facts = EmbeddedFacts(packet: facts.packet)
      files[own].givesPlace = facts.place != nil
    }
  }

  /// Takes the movie out of a motion photo's main file, which then is its still; a picture that needs bytes behind
  /// the movie stays whole.
  ///
  /// - Returns: The movie; nil of what is no motion photo.
  private static func movie(of asset: ListedAsset, in source: inout ExportFolder.Source) -> File? {
    guard let movie = asset.facts.embeddedMovie, movie.fits(Int(source.bytes)) else { return nil }
    var other = source
    other.part = Int64(movie.offset)..<Int64(movie.offset + movie.length)
    other.statesPlace = false
    source.part = movie.stillLength.map { 0..<Int64($0) }
    return File(
      ending: "." + MediaFormat.mp4.fileExtension,
      content: .library(other),
      mediaType: MediaFormat.mp4.mediaTypeName,
      format: .mp4
    )
  }

  /// Whether a file of an asset has this ending, in a folder that may ignore the case of letters.
  static func has(_ ending: String, in files: [File]) -> Bool {
    files.contains { $0.ending.lowercased() == ending.lowercased() }
  }

  /// The type of an XMP packet. Source: RFC 3870; ISO 16684-1, section 7.
  static let sidecarType = "application/rdf+xml"

  private static func mediaType(of file: ListedAsset.File) -> String? {
    if let format = MediaFormat(rawValue: file.format) { return format.mediaTypeName }
    return file.format == "xmp" ? sidecarType : nil
  }

  /// Whether the catalogue was read with what stripping took out of an asset's files, which nothing here may
  /// tell.
  private func knowsMore(of asset: ListedAsset) -> Bool {
    readsPrivateFacts && asset.policy != MetadataPolicy.keep.rawValue
  }

  /// What a crate says of a file; nil when there is no crate.
  private func about(
    _ file: File,
    of asset: ListedAsset,
    converted: Bool = true
  ) -> Crate.About? {
    guard options.crate != nil else { return nil }
    var about = Crate.About(mediaType: file.mediaType, run: asset.run)
    if file.originalEnding != nil, converted {
      about.mediaType = (file.isFilm ? MediaFormat.mp4 : .jpeg).mediaTypeName
    }
    if !options.isNeutral, !knowsMore(of: asset), !file.isThumbnail {
      about.created = XMPSidecar.date(of: asset)
    }
    return about
  }

  private func sidecar(of asset: ListedAsset, isTurned: Bool) -> EmbeddedFacts? {
    var asset = asset
    // Private facts have what stripping took out of the file, and the packet goes with it.
    if knowsMore(of: asset) {
      (asset.facts.creationDate, asset.described) = (nil, MediaDescription())
    }
    return XMPSidecar.packet(
      of: asset,
      title: options.isNeutral ? nil : asset.label,
      orientation: isTurned ? asset.shownOrientation : nil
    ).map { EmbeddedFacts(packet: $0, place: asset.described.place) }
  }

  /// The text behind the label in the name of one of an asset's files, with the extension of the source if that is
  /// wanted; a sidecar that is named after another file follows it.
  private func ending(of file: ListedAsset.File, of asset: ListedAsset) -> String {
    let ending = Self.ending(of: ExportFolder.Source(file), behind: asset.label)
    guard options.keepsExtensions else { return ending }
    if MediaFormat(rawValue: file.format) != nil {
      return file.sourceExtension.map { Self.withoutExtension(ending) + "." + $0 } ?? ending
    }
    for other in asset.files {
      guard let format = MediaFormat(rawValue: other.format), let own = other.sourceExtension,
        ending.holds(".\(format.fileExtension).")
      else { continue }
      return ending.substituting(".\(format.fileExtension).", by: ".\(own).")
    }
    return ending
  }

  /// The text behind the label in the name of a library's file, such as ` (adjustmentData).aae`.
  private static func ending(of source: ExportFolder.Source, behind label: String) -> String {
    let name = String(decoding: ItemPath(bytes: source.path).name, as: UTF8.self)
    return name.hasPrefix(label)
      ? String(name.dropFirst(label.count)) : "." + source.fileExtension
  }

  /// Whether a file becomes a JPEG: a picture that is none already, and does not move.
  private func isConverted(_ file: ListedAsset.File, of asset: ListedAsset) -> Bool {
    guard let format = MediaFormat(rawValue: file.format) else { return false }
    return format.mediaType == .image && format != .jpeg && !asset.isAnimated
  }

  private static func withoutExtension(_ ending: String) -> String {
    ending.lastIndex(of: ".").map { String(ending[..<$0]) } ?? ending
  }

  /// Numbers endings that differ in the case of letters alone.
  private static func makeDistinct(_ files: inout [File]) {
    // The endings of the library's own files are those of an export without conversion.
    var seen = Set(files.compactMap { $0.originalEnding?.lowercased() })
    // A film in MP4 has the same one, converted or not.
    for file in files where file.isFilm && file.ending == file.originalEnding {
      seen.remove(file.ending.lowercased())
    }
    for index in files.indices {
      let ending = files[index].ending
      var number = 1
      while !seen.insert(files[index].ending.lowercased()).inserted {
        number += 1
        files[index].ending = " (\(number))" + ending
      }
    }
  }

  // MARK: - Paths

  private func inPayload(
    _ destination: (folders: [String], name: String)
  ) -> (folders: [String], name: String) {
    guard options.makesBag else { return destination }
    return ([Bag.payload] + destination.folders.map(Bag.name), Bag.name(destination.name))
  }

  /// The album of each asset, of several the first, by its row; none where the layout has no album.
  private func albumsOfAssets(_ work: ExportWork) throws -> [Int64: [String]] {
    guard options.layout.namesAlbums else { return [:] }
    var albums: [Int64: [String]] = [:]
    for listed in try reader.albums().albums {
      let names: [String]
      switch listed.album {
      case .smart: continue
      case .folder(_, let folder):
        names = EscapedText.percentEscaped(folder.bytes, keepsJoiners: true)
          .split(separator: "/").map(String.init)
      case .own(_, _, let title): names = [Label(title).text]
      }
      var own = query
      own.album = listed.album
      for row in try reader.select(own).rows where albums[row] == nil { albums[row] = names }
    }
    work.summary.lacksAlbums = albums.isEmpty
    return albums
  }

  /// Whether the label has the name of the source's file in it, as a word of its own.
  private func tellsOriginalName(_ asset: ListedAsset) -> Bool {
    guard let name = asset.originalName.map({ Label($0).text }) else { return false }
    let label = asset.label
    return label.occurrences(of: name).contains { range in
      let before = label[..<range.lowerBound].last
      let after = label[range.upperBound...].first
      return [before, after].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber } ?? true }
    }
  }
}
