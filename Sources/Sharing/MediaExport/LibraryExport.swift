package import MediaLibrary
package import MediaModel
internal import MediaPredicate

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
  /// Whether keywords that are names of people are among the facts.
  package var tellsPeople = false
  /// The policy by which copies are stripped; nil for the library's files as they are.
  package var policy: MetadataPolicy?
  /// Whether numbers stand in place of labels.
  package var isNeutral = false
  /// Whether the folder is a bag of RFC 8493.
  package var makesBag = false
  /// What a person says of the bag.
  package var bag = BagDescription()
  /// The metadata of an RO-Crate; nil for none.
  package var crate: CrateOptions?

  package init(layout: ExportLayout) { self.layout = layout }

  /// Whether keywords are written, without those that are names of people.
  fileprivate var hidesPeople: Bool { !tellsPeople && (writesSidecars || embeds.contains(.keywords)) }
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
    /// The pictures and films that could not be converted, and are in the folder as they are in the library, by their
    /// paths in it, with the reason, escaped, as the next two.
    package var notConverted: [[UInt8]: String] = [:]
    /// The files into which facts could not be written, so that a sidecar has them.
    package var besides: [[UInt8]: String] = [:]
    /// The library's own sidecars that are as they are, since nothing could be added to them.
    package var notCompleted: [[UInt8]: String] = [:]
    /// The number of thumbnails that were made of originals.
    package var thumbnailsMade = 0
    /// The originals of which no thumbnail could be made, by their paths in the library, with the reason, escaped.
    package var notMade: [[UInt8]: String] = [:]
    /// The number of files that were stripped.
    package var stripped = 0
    /// The files that could not be stripped, and are not in the folder, by their paths in the library, with the reason,
    /// escaped.
    package var notStripped: [[UInt8]: String] = [:]
  }

  private let reader: CatalogueReader
  private let query: AssetQuery
  private let options: ExportOptions
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
    inventory = Inventory(options, imports, options.policy.map { StrippingReceipts($0, of: reader) })
    var query = query
    // Numbers stay those of their assets when new ones are saved.
    query.sortDescriptors = [FetchSortDescriptor(.addedDate, ascending: true)]
    self.query = query
    self.options = options
    self.readsPrivateFacts = readsPrivateFacts
  }

  /// The digest of the library's state and the choices; nil when the library has no history, and so no state.
  package func state(of choices: String) throws(LibraryError) -> String? {
    // The word is another one where files of the same options get other names than before.
    var others = options
    // The exceptions of a policy are printed in any order.
    others.policy = nil
    return try reader.state(of: "\(others)\nstems\n\(options.policy?.rawValue ?? "")\n\(choices)")
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
    var (summary, inventory) = (Summary(), self.inventory)
    folder.readsKeptFiles = inventory.isNeeded
    let maker = PieceMaker(in: folder, workers, receipts: inventory.receipts) { piece, content, isMade in
      summary.add(piece, isMade: isMade)
      try inventory.add(piece, content, in: folder)
    }
    let plan = ExportPlan(
      options: options,
      readsPrivateFacts: readsPrivateFacts,
      specs: try options.thumbnails.map { workers == nil ? nil : try $0.spec(reader) },
      people: try options.hidesPeople ? reader.knownPeople() : nil
    )
    var names = ExportNames()
    let selection = try reader.select(query)
    let albums = try albumsOfAssets()
    summary.lacksAlbums = options.layout.namesAlbums && albums.isEmpty
    let stacked = try StackedAssets(of: selection, reader)
    try stacked.forEachGroup(readsThumbnails: !options.thumbnails.isEmpty) { group, number in
      let assets = group.units.map { unit in
        unit.map { listed in
          let labels = options.isNeutral ? [] : [listed.label, group.cover.label]
          return ExportedAsset(
            listed,
            strippedBy: options.policy,
            tellsOriginalName: labels.contains { tellsOriginalName(listed, $0) }
          )
        }
      }
      let base = basePath(of: group.assets, number: number, albums)
      let pieces = plan.pieces(of: assets, named: base.name)
      // The names of what may stand in the place of a piece, or lie beside it, are taken too.
      let endings = pieces.map { $0.joined().flatMap(\.endings) }
      var unitNames =
        group.bond == .burst ? group.units.map { basePath(of: $0, number: number, albums).name } : [base.name]
      if group.isHidden(by: unitNames) { unitNames = unitNames.map { _ in base.name } }
      let starts = names.starts(folders: base.folders, names: unitNames, group.bond, endings: endings)
      for (unit, start) in zip(assets, starts) {
        for asset in unit { asset.start = start }
      }
      for (asset, pieces) in zip(assets.joined(), pieces.joined()) {
        summary.count(asset.listed, pieces, options, isUndated: base.isUndated)
        try maker.make(pieces)
      }
    }
    try maker.finishAll()
    (summary.notMade, summary.notStripped) = (maker.notMade, maker.notStripped)
    try inventory.write(to: folder)
    return summary
  }

  /// The folders of the files of assets, and the name that they share: the label and the dates of the first one, and
  /// its album; what it lacks, another one has.
  private func basePath(
    of assets: [ListedAsset],
    number: Int,
    _ albums: [Int64: [String]]
  ) -> (folders: [String], name: String, isUndated: Bool) {
    let cover = assets[0]
    let created = assets.lazy.compactMap { $0.facts.creationDate?.local }.first
    let path = inPayload(
      options.layout.path(
        of: ExportLayout.Values(
          label: options.isNeutral ? PaddedNumber.text(number, width: 6) : cover.label,
          number: number,
          album: assets.lazy.compactMap { albums[$0.row] }.first ?? [],
          source: cover.source,
          saved: String(cover.added.prefix(19)),
          created: created
        )
      )
    )
    return (path.folders, path.name, created == nil)
  }

  private func inPayload(
    _ destination: (folders: [String], name: String)
  ) -> (folders: [String], name: String) {
    guard options.makesBag else { return destination }
    return ([Bag.payload] + destination.folders.map(Bag.name), Bag.name(destination.name))
  }

  /// The album of each asset, of several the first, by its row; none where the layout has no album.
  private func albumsOfAssets() throws -> [Int64: [String]] {
    guard options.layout.namesAlbums else { return [:] }
    var albums: [Int64: [String]] = [:]
    for listed in try reader.albums().albums {
      let names: [String]
      switch listed.album {
      case .smart: continue
      case .folder(_, let folder):
        names = EscapedText.name(folder.bytes)
          .split(separator: "/").map(String.init)
      case .own(_, _, let title): names = [Label(title).text]
      }
      var own = query
      own.album = listed.album
      for row in try reader.select(own).rows where albums[row] == nil { albums[row] = names }
    }
    return albums
  }

  /// Whether a label has the name of the source's file in it, as a word of its own.
  private func tellsOriginalName(_ asset: ListedAsset, _ label: String) -> Bool {
    guard let name = asset.originalName.map({ Label($0).text }) else { return false }
    return label.occurrences(of: name).contains { range in
      let before = label[..<range.lowerBound].last
      let after = label[range.upperBound...].first
      return [before, after].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber } ?? true }
    }
  }
}

