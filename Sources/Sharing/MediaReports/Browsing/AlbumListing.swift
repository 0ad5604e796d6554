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
    let titles = titles(of: albums.map(\.album.album))
    let width = max(5, titles.map(TextLayout.width).max() ?? 0)
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
    for ((album, cover), title) in zip(albums, titles) {
      frame.add(
        frame.form.entry(
          table: {
            [
              line([
                title, Quantity.grouped(album.count),
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
      )
    }
    try frame.finish(schema: "mediabatch.albums/1")
  }

  /// The titles in their order, each with what tells the album from others of that title: its source, and within one
  /// source its folder, or its number among them.
  static func titles(of albums: [Album]) -> [String] {
    let alike = Dictionary(grouping: albums, by: \.title)
    return albums.map { album in
      var words: [String] = []
      if let source = album.source, let others = alike[album.title] {
        let twins = others.filter { $0.source == source }
        if twins.count < others.count { words.append(source.ownName ?? source.displayName) }
        if twins.count > 1 {
          if case .folder(_, let path) = album {
            words.append(path.text)
          } else if let index = twins.firstIndex(of: album) {
            words.append("\(index + 1) of \(twins.count)")
          }
        }
      }
      return ReportText.line(album.title + (words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"))
    }
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
