package import MediaLibrary
package import MediaModel
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
    let width = max(5, albums.map { TextLayout.width(title($0.album.album)) }.max() ?? 0)
    func line(_ cells: [String]) -> String {
      TextLayout.padded(cells[0], to: width) + "  "
        + TextLayout.padded(cells[1], to: 9, onLeft: true) + "  " + cells[2] + "\n"
    }
    var frame = ListingFrame(
      of: "albums",
      format,
      library: library,
      to: sink,
      table: line(["album", "assets", "cover"]),
      csv: ["title", "type", "folder", "assets", "cover", "coverPath", "source", "sourceName"]
    )
    for (album, cover) in albums {
      frame.add(
        table: {
          [
            line([
              title(album.album), Quantity.grouped(album.count),
              cover.map { ReportText.line($0.label) } ?? "",
            ])
          ]
        },
        csv: {
          [
            [
              album.album.title, type(album.album), album.album.folderText ?? "",
              "\(album.count)", cover?.localIdentifier ?? "", cover?.files.first?.path ?? "",
              album.album.source?.kind.rawValue ?? "", album.album.source?.name ?? "",
            ]
          ]
        },
        object: { object(album, cover) },
        paths: { cover?.files.prefix(1).map(\.path) ?? [] },
        assets: { [cover].compactMap(\.self) }
      )
    }
    try frame.finish(schema: "mediabatch.albums/1")
  }

  private static func title(_ album: Album) -> String {
    ReportText.line(album.title + (album.source?.ownName.map { " (\($0))" } ?? ""))
  }

  private static func type(_ album: Album) -> String {
    album.folderText == nil ? "smart" : "user"
  }

  private static func object(_ album: ListedAlbum, _ cover: ListedAsset?) -> JSONValue {
    [
      "title": .string(album.album.title),
      "type": .string(type(album.album)),
      "folder": JSONValue(album.album.folderText),
      "source": JSONValue(album.album.source?.kind.rawValue),
      "sourceName": JSONValue(album.album.source?.name),
      "assets": JSONValue(album.count),
      "cover": cover.map(AssetListing.object) ?? .null,
    ]
  }
}