extension LibraryExport.Summary {
  /// Counts an asset with the files that it is to have, and what it lacks.
  fileprivate mutating func count(
    _ asset: ListedAsset,
    _ pieces: [ExportPiece],
    _ options: ExportOptions,
    isUndated: Bool
  ) {
    if options.layout.namesCreationDates, isUndated { undated += 1 }
    if !options.thumbnails.isEmpty, !pieces.contains(where: \.isThumbnail) { withoutThumbnail += 1 }
  }

  /// Counts a file that is in the folder, and its asset with the first of them.
  fileprivate mutating func add(_ piece: ExportPiece, isMade: Bool) {
    if !piece.asset.isThere {
      piece.asset.isThere = true
      assets += 1
      if piece.asset.tellsOriginalName { originalNames += 1 }
    }
    for (kind, detail) in piece.shortfalls {
      switch kind {
      case .notConverted: notConverted[piece.path] = detail
      case .besides: besides[piece.path] = detail
      case .notCompleted: notCompleted[piece.path] = detail
      }
    }
    guard isMade else { return }
    switch piece.making {
    case .jpeg: pictures += 1
    case .film: films += 1
    case .thumbnail: thumbnailsMade += 1
    case .stripped: stripped += 1
    case .copy, .packet, .embedded, .completed: break
    }
  }
}
