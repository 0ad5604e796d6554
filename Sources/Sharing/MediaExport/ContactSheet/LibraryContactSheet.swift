internal import MediaFileSystem
package import MediaLibrary
package import MediaModel
internal import MediaPredicate

/// The choices of a person about a contact sheet.
package struct ContactSheetOptions: Sendable, Hashable {
  package var layout: ContactSheetLayout
  package var background = RGBColor.white
  /// The quality of the pages, 1 to 100.
  package var quality = 85
  /// Whether there is a PDF of all pages too.
  package var makesPDF = false
  /// Whether numbers stand in place of labels.
  package var isNeutral = false

  package init(layout: ContactSheetLayout) { self.layout = layout }
}

/// Makes pages of small pictures of a library's assets: of its thumbnails, or where they are smaller than a box, of
/// what is made of its originals.
package struct LibraryContactSheet {
  /// The counts of a contact sheet.
  package struct Summary: Sendable, Hashable {
    package var assets = 0
    package var pages = 0
    /// Assets without a thumbnail, which have a label alone.
    package var withoutThumbnail = 0
    /// The thumbnails that could not be drawn.
    package var notDrawn: [NotDrawn] = []
    /// The number of pictures that were made of originals.
    package var made = 0
    /// The originals of which none could be made.
    package var notMade: [NotDrawn] = []
  }

  /// A thumbnail that could not be drawn, or an original of which no picture could be made.
  package struct NotDrawn: Sendable, Hashable {
    /// Its path in the library.
    package var path: [UInt8]
    /// The reason, escaped.
    package var detail: String
  }

  /// The name of the PDF in the folder.
  package static let documentName = "contact-sheet.pdf"

  private let reader: CatalogueReader
  private let query: AssetQuery
  private let options: ContactSheetOptions

  /// - Parameters:
  ///   - reader: The library.
  ///   - query: The assets, and their order.
  ///   - options: The choices of the person.
  package init(of reader: CatalogueReader, _ query: AssetQuery, options: ContactSheetOptions) {
    (self.reader, self.query, self.options) = (reader, query, options)
  }

  /// The digest of the library's state and the choices; nil when the library has no history, and so no state.
  package func state(of choices: String) throws(LibraryError) -> String? {
    try reader.state(of: "\(options)\n\(choices)")
  }

  /// Writes the pages into a folder.
  ///
  /// - Throws: ``ExportError``, ``LibraryError``.
  package func write(to folder: ExportFolder, workers: ExportWorkers) throws -> Summary {
    var summary = Summary()
    var tiles: [ContactSheetTile] = []
    let pictures = ContactSheetPictures(in: folder, workers, side: options.layout.side)
    let selection = try reader.select(query)
    try reader.forEachAsset(of: selection, readsThumbnails: true) { asset in
      summary.assets += 1
      let number = PaddedNumber.text(summary.assets, width: 4)
      let thumbnail = self.thumbnail(of: asset)
      try pictures.add(asset, tile: tiles.count)
      tiles.append(
        ContactSheetTile(
          source: thumbnail.map { ExportFolder.Source($0) },
          label: options.isNeutral ? number : asset.label
        )
      )
    }
    try pictures.finish()
    for (tile, source) in pictures.made {
      (tiles[tile].source, tiles[tile].isMade) = (source, true)
    }
    (summary.made, summary.notMade) = (pictures.made.count, pictures.notMade)
    summary.withoutThumbnail = tiles.count { $0.source == nil }
    let count = options.layout.cellsOfPage
    summary.pages = (tiles.count + count - 1) / count
    let width = max(3, "\(summary.pages)".count)
    func path(_ page: Int) -> [UInt8] {
      Array("page-\(PaddedNumber.text(page + 1, width: width)).jpg".utf8)
    }
    let pages = ContactSheetPages(options, tiles, folder, workers) { page, jpeg in
      try folder.write(jpeg, to: path(page))
    }
    summary.notDrawn = try pages.draw()
    for tile in pictures.made.keys { try folder.removeAside(tile) }
    if options.makesPDF, summary.pages > 0 {
      try writeDocument(of: (0..<summary.pages).map(path), to: folder)
    }
    return summary
  }

  private func writeDocument(of pages: [[UInt8]], to folder: ExportFolder) throws {
    try folder.write(to: Array(Self.documentName.utf8)) { file in
      var document = try PDFWriter(pageCount: pages.count) { try file.write($0) }
      for page in pages {
        try document.addPage(try folder.content(of: page), size: options.layout.pageSize)
      }
      try document.end()
    }
  }

  /// The smallest thumbnail that fills its box, else the largest.
  private func thumbnail(of asset: ListedAsset) -> ListedAsset.Thumbnail? {
    asset.thumbnails.first { max($0.size.width, $0.size.height) >= options.layout.side }
      ?? asset.thumbnails.last
  }
}
