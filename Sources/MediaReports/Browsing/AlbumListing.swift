package import MediaLibrary
internal import MediaModel
internal import MediaSyntax

/// Writes a list of albums, each with its cover.
package enum AlbumListing {
  /// - Throws: The first error of writing.
  package static func write(
    _ albums: [(album: ListedAlbum, cover: ListedAsset?)],
    as format: ListingFormat,
    library: [UInt8],
    to sink: ReportSink
  ) throws {
    switch format {
    case .table:
      let width = max(5, albums.map { TextLayout.width(title($0.album.album)) }.max() ?? 0)
      func line(_ cells: [String]) -> String {
        TextLayout.padded(cells[0], to: width) + "  "
          + TextLayout.padded(cells[1], to: 9, onLeft: true) + "  " + cells[2] + "\n"
      }
      sink.text(line(["album", "assets", "cover"]))
      for (album, cover) in albums {
        sink.text(
          line([
            title(album.album), Quantity.grouped(album.count),
            cover.map { ReportText.line($0.label) } ?? "",
          ])
        )
      }
    case .csv:
      sink.text(CSVReport.line(["title", "type", "folder", "assets", "cover", "coverPath"]))
      for (album, cover) in albums {
        sink.text(
          CSVReport.line([
            album.album.title, type(album.album), album.album.folderText ?? "", "\(album.count)",
            cover?.localIdentifier ?? "", cover?.files.first?.path ?? "",
          ])
        )
      }
    case .json:
      var object = JSONPieces.object(sink)
      object.begin("albums")
      var array = JSONPieces.array(sink)
      for (album, cover) in albums { array.add(self.object(album, cover)) }
      array.close()
      object.add("schema", "mediabatch.albums/1")
      object.close()
      sink.text("\n")
    case .ndjson:
      for (album, cover) in albums {
        sink.value(self.object(album, cover))
        sink.text("\n")
      }
    case .paths, .paths0:
      let paths = PathWriter(
        library: library,
        isTerminatedByNUL: format == .paths0,
        to: sink
      )
      for case let path? in albums.map({ $0.cover?.files.first?.path }) { paths.add(path) }
    }
    try sink.finish()
  }

  private static func title(_ album: Album) -> String { ReportText.line(album.title) }

  private static func type(_ album: Album) -> String {
    album.folderText == nil ? "smart" : "user"
  }

  private static func object(_ album: ListedAlbum, _ cover: ListedAsset?) -> JSONValue {
    [
      "title": .string(album.album.title),
      "type": .string(type(album.album)),
      "folder": JSONValue(album.album.folderText),
      "assets": JSONValue(album.count),
      "cover": cover.map(AssetListing.object) ?? .null,
    ]
  }
}
